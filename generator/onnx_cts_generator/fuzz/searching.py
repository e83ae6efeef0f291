"""Hypothesis's engine at work: examples of a spec until one fails in a new way, then less of it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from hypothesis import Phase, Verbosity, find, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, NoSuchExample

from onnx_cts_generator.case import Case, Shape
from onnx_cts_generator.emit import case_document
from onnx_cts_generator.fuzz.faults import Fault, Faults, Signature, signature
from onnx_cts_generator.fuzz.naming import named_case
from onnx_cts_generator.strategies import models
from onnx_cts_generator.strategies.smaller import one_element, smaller_cases
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result
from onnx_cts_specs import Spec

Ask = Callable[[Case, Container[str] | None], Result]
"""Runs a case and judges what came; a diagnosis tries the deviations of these names, or all."""

EXAMPLES = 100
"""Examples of a spec before it is the turn of the next."""
MOST_SHRINKING = 30.0
"""Seconds after which the smallest failing example so far will do."""


class _StopError(BaseException):
    """Ends a search; no Exception, which Hypothesis would take for a failing example."""


@dataclass
class Search:
    """A search for faults of a backend.

    Attributes:
        ask: Runs and judges a case.
        seen: Told of each result that is not of shrinking.
        seed: What the examples follow from, with the specs.
        clock: Gives seconds.
    """

    ask: Ask
    seen: Callable[[Result], None] = lambda _result: None
    seed: int = 0
    clock: Callable[[], float] = time.monotonic
    faults: Faults = field(default_factory=Faults)

    def run(self, specs: Sequence[Spec], seconds: float) -> Iterator[Fault]:
        """Faults as they are found, each once, the specs by turns until the time is over.

        Args:
            specs: The specs.
            seconds: The time for finding; the last fault may take longer to be shrunk.
        """
        until = self.clock() + seconds
        turn = 0
        while self.clock() < until:
            for spec in specs:
                yield from self.turn(spec, turn, until)
            turn += 1

    def turn(
        self, spec: Spec, turn: int, until: float = float("inf"), examples: int = EXAMPLES
    ) -> Iterator[Fault]:
        """The faults that some examples of a spec show.

        Args:
            spec: The spec.
            turn: Each turn has other examples.
            until: When to stop.
            examples: The most examples; after each fault they begin anew.
        """
        number = 0
        while self.clock() < until:
            name = f"{self.seed} {spec.operator} {spec.since_version} {turn} {number}"
            source = random.Random(name)  # noqa: S311 - nothing is secret
            fault = self._next(spec, source, until, examples)
            if fault is None:
                return
            self.faults.add(fault)
            yield fault
            number += 1

    def _next(self, spec: Spec, source: random.Random, until: float, examples: int) -> Fault | None:
        hunt = _Hunt(self, until)
        entropy = source.getrandbits(64)
        repeats = hunt.follow(models(spec), entropy, examples, shrinking=False)
        if hunt.smallest is None or hunt.wanted is None:
            return None
        if repeats and not hunt.is_over:
            first = hunt.smallest
            if first[0].expectation == "value":
                repeats &= hunt.follow(_parts(*first), entropy, EXAMPLES, shrinking=True)
            if hunt.smallest is first:
                # Nothing but the whole shows it, or there are no values that matter.
                repeats &= hunt.follow(models(spec), entropy, examples, shrinking=True)
        case, result = hunt.smallest
        if repeats and result.verdict is not Verdict.TIMED_OUT:
            # Not all deviations were tried while it shrank.
            again = self.ask(case, None)
            repeats &= again.verdict is result.verdict
            result = again if again.verdict is result.verdict else result
        named = named_case(case, result)
        result = replace(result, case=str(case_document(named)["id"]))
        return Fault(hunt.wanted, named, result, repeats=repeats)


def _parts(case: Case, result: Result) -> st.SearchStrategy[Case]:
    """The parts of a case that hold its worst element."""
    return smaller_cases(case, _worst(case, result) or (0,) * len(_data_shape(case)))


def _worst(case: Case, result: Result) -> Shape | None:
    """Where in the data of a value case the worst element of the output is, if that is there."""
    index = result.difference.index if result.difference else None
    return index if index is not None and len(index) == len(_data_shape(case)) else None


def _data_shape(case: Case) -> Shape:
    return case.node.inputs[case.node.spec.data.name].shape


class _Drawn:
    """A case that Hypothesis can print in short."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def __repr__(self) -> str:
        return self.case.name


