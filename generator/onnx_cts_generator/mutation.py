"""How well a suite tells right implementations from wrong ones: its score against deviations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from onnx_cts_generator.errors import GenerateError
from onnx_cts_harness import Verdict, open_suite
from onnx_cts_harness.diagnosis import loaded_situation, outcome_of
from onnx_cts_harness.outcome import Outcome, Outputs
from onnx_cts_harness.verify import verify
from onnx_cts_reference.deviations.catalog import Deviation, catalogue, right
from onnx_cts_reference.deviations.steps import Situation, situation
from onnx_cts_reference.formats import Array
from onnx_cts_reference.model_calls import ModelCallError, call_of
from onnx_cts_specs import Spec, all_specs

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnx.backend.test.case.test_case import TestCase


PASSED = frozenset({Verdict.EXACT, Verdict.PERMITTED, Verdict.REJECTED, Verdict.OPEN})


@dataclass(frozen=True)
class Trial:
    """One case, ready to be run by implementations.

    Attributes:
        name: The case.
        version: The version of the operator.
        at: Its call.
        passes: Whether an outcome passes the case.
    """

    name: str
    version: int
    at: Situation
    passes: Callable[[Outcome], bool]


@dataclass(frozen=True)
class Finding:
    """What a suite shows of one deviation.

    Attributes:
        deviation: The deviation.
        caught: For each version the first case that it fails, None where it passes all.
    """

    deviation: Deviation
    caught: Mapping[int, str | None]

    @property
    def first(self) -> str | None:
        """The first case of any version that catches the deviation."""
        return next((case for case in self.caught.values() if case), None)


def score(operator: str, trials: Sequence[Trial]) -> Iterator[Finding]:
    """Run every deviation of an operator on cases, and say which case catches it first.

    Raises:
        GenerateError: A right implementation fails a case: the score would mean nothing.
    """
    spec = newest(operator)
    versions = list(dict.fromkeys(trial.version for trial in trials))
    answers = {trial.name: outcome_of(right(spec), trial.at) for trial in trials}
    for trial in trials:
        if not trial.passes(answers[trial.name]):
            raise GenerateError(
                f"{trial.name}: a right implementation fails it; the case or the reference is at "
                "fault, and must be mended first"
            )
    for deviation in catalogue(operator, spec.domain):
        caught: dict[int, str | None] = dict.fromkeys(versions)
        for trial in trials:
            if caught[trial.version] is None:
                outcome = outcome_of(deviation.make, trial.at)
                if outcome != answers[trial.name] and not trial.passes(outcome):
                    caught[trial.version] = trial.name
        yield Finding(deviation, caught)


def newest(operator: str) -> Spec:
    """The spec of the newest version of an operator.

    Raises:
        GenerateError: There is none.
    """
    specs = [spec for spec in all_specs() if spec.operator == operator]
    if not specs:
        known = ", ".join(sorted({spec.operator for spec in all_specs()}))
        raise GenerateError(f"there is no spec for operator {operator}; there are: {known}")
    return specs[-1]


def suite_trials(operator: str, suite: Path) -> list[Trial]:
    """The cases of an operator in a suite on disk."""
    opened = open_suite(suite)
    trials = []
    for entry in opened.select([operator]):
        loaded = opened.load(entry)
        try:
            at = loaded_situation(loaded)
        except ModelCallError:
            # A function body in place of its node is for other operators to compute.
            continue

        def passes(outcome: Outcome, entry=entry, loaded=loaded) -> bool:  # type: ignore[no-untyped-def]
            return verify(entry, loaded, outcome).verdict in PASSED

        trials.append(Trial(entry.id, entry.version, at, passes))
    return trials


def official_trials(operator: str) -> list[Trial]:
    """ONNX's own node cases of an operator, judged as its runner does: by its tolerance."""
    return [
        Trial(test.name, at.spec.since_version, at, _official_judge(test.rtol, test.atol, outputs))
        for test in _official_cases(operator)
        for inputs, outputs in test.data_sets or ()
        if test.model
        for at in [_official_situation(test.model, inputs)]
    ]


def _official_cases(operator: str) -> Iterable[TestCase]:
    import warnings

    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        every = collect_testcases(None)
    return (t for t in every if t.model and [n.op_type for n in t.model.graph.node] == [operator])


def _official_array(value: object) -> Array:
    from onnx import TensorProto, numpy_helper

    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else np.asarray(value)


def _official_situation(model: ModelProto, inputs: Sequence[object]) -> Situation:
    names = [i.name for i in model.graph.input]
    feeds = dict(zip(names, map(_official_array, inputs), strict=True))
    call = call_of(model, feeds, {})
    return situation(call.spec, call.inputs, call.attributes)


def _official_judge(
    rtol: float, atol: float, outputs: Sequence[object]
) -> Callable[[Outcome], bool]:
    wanted = [_official_array(y) for y in outputs]

    def passes(outcome: Outcome) -> bool:
        if not isinstance(outcome, Outputs) or len(outcome.tensors) != len(wanted):
            return False
        got = [t.array for t in outcome.tensors]
        return all(
            a.dtype == b.dtype
            and a.shape == b.shape
            and np.allclose(
                a.astype(np.float64), b.astype(np.float64), rtol=rtol, atol=atol, equal_nan=True
            )
            for a, b in zip(got, wanted, strict=True)
        )

    return passes
