"""ONNX's own node cases of DequantizeLinear."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from dequantize_calls import dequantize
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case import node as node_cases
from onnx.backend.test.case.node import dequantizelinear

from onnx_cts_reference import OpenQuestionError

# Importing the module of the operator collects its cases, and no others.
CASES = {
    case.name: case
    for case in node_cases._NodeTestCases
    if case.model.graph.node[0].op_type == dequantizelinear.DequantizeLinear.__name__
}
ONE_ELEMENT_ZERO_POINT = {
    f"test_dequantizelinear_{name}"
    for name in ("e4m3fn_zero_point", "uint4", "int4", "uint2", "int2", "float4e2m1")
}


def as_array(value: Any) -> np.ndarray:
    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else np.asarray(value)


@pytest.fixture(params=sorted(CASES))
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def call(name: str) -> Callable[..., np.ndarray]:
    """Evaluates the case's node, under the reading given."""
    (node,) = CASES[name].model.graph.node
    ((inputs, _),) = CASES[name].data_sets
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    arrays = [as_array(i) for i in inputs]
    return lambda reading=None: dequantize(28, *arrays, reading=reading, **attributes)


def test_there_are_fourteen() -> None:
    assert len(CASES) == 14
    assert set(CASES) > ONE_ELEMENT_ZERO_POINT


def test_a_case_gives_its_expected_output(name: str, call: Callable[..., Any]) -> None:
    ((_, (output,)),) = CASES[name].data_sets
    reading = "per-tensor" if name in ONE_ELEMENT_ZERO_POINT else None
    expected = call(reading)
    np.testing.assert_array_equal(expected.value, as_array(output), strict=True)
    assert expected.is_single


def test_a_zero_point_of_one_element_beside_a_scalar_is_open(
    name: str, call: Callable[..., Any]
) -> None:
    if name in ONE_ELEMENT_ZERO_POINT:
        with pytest.raises(OpenQuestionError) as caught:
            call()
        assert caught.value.question == "scalar-beside-one-element"
        assert caught.value.readings == ("per-tensor", "refused")
    else:
        assert call().value.size
