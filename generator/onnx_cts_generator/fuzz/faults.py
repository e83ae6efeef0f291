"""Which failures are one fault: by operator version, verdict, and rule or diagnosis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from onnx_cts_generator.case import Case
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result


@dataclass(frozen=True)
class Signature:
    """What failures of one fault have in common.

    Attributes:
        operator: Operator, with its domain if that is not ONNX's own.
        version: Its version.
        verdict: The verdict.
        subject: The rule that was broken or the question raised, or how the backend died.
        diagnosis: The deviations that explain the failure, none if no known one does.
    """

    operator: str
    version: int
    verdict: Verdict
    subject: str
    diagnosis: frozenset[str]

    def shown_by(self, other: Signature) -> bool:
        """Whether a failure may be of this very fault: whatever explains this explains it too."""
        return self.is_like(other) and (
            self.diagnosis <= other.diagnosis if self.diagnosis else not other.diagnosis
        )

    def is_like(self, other: Signature) -> bool:
        """Whether the two are the same but for what explains them."""
        return self.place == other.place

    @property
    def place(self) -> tuple[str, int, Verdict, str]:
        """All but the diagnosis."""
        return self.operator, self.version, self.verdict, self.subject


def signature(result: Result) -> Signature:
    """The signature of a failure; a broken rule is a fault whatever explains what was given."""
    subject, diagnosis = result.rule, frozenset(result.diagnosis or ())
    if result.verdict is Verdict.CRASHED:
        subject = f"{result.message} {result.rule}"
    return Signature(
        result.qualified_operator,
        result.version,
        result.verdict,
        subject,
        frozenset() if result.rule else diagnosis,
    )


@dataclass
class Fault:
    """A fault that was found.

    Attributes:
        signature: What its failures have in common. The diagnosis is that of all so far.
        case: The smallest case found that shows it.
        result: The result of that case.
        count: How many failures it explains that are not of its shrinking.
        repeats: Whether the backend answered the case the same way each time.
    """

    signature: Signature
    case: Case
    result: Result
    count: int = 1
    repeats: bool = True


class Faults:
    """The faults that are known so far.

    As in the summary of a run, few deviations are to explain all failures: a failure is of a known
    fault if one deviation explains both, and then no other is left to explain the fault.
    """

    def __init__(self) -> None:
        self._known: list[Fault] = []

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._known)

    def add(self, fault: Fault) -> None:
        """Note a new fault."""
        self._known.append(fault)

    @property
    def explanations(self) -> frozenset[str]:
        """All deviations that may be behind a known fault."""
        return frozenset().union(*(fault.signature.diagnosis for fault in self._known))

    def covers(self, failure: Signature, *, explained: bool = False) -> bool:
        """Whether a failure is of a known fault, which then counts it.

        Args:
            failure: The failure.
            explained: Whether only what explains both is to count, since not all was tried.
        """
        for fault in self._known:
            known = fault.signature
            common = known.diagnosis & failure.diagnosis
            is_same = bool(common) or (
                known.diagnosis == failure.diagnosis and (not explained or bool(failure.subject))
            )
            if known.is_like(failure) and is_same:
                fault.signature = replace(known, diagnosis=common)
                fault.count += 1
                return True
        return False
