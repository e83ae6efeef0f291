"""ONNX's own node cases of QuantizeLinear and DynamicQuantizeLinear."""

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case import node as node_cases
from onnx.backend.test.case.node import dynamicquantizelinear, quantizelinear

from onnx_cts_reference import Expected, OpenQuestionError, evaluate

OPERATORS = (
    quantizelinear.QuantizeLinear.__name__,
    dynamicquantizelinear.DynamicQuantizeLinear.__name__,
)
# Importing the modules of the operators collects their cases, and no others of theirs.
CASES = {
    case.name: case
    for case in node_cases._NodeTestCases
    if case.model.graph.node[0].op_type in OPERATORS
}
ONE_ELEMENT_ZERO_POINT = {"test_quantizelinear_e4m3fn", "test_quantizelinear_e5m2"}
SINCE = {"QuantizeLinear": 28, "DynamicQuantizeLinear": 11}


def as_array(value: Any) -> np.ndarray:
    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else np.asarray(value)


def call(name: str, reading: str | None = None) -> tuple[Expected, ...]:
    """Evaluates the case's node, under the reading given."""
    (node,) = CASES[name].model.graph.node
    ((inputs, _),) = CASES[name].data_sets
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    arrays = [as_array(i) for i in inputs]
    return evaluate(node.op_type, SINCE[node.op_type], arrays, attributes, reading=reading)


def test_there_are_thirteen_and_three() -> None:
    operators = [case.model.graph.node[0].op_type for case in CASES.values()]
    assert [operators.count(operator) for operator in OPERATORS] == [13, 3]
    assert set(CASES) > ONE_ELEMENT_ZERO_POINT


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_case_gives_its_expected_outputs(name: str) -> None:
    ((_, outputs),) = CASES[name].data_sets
    reading = "per-tensor" if name in ONE_ELEMENT_ZERO_POINT else None
    for expected, output in zip(call(name, reading), outputs, strict=True):
        np.testing.assert_array_equal(expected.value, as_array(output), strict=True)


@pytest.mark.parametrize("name", sorted(ONE_ELEMENT_ZERO_POINT))
def test_a_zero_point_of_one_element_beside_a_scalar_is_open(name: str) -> None:
    with pytest.raises(OpenQuestionError) as caught:
        call(name)
    assert caught.value.question == "scalar-beside-one-element"
    assert caught.value.readings == ("per-tensor", "refused")
