"""ONNX's ReferenceEvaluator with the operators of the reference, on the checked-in suite."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from onnx_cts_harness import Suite, open_suite
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.compare import difference, is_exact
from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference import BrokenRuleError, ops
from onnx_cts_specs import Spec, all_specs

SUITE = Path(__file__).parents[2] / "generated_tests"


@pytest.fixture(scope="module")
def suite() -> Suite:
    return open_suite(SUITE)


def entries(suite: Suite, spec: Spec, expectation: str) -> list[CaseEntry]:
    """The cases of an operator version that expect this."""
    chosen = suite.select((spec.operator,), (spec.since_version,))
    return [entry for entry in chosen if entry.expectation == expectation]


def answers(case: LoadedCase) -> list[Tensor]:
    """What the evaluator gives; external data is read from the checked-in folder."""
    model = onnx.load(SUITE / case.case.id / "model.onnx")
    evaluator = ReferenceEvaluator(model, new_ops=ops())
    arrays = (tensor.array for tensor in case.inputs)
    outputs = evaluator.run(None, dict(zip(case.case.inputs, arrays, strict=True)))
    return [tensor_of(output) for output in outputs]


def is_one_node(case: LoadedCase) -> bool:
    """Whether the operator computes, and not its function body, each step of which rounds."""
    return "form:function-body" not in case.case.features


def is_answered(expected: tuple[Tensor, ...], got: list[Tensor]) -> bool:
    return all(is_exact(want, have) for want, have in zip(expected, got, strict=True))


every_version = pytest.mark.parametrize(
    "spec", all_specs(), ids=lambda spec: f"{spec.operator}-{spec.since_version}"
)


@every_version
def test_every_value_case_is_exact(suite: Suite, spec: Spec) -> None:
    chosen = entries(suite, spec, "value")
    assert chosen
    loaded = {entry.id: suite.load(entry) for entry in chosen}
    wrong = [
        name
        for name, case in loaded.items()
        if is_one_node(case)
        and not is_answered(tuple(e.value for e in case.expected), answers(case))
    ]
    assert wrong == []


def test_every_function_body_gives_what_is_permitted(suite: Suite) -> None:
    chosen = [e for spec in all_specs() for e in entries(suite, spec, "value")]
    bodies = [case for case in map(suite.load, chosen) if not is_one_node(case)]
    assert bodies
    for case in bodies:
        for expected, got in zip(case.expected, answers(case), strict=True):
            assert difference(expected, got) is None, case.case.id


@every_version
def test_every_reject_case_is_refused_by_the_name_of_its_rule(suite: Suite, spec: Spec) -> None:
    chosen = entries(suite, spec, "reject")
    assert chosen
    for entry in chosen:
        case = suite.load(entry)
        with pytest.raises(BrokenRuleError) as caught:
            answers(case)
        assert caught.value.rules == case.case.rules


@every_version
def test_every_open_case_has_its_first_reading_that_computes(suite: Suite, spec: Spec) -> None:
    opened = [suite.load(entry) for entry in entries(suite, spec, "open")]
    loaded = {case.case.id: case for case in opened if is_one_node(case)}
    told = {n: is_answered(next(iter(c.readings.values())), answers(c)) for n, c in loaded.items()}
    assert told
    assert Counter(told.values()) == {True: len(told)}
