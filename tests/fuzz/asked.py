"""Implementations that run in this process in place of a backend."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace

from onnx_cts_generator.case import Case
from onnx_cts_generator.fuzz.searching import Ask
from onnx_cts_generator.judged import loaded_case
from onnx_cts_harness.diagnosis import diagnosed, loaded_situation, outcome_of
from onnx_cts_harness.outcome import Outcome, Outputs
from onnx_cts_harness.verify import Result, verify
from onnx_cts_reference.deviations.catalog import catalogue, right
from onnx_cts_reference.deviations.steps import Implementation, Situation

Make = Callable[[Situation], Implementation]


def judged(
    case: Case, does: Callable[[Situation], Outcome], among: Container[str] | None = None
) -> Result:
    """What a case shows on something, diagnosed as failures of backends are."""
    plain = replace(case, presentation=replace(case.presentation, expanded=False))
    entry, loaded = loaded_case(plain)
    outcome = does(loaded_situation(loaded))
    result = verify(entry, loaded, outcome)
    if result.verdict.is_failure and isinstance(outcome, Outputs):
        return replace(result, diagnosis=diagnosed(loaded, outcome.tensors, among))
    return result


def deviation(operator: str, name: str) -> Make:
    return next(d.make for d in catalogue(operator) if d.name == name)


def asking(*makes: Make) -> Ask:
    """Runs the first implementation that does otherwise than a right one."""

    def does(at: Situation) -> Outcome:
        answer = outcome_of(right(at.spec), at)
        outcomes = (outcome_of(make, at) for make in makes)
        return next((outcome for outcome in outcomes if outcome != answer), answer)

    return lambda case, among: judged(case, does, among)
