"""Judge what a backend did with a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from onnx_cts_harness import layout
from onnx_cts_harness.case import Expectation, Expected, LoadedCase, Tolerance
from onnx_cts_harness.compare import Difference, difference, digest, is_exact, is_same
from onnx_cts_harness.outcome import (
    Broken,
    Crashed,
    NotRunnable,
    Outcome,
    Outputs,
    Refused,
    TimedOut,
)
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.tensor import Tensor
from onnx_cts_harness.tolerance import beyond
from onnx_cts_harness.verdicts import Verdict

#: The reading of an open case whose backend took none of those that the case names.
OTHER = "other"
#: The stage of a refusal by what converts a model, before a backend gets it.
CONVERT = "convert"


@dataclass(frozen=True)
class Conversion:
    """How the model of a case was converted before the backend got it.

    Attributes:
        source: The opset of the model in the suite.
        target: The opset that it was converted to.
        fault: What is wrong with the converted model; "" where nothing is known to be.
    """

    source: int
    target: int
    fault: str = ""


@dataclass(frozen=True)
class Result:
    """What one case showed on one backend.

    Attributes:
        case: The case's id.
        domain: Operator domain; "" is ai.onnx.
        operator: Operator name.
        version: The opset that introduced the operator's version.
        expectation: What had to happen.
        verdict: What happened, judged.
        dtypes: Element type of each input and output by name; empty if the case is unreadable.
        rule: The rules broken (reject) or the questions asked (open).
        stage: Where the backend refused the model, if it did.
        refusal: What kind of refusal that is by the adapter's rules; "" where none fits.
        presented: Graph inputs that the backend was given as initializers, since it cannot be fed
            them otherwise.
        reading: The reading taken: of an open case only.
        output: Name of the output that ``difference`` is about.
        difference: The worst element: with ``wrong_value`` only.
        diagnosis: Names of the deviations that give the wrong outputs exactly, none if no known one
            does; None where nothing was diagnosed.
        message: What was said, in one line; "" where the verdict says it all.
        judged_by: What judged a case that came with no bounds: ``reference`` or ``tolerance``.
        disagreement: How the outputs that came with such a case differ from the reference's.
        presents: The case that has the same node in another presentation; "" for none.
        answer: Type, shape and digest of the outputs, the same for any NaN; "" where it gave none.
        stderr: Last lines on standard error before a crash or a time-out.
        converted: How the model was converted; None for a model as it is.
    """

    case: str
    domain: str
    operator: str
    version: int
    expectation: Expectation
    verdict: Verdict
    dtypes: Mapping[str, str] = field(default_factory=dict)
    rule: str = ""
    stage: str = ""
    refusal: str = ""
    presented: tuple[str, ...] = ()
    reading: str = ""
    output: str = ""
    difference: Difference | None = None
    diagnosis: tuple[str, ...] | None = None
    message: str = ""
    stderr: tuple[str, ...] = ()
    presents: str = ""
    answer: str = ""
    judged_by: str = ""
    disagreement: str = ""
    converted: Conversion | None = None

    @property
    def qualified_operator(self) -> str:
        """The operator, with its domain if that is not ONNX's own."""
        return f"{self.domain}.{self.operator}" if self.domain else self.operator


def harness_error(entry: CaseEntry, message: str) -> Result:
    """The result of a case that could not be run or judged through no fault of the backend."""
    return _result(entry, message=message)


def not_runnable(entry: CaseEntry, message: str) -> Result:
    """The result of a case that no backend can be fed or read in."""
    return _result(entry, verdict=Verdict.NOT_RUNNABLE, message=message)


def verify(entry: CaseEntry, loaded: LoadedCase, outcome: Outcome) -> Result:
    """Judge an outcome by what the case expects."""
    tensors = outcome.tensors if isinstance(outcome, Outputs) else ()
    blank = unjudged(entry, loaded, " ".join(map(digest, tensors)))
    if isinstance(outcome, Outputs):
        try:
            return _JUDGES[loaded.case.expectation](blank, loaded, tensors)
        except ValueError as error:
            message = f"the adapter returned an output that cannot be read: {error}"
            return replace(blank, message=message)
    if isinstance(outcome, Refused):
        return _refused(blank, outcome)
    return _not_answered(blank, outcome)


