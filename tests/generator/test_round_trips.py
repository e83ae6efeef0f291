"""Models of two nodes: one quantizes what the other dequantizes, or the reverse."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from emitted import EmittedCase, EmittedSuite
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from onnx_cts_specs import spec_for, versions

Array = NDArray[Any]
BOTH = ("QuantizeLinear", "DequantizeLinear")


def chained(suite: EmittedSuite, operator: str) -> list[EmittedCase]:
    return [case for case in suite.about(operator).every if case.is_chained]


def tensors(case: EmittedCase) -> dict[str, Array]:
    """The inputs of the first node by name."""
    found = {t.name: numpy_helper.to_array(t) for t in case.model.graph.initializer}
    for index, given in enumerate(case.model.graph.input):
        found[given.name] = numpy_helper.to_array(case.proto(f"test_data_set_0/input_{index}.pb"))
    return found


def spread(case: EmittedCase, parameter: Array, shape: tuple[int, ...]) -> Array:
    if parameter.ndim == 0:
        return parameter
    node = case.model.graph.node[0]
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    axis = attributes.get("axis", 1)
    if case.document["granularity"] == "blocked":
        blocks = np.repeat(parameter, attributes["block_size"], axis=axis)
        return blocks.take(range(shape[axis]), axis=axis)
    return parameter.reshape(-1, *[1] * (len(shape) - axis % len(shape) - 1))


def test_each_granularity_of_each_version_quantizes_and_dequantizes(suite: EmittedSuite) -> None:
    found = {(c.version, c.document["granularity"]) for c in chained(suite, "QuantizeLinear")}
    assert found == {
        (version, granularity.name)
        for version in versions("QuantizeLinear")
        for granularity in spec_for("QuantizeLinear", version).granularities
    }


def test_each_version_dequantizes_and_quantizes_again_in_every_granularity(
    suite: EmittedSuite,
) -> None:
    cases = chained(suite, "DequantizeLinear")
    assert [c.version for c in cases] == sorted(versions("DequantizeLinear"))
    assert {c.document["granularity"] for c in cases} == {"per-tensor", "per-axis", "blocked"}


@pytest.mark.parametrize("operator", BOTH)
def test_the_second_node_takes_what_the_first_gives_and_the_same_parameters(
    suite: EmittedSuite, operator: str
) -> None:
    for case in chained(suite, operator):
        first, second = case.model.graph.node
        assert [first.op_type, second.op_type] == [operator, *(set(BOTH) - {operator})]
        assert second.input[0] == first.output[0]
        assert second.input[1:] == first.input[1:]
        assert [o.name for o in case.model.graph.output] == list(second.output)
        assert case.model.graph.initializer, "an optimizer folds constants alone"
        onnx.checker.check_model(case.model, full_check=True)


def test_data_that_is_dequantized_and_quantized_again_is_what_it_was(suite: EmittedSuite) -> None:
    for case in chained(suite, "DequantizeLinear"):
        given = case.tensor("test_data_set_0/input_0.pb")
        assert (case.tensor("test_data_set_0/output_0.pb").codes == given.codes).all()


def test_data_that_is_quantized_and_dequantized_is_the_nearest_step_of_the_scale(
    suite: EmittedSuite,
) -> None:
    for case in chained(suite, "QuantizeLinear"):
        given = tensors(case)
        limits = np.iinfo(given["y_zero_point"].dtype)
        x = given["x"].astype(np.float64)
        scale, zero_point = (
            spread(case, given[name].astype(np.float64), x.shape)
            for name in ("y_scale", "y_zero_point")
        )
        codes = np.clip(np.rint(x / scale) + zero_point, limits.min, limits.max)
        wanted = ((codes - zero_point) * scale).astype(np.float32)
        y = numpy_helper.to_array(case.proto("test_data_set_0/output_0.pb"))
        np.testing.assert_array_equal(y, wanted)
