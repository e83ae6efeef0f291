"""What is remembered of an expression is what it says of the call at hand.

The calls are those that generation judges: plain ones and every change of them, with the contents
that are planned for them, and those of the suite's cases with their values. Judged in one process,
they meet what was remembered of one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from emitted import EmittedSuite

from onnx_cts_generator.bases import bases, bases_of_types
from onnx_cts_generator.factors import factors_of
from onnx_cts_generator.mutations import mutations
from onnx_cts_harness import open_suite
from onnx_cts_harness.diagnosis import loaded_situation
from onnx_cts_reference.model_calls import ModelCallError
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Call, Spec, UndefinedError, all_specs
from onnx_cts_specs.evaluator import Evaluator
from onnx_cts_specs.judge import evaluator

NAMES = [f"{spec.operator} {spec.since_version}" for spec in all_specs()]


def expressions(spec: Spec) -> list[str]:
    """Every expression of a spec that is evaluated."""
    found = [granularity.when for granularity in spec.granularities]
    found += [text for rule in spec.rules for text in (rule.when, rule.require)]
    found += [question.when for question in spec.open_questions]
    found += [reading.when for reading in spec.readings]
    found += [term.value for term in spec.terms]
    found += [text for output in spec.outputs for text in (output.dtype, output.shape)]
    return [text for text in found if text]


def planned_calls(spec: Spec) -> Iterator[Call]:
    """Plain calls of a spec, and all that is one change away from them."""
    factors = factors_of(spec)
    for base in (*bases(spec, factors), *bases_of_types(spec, factors)):
        yield base.plan.call
        yield from (call for _, call in mutations(spec, base.plan.call))


def calls_of(folder: Path) -> Iterator[tuple[Spec, Call]]:
    """The calls of a suite's cases of a node, with their values."""
    suite = open_suite(folder)
    for entry in suite.entries.values():
        try:
            at = loaded_situation(suite.load(entry))
        except ModelCallError:
            continue
        arrays = {
            formal.name: array
            for formal, array in zip(at.spec.inputs, at.inputs, strict=False)
            if array is not None
        }
        yield at.spec, call_from(arrays, at.given)


def answer(evaluate: Any, expression: str) -> object:
    """The value of an expression with its type, or why there is none."""
    try:
        value = evaluate(expression)
    except UndefinedError as reason:
        return str(reason)
    return type(value), value


def same(spec: Spec, call: Call) -> bool:
    """Whether each expression has the value that simpleeval gives."""
    known, fresh = evaluator(spec, call), evaluator(spec, call)
    return all(
        answer(known.value, text) == answer(fresh._evaluated, text) for text in expressions(spec)
    )


@pytest.mark.parametrize("spec", all_specs(), ids=NAMES)
def test_each_expression_has_its_value_for_each_planned_call(spec: Spec) -> None:
    judged = 0
    for call in planned_calls(spec):
        assert same(spec, call), call
        judged += 1
    assert judged > 30


def test_each_expression_has_its_value_for_each_call_of_the_suite(suite: EmittedSuite) -> None:
    judged = 0
    for spec, call in calls_of(suite.folder):
        assert same(spec, call), call
        judged += 1
    assert judged > 2000


def test_most_values_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    evaluated = Evaluator._evaluated

    def counted(self: Evaluator, expression: str) -> Any:
        asked.append(expression)
        return evaluated(self, expression)

    spec = all_specs()[-1]
    calls = list(planned_calls(spec))
    for call in calls:
        answer(evaluator(spec, call).value, spec.rules[0].require)
    monkeypatch.setattr(Evaluator, "_evaluated", counted)
    for call in calls:
        answer(evaluator(spec, call).value, spec.rules[0].require)
    assert asked == []
