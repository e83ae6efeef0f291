"""Count what results show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result

K = TypeVar("K")

#: The columns of the table of counts: the verdicts that each of them counts.
COLUMNS: Mapping[str, tuple[Verdict, ...]] = {
    "exact": (Verdict.EXACT,),
    "permitted": (Verdict.PERMITTED,),
    "rejected": (Verdict.REJECTED,),
    "open": (Verdict.OPEN,),
    "refused": (Verdict.REFUSED,),
    "not runnable": (Verdict.NOT_RUNNABLE,),
    "wrong": (Verdict.WRONG_VALUE, Verdict.WRONG_SHAPE, Verdict.WRONG_TYPE),
    "accepted invalid": (Verdict.ACCEPTED_INVALID,),
    "crashed": (Verdict.CRASHED,),
    "timed out": (Verdict.TIMED_OUT,),
    "harness error": (Verdict.HARNESS_ERROR,),
}
#: What conforms; an open case is neither right nor wrong.
RIGHT = (Verdict.EXACT, Verdict.PERMITTED, Verdict.REJECTED)


@dataclass(frozen=True)
class Tally:
    """How many cases have which verdict."""

    verdicts: Counter[Verdict]

    @property
    def total(self) -> int:
        """Number of cases."""
        return self.verdicts.total()

    @property
    def right(self) -> int:
        """Number of those that the backend did as the standard says."""
        return sum(self.verdicts[verdict] for verdict in RIGHT)

    @property
    def failed(self) -> int:
        """Number of those in which the backend is at fault."""
        return sum(count for verdict, count in self.verdicts.items() if verdict.is_failure)

    @property
    def unsupported(self) -> int:
        """Number of valid models that were not run."""
        return sum(count for verdict, count in self.verdicts.items() if verdict.is_unsupported)

    @property
    def open(self) -> int:
        """Number of those that the standard leaves open."""
        return self.verdicts[Verdict.OPEN]

    @property
    def errors(self) -> int:
        """Number of those that say nothing of the backend."""
        return self.verdicts[Verdict.HARNESS_ERROR]

    @property
    def columns(self) -> dict[str, int]:
        """The counts by column of a table."""
        return {name: sum(self.verdicts[v] for v in of) for name, of in COLUMNS.items()}

    @property
    def named(self) -> dict[str, int]:
        """The counts by name, in the order of the verdicts, without those that are 0."""
        return {
            str(verdict): self.verdicts[verdict] for verdict in Verdict if self.verdicts[verdict]
        }


def cases(count: int) -> str:
    """A number of cases, in words."""
    return f"{count} case" if count == 1 else f"{count} cases"


def tally(results: Iterable[Result]) -> Tally:
    """The counts of some results."""
    return Tally(Counter(result.verdict for result in results))


def by_operator(results: Iterable[Result]) -> dict[str, Tally]:
    """The counts by operator, in the order of the results."""
    return _grouped(results, lambda result: result.qualified_operator)


def by_version(results: Iterable[Result]) -> dict[tuple[str, int], Tally]:
    """The counts by operator and version, in the order of the results."""
    return _grouped(results, lambda result: (result.qualified_operator, result.version))


def _grouped(results: Iterable[Result], key: Callable[[Result], K]) -> dict[K, Tally]:
    groups: dict[K, list[Result]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return {value: tally(group) for value, group in groups.items()}


def readings(results: Iterable[Result]) -> dict[str, dict[str, int]]:
    """For each open question how many cases took which reading, both by name."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        if result.verdict is Verdict.OPEN:
            counts.setdefault(result.rule or "?", Counter())[result.reading] += 1
    return {question: dict(sorted(taken.items())) for question, taken in sorted(counts.items())}