class _Hunt:
    """The search for one new fault: when a case shows it, only smaller ones of it count."""

    def __init__(self, search: Search, until: float) -> None:
        self._search = search
        self._until = until
        self.wanted: Signature | None = None
        self._first: Signature | None = None
        self._is_shrinking = False
        self.smallest: tuple[Case, Result] | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is no time for more."""
        return self._search.clock() >= self._until

    def follow(
        self, cases: st.SearchStrategy[Case], entropy: int, examples: int, *, shrinking: bool
    ) -> bool:
        """Let Hypothesis look for the fault among cases.

        Args:
            cases: The cases.
            entropy: What the examples follow from.
            examples: The most examples before one is found.
            shrinking: Whether it looks for the simplest.

        Returns:
            Whether the backend answered a case the same way each time.
        """
        options = settings(
            max_examples=examples,
            phases=(Phase.generate, *((Phase.shrink,) if shrinking else ())),
            database=None,
            deadline=None,
            verbosity=Verbosity.quiet,
        )
        self._is_shrinking = shrinking
        source = random.Random(entropy)  # noqa: S311 - nothing is secret
        try:
            find(
                cases.map(_Drawn),
                lambda drawn: self._shows(drawn.case),
                settings=options,
                random=source,
            )
        except NoSuchExample:
            pass
        except _StopError as stop:
            if stop.__cause__:
                raise stop.__cause__ from None
        except Flaky:
            return False
        return True

    def _shows(self, case: Case) -> bool:
        """Whether a case shows the fault."""
        search = self._search
        if self.is_over:
            raise _StopError
        if self.wanted is not None:
            return self._shows_again(case, self.wanted)
        faults = search.faults
        among = faults.explanations or None
        result = self._asked(case, among)
        search.seen(result)
        if not result.verdict.is_failure or faults.covers(signature(result), explained=True):
            return False
        if among and result.diagnosis is not None:
            whole = self._asked(case, None)
            result = whole if whole.verdict.is_failure else result
        self._first = signature(result)
        case, result = self._one_element(case, result)
        found = signature(result)
        if faults.covers(found):
            return False
        self.wanted = found
        self.smallest = case, result
        self._until = search.clock() + MOST_SHRINKING
        if result.verdict is Verdict.TIMED_OUT:
            # Each smaller one would take as long.
            self._until = search.clock()
            raise _StopError
        return True

    def _shows_again(self, case: Case, wanted: Signature) -> bool:
        """Whether a case shows the fault that was found."""
        if not self._is_shrinking:
            # The very case, which Hypothesis tries a second time.
            return signature(self._asked(case, None)) == self._first
        result = self._asked(case, wanted.diagnosis or None)
        if not result.verdict.is_failure or not wanted.shown_by(signature(result)):
            return False
        self.smallest = case, result
        return True

    def _asked(self, case: Case, among: Container[str] | None) -> Result:
        try:
            return self._search.ask(case, among)
        except Exception as error:
            raise _StopError from error

    def _one_element(self, case: Case, result: Result) -> tuple[Case, Result]:
        """The case of the worst element alone, if that says as much or more of the fault.

        Several faults at once have no explanation where one of them has.
        """
        index = _worst(case, result) if case.expectation == "value" else None
        alone = one_element(case, index) if index is not None else None
        if alone is None:
            return case, result
        told = self._asked(alone, None)
        found, of_all = signature(told), signature(result)
        if found.is_like(of_all) and found.diagnosis >= of_all.diagnosis:
            return alone, replace(told, diagnosis=result.diagnosis or told.diagnosis)
        return case, result