def unjudged(entry: CaseEntry, loaded: LoadedCase, answer: str = "") -> Result:
    """The result of a case of which nothing is known yet but, maybe, what the backend gave."""
    case = loaded.case
    return _result(
        entry,
        expectation=case.expectation,
        dtypes=case.dtypes,
        presents=case.presents,
        judged_by=loaded.judged_by,
        disagreement=loaded.disagreement,
        rule="" if case.expectation == "value" else ", ".join(case.rules),
        answer=answer,
    )


def _result(entry: CaseEntry, **known: Any) -> Result:
    assumed = {"expectation": entry.expectation, "verdict": Verdict.HARNESS_ERROR}
    return Result(entry.id, entry.domain, entry.operator, entry.version, **(assumed | known))


def _not_answered(blank: Result, outcome: NotRunnable | Crashed | TimedOut | Broken) -> Result:
    match outcome:
        case NotRunnable(reason):
            return replace(blank, verdict=Verdict.NOT_RUNNABLE, message=reason)
        case Crashed(how, stderr):
            return replace(blank, verdict=Verdict.CRASHED, message=how, stderr=stderr)
        case TimedOut(seconds, stderr):
            message = f"no answer within {seconds:g} s"
            return replace(blank, verdict=Verdict.TIMED_OUT, message=message, stderr=stderr)
        case Broken(message):
            return replace(blank, message=message)


def _refused(blank: Result, refused: Refused) -> Result:
    verdicts = {"value": Verdict.REFUSED, "reject": Verdict.REJECTED, "open": Verdict.OPEN}
    return replace(
        blank,
        verdict=verdicts[blank.expectation],
        stage=refused.stage,
        refusal=refused.kind,
        reading=layout.REFUSED if blank.expectation == "open" else "",
        message=f"{refused.error}: {refused.message}" if refused.message else refused.error,
    )


def _judge_value(blank: Result, loaded: LoadedCase, tensors: tuple[Tensor, ...]) -> Result:
    names, expected = loaded.case.outputs, loaded.expected
    if len(tensors) != len(expected):
        message = f"expected {len(expected)} outputs, got {len(tensors)}"
        return replace(blank, verdict=Verdict.WRONG_SHAPE, message=message)
    judged = [
        (_judge_output(blank, want, got, loaded.tolerance), name)
        for name, want, got in zip(names, expected, tensors, strict=True)
    ]
    severity = list(Verdict)
    worst, name = max(judged, key=lambda pair: severity.index(pair[0].verdict))
    return replace(worst, output=name) if worst.verdict.is_failure else worst


def _judge_output(
    blank: Result, expected: Expected, got: Tensor, tolerance: Tolerance | None
) -> Result:
    value = expected.value
    if (got.code, got.shape) != (value.code, value.shape):
        wrong = Verdict.WRONG_TYPE if got.code != value.code else Verdict.WRONG_SHAPE
        return replace(blank, verdict=wrong, message=f"expected {value}, got {got}")
    if tolerance is not None:
        return _judge_near(blank, value, got, tolerance)
    if is_exact(value, got):
        return replace(blank, verdict=Verdict.EXACT)
    worst = difference(expected, got)
    if worst is None:
        return replace(blank, verdict=Verdict.PERMITTED)
    return replace(blank, verdict=Verdict.WRONG_VALUE, difference=worst)


def _judge_near(blank: Result, value: Tensor, got: Tensor, tolerance: Tolerance) -> Result:
    distant = beyond(value, got, tolerance)
    if distant is not None:
        return replace(
            blank, verdict=Verdict.WRONG_VALUE, difference=distant.worst, message=distant.said
        )
    same = got.data == value.data
    return replace(blank, verdict=Verdict.EXACT if same else Verdict.PERMITTED)


def _judge_reject(blank: Result, _loaded: LoadedCase, tensors: tuple[Tensor, ...]) -> Result:
    got = ", ".join(map(str, tensors)) or "no outputs"
    message = f"expected a refusal, got {got}"
    return replace(blank, verdict=Verdict.ACCEPTED_INVALID, message=message)


def _judge_open(blank: Result, loaded: LoadedCase, tensors: tuple[Tensor, ...]) -> Result:
    for reading, outputs in loaded.readings.items():
        if len(outputs) == len(tensors) and all(map(is_same, outputs, tensors)):
            return replace(blank, verdict=Verdict.OPEN, reading=reading)
    return replace(blank, verdict=Verdict.OPEN, reading=OTHER)


_JUDGES = {"value": _judge_value, "reject": _judge_reject, "open": _judge_open}
