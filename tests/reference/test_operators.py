from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from numpy.testing import assert_array_equal
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

from onnx_cts_reference import BrokenRuleError, CallError, RefusedError, evaluate, op_class, ops
from onnx_cts_reference.evaluation import compute
from onnx_cts_reference.operators import OperatorVersion
from onnx_cts_specs import UnknownOperatorError, all_specs, spec_for

X = np.array([[-128, 0, 127], [1, 2, 3]], np.int8)
SCALES = np.array([0.5, 1, 2], np.float32)
ZERO_POINTS = np.array([1, 0, -1], np.int8)
SCALE = np.array(0.5, np.float32)
DEQUANTIZE = "DequantizeLinear"


def evaluator(nodes: list[onnx.NodeProto], opset: int, *, inputs: int = 3) -> ReferenceEvaluator:
    """A model of untyped names: ``a``, ``b``, ``c`` go in, ``y`` comes out."""
    fed = [helper.make_empty_tensor_value_info(name) for name in "abc"[:inputs]]
    out = [helper.make_empty_tensor_value_info("y")]
    graph = helper.make_graph(nodes, "test", fed, out)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    return ReferenceEvaluator(model, new_ops=ops())


def dequantize(**attributes: Any) -> onnx.NodeProto:
    return helper.make_node(DEQUANTIZE, ["a", "b", "c"], ["y"], **attributes)


def object_of(opset: int, **attributes: Any) -> OperatorVersion:
    (found,) = evaluator([dequantize(**attributes)], opset).rt_nodes_
    assert isinstance(found, OperatorVersion)
    return found


def feeds(*arrays: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    return dict(zip("abc", arrays, strict=False))


def test_there_is_a_class_for_each_operator_and_one_for_each_of_its_versions() -> None:
    classes = {cls.__name__: cls for cls in ops()}
    assert set(classes) == {spec.operator for spec in all_specs()}
    for spec in all_specs():
        version = op_class(spec.operator, spec.since_version, spec.domain)
        assert version.__name__ == f"{spec.operator}_{spec.since_version}"
        assert issubclass(version, classes[spec.operator])
        assert issubclass(version, OpRun)


@pytest.mark.parametrize(
    ("opset", "version"),
    [(10, 10), (12, 10), (13, 13), (18, 13), (19, 19), (21, 21), (22, 21), (23, 23), (28, 28)],
)
def test_the_opset_of_the_model_chooses_the_version(opset: int, version: int) -> None:
    found = object_of(opset)
    assert (found.since_version, found.op_domain) == (version, "")
    assert type(found) is op_class(DEQUANTIZE, version)


def test_an_opset_before_the_first_version_is_refused_by_name() -> None:
    with pytest.raises(UnknownOperatorError, match="DequantizeLinear has no version at opset 9"):
        object_of(9)


def test_dequantize_linear_10_runs_which_onnx_does_not_have() -> None:
    node = dequantize()
    (y,) = evaluator([node], 10).run(None, feeds(X, SCALE, np.array(1, np.int8)))
    assert_array_equal(y, (X.astype(np.float32) - 1) / 2)
    assert y.dtype == np.float32


def test_dequantize_linear_13_runs_per_axis() -> None:
    (y,) = evaluator([dequantize(axis=-1)], 13).run(None, feeds(X, SCALES, ZERO_POINTS))
    assert_array_equal(y, (X.astype(np.float32) - ZERO_POINTS) * SCALES)


def test_a_product_is_rounded_once_to_bfloat16() -> None:
    x = np.array([-105], np.int32)
    scale = np.array(1.0078125, ml_dtypes.bfloat16)
    (y,) = evaluator([helper.make_node(DEQUANTIZE, ["a", "b"], ["y"])], 19, inputs=2).run(
        None, feeds(x, scale)
    )
    (expected,) = evaluate(DEQUANTIZE, 19, [x, scale], {})
    assert_array_equal(y, expected.value)
    assert y.dtype == ml_dtypes.bfloat16


@pytest.mark.parametrize("dtype", [ml_dtypes.int4, ml_dtypes.uint2, ml_dtypes.float4_e2m1fn])
def test_arrays_of_small_types_go_in_and_come_out(dtype: type) -> None:
    nodes = [
        helper.make_node(DEQUANTIZE, ["a", "b"], ["middle"]),
        helper.make_node("QuantizeLinear", ["middle", "b", "c"], ["y"]),
    ]
    data = np.array([0, 1, 3]).astype(dtype)
    (y,) = evaluator(nodes, 25).run(None, feeds(data, SCALE, np.array(0, dtype)))
    assert y.dtype == data.dtype
    assert_array_equal(y, data)


def test_nodes_of_ours_and_of_onnx_run_in_one_model() -> None:
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["a"], ["q", "scale", "zero"]),
        helper.make_node("Transpose", ["q"], ["t"]),
        helper.make_node(DEQUANTIZE, ["t", "scale", "zero"], ["d"]),
        helper.make_node("Relu", ["d"], ["y"]),
    ]
    data = np.array([[-1, 0, 2], [1, 0.5, -0.25]], np.float32)
    (y,) = evaluator(nodes, 13, inputs=1).run(None, feeds(data))
    q, scale, zero = (e.value for e in evaluate("DynamicQuantizeLinear", 11, [data], {}))
    (expected,) = evaluate(DEQUANTIZE, 13, [q.T, scale, zero], {})
    assert_array_equal(y, np.maximum(expected.value, 0))


def test_an_input_left_out_by_an_empty_name_is_absent() -> None:
    node = helper.make_node(DEQUANTIZE, ["a", "b", ""], ["y"])
    (y,) = evaluator([node], 21, inputs=2).run(None, feeds(X, SCALE))
    assert_array_equal(y, X.astype(np.float32) / 2)


def test_a_subgraph_has_the_classes_and_the_opset_of_its_model() -> None:
    inner = helper.make_node(DEQUANTIZE, ["a", "b"], ["z"])
    out = [helper.make_empty_tensor_value_info("z")]
    branch = helper.make_graph([inner], "branch", [], out)
    node = helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)
    (y,) = evaluator([node], 13).run(None, feeds(X, SCALE, np.array(True)))
    assert_array_equal(y, X.astype(np.float32) / 2)


def test_an_attribute_of_a_function_reaches_a_node_in_it() -> None:
    node = dequantize()
    reference = onnx.AttributeProto(name="axis", type=onnx.AttributeProto.INT)
    reference.ref_attr_name = "along"
    node.attribute.append(reference)
    opsets = [helper.make_opsetid("", 13)]
    function = helper.make_function("own", "f", list("abc"), ["y"], [node], opsets, ["along"])
    runnable = ReferenceEvaluator(function, new_ops=ops())
    given = feeds(X.T, SCALES, ZERO_POINTS)
    (y,) = runnable.run(None, given, attributes={"along": 0})
    assert_array_equal(y, ((X.astype(np.float32) - ZERO_POINTS) * SCALES).T)
    (found,) = runnable.rt_nodes_
    assert "axis" not in found.attribute_values


@pytest.mark.parametrize(
    ("opset", "attributes", "arrays", "rule"),
    [
        (10, {"axis": 1}, (X, SCALE), "known-attributes"),
        (10, {}, (X, SCALES), "scalar-scale"),
        (13, {"axis": 2}, (X, SCALES), "axis-range"),
        (21, {"axis": 1}, (X, SCALES[:2]), "per-axis-length"),
        (21, {"axis": 1.0}, (X, SCALES), "attribute-types"),
        (19, {}, (X.astype(np.int64), SCALE), "x-type"),
        (19, {}, (X, SCALE, np.array(0, np.uint8)), "zero-point-type"),
        (23, {"output_dtype": TensorProto.DOUBLE}, (X, SCALE), "output-dtype"),
    ],
)
def test_a_call_that_breaks_a_rule_is_refused_by_its_name(
    opset: int, attributes: dict[str, Any], arrays: tuple[Any, ...], rule: str
) -> None:
    node = helper.make_node(DEQUANTIZE, ["a", "b", "c"][: len(arrays)], ["y"], **attributes)
    runnable = evaluator([node], opset, inputs=len(arrays))
    with pytest.raises(BrokenRuleError, match=f"the rule {rule}: ") as caught:
        runnable.run(None, feeds(*arrays))
    assert caught.value.rule == rule


def test_too_many_inputs_are_refused() -> None:
    with pytest.raises(CallError, match="has 3 inputs, and 4 were given"):
        op_class(DEQUANTIZE, 21).eval(X, SCALE, np.array(0, np.int8), SCALE)


def test_an_open_question_is_answered_by_its_first_reading_that_computes() -> None:
    x, zero_point = np.array([2**31 - 1, -(2**31)], np.int32), np.array(-1, np.int32)
    y = op_class(DEQUANTIZE, 13).eval(x, SCALE, zero_point)
    settled = evaluate(DEQUANTIZE, 13, [x, SCALE, zero_point], {}, reading="subtracted-exactly")
    assert_array_equal(y, settled[0].value)


def test_several_open_questions_are_answered_one_by_one() -> None:
    x, zero_point = np.array([1, 2, 3], np.int32), np.array([7], np.int32)
    y = op_class(DEQUANTIZE, 13).eval(x, SCALE, zero_point)
    assert_array_equal(y, (x - 7).astype(np.float32) / 2)


def test_a_question_whose_every_answer_is_refusal_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = spec_for(DEQUANTIZE, 13)
    question = next(q for q in spec.open_questions if q.id == "int32-zero-point")
    refusing = replace(question, readings=tuple(a for a in question.readings if a.refuse))
    asked = replace(spec, open_questions=(refusing,))
    monkeypatch.setattr("onnx_cts_reference.evaluation.spec_for", lambda *_: asked)
    x = np.array([1], np.int32)
    with pytest.raises(RefusedError, match="under every reading of int32-zero-point"):
        compute(DEQUANTIZE, 13, [x, SCALE, np.array(1, np.int32)], {})


@pytest.mark.parametrize("spec", all_specs(), ids=lambda s: f"{s.operator}-{s.since_version}")
def test_formal_parts_are_those_of_the_schema(spec: Any) -> None:
    schema = onnx.defs.get_schema(spec.operator, spec.since_version, spec.domain)
    cls = op_class(spec.operator, spec.since_version, spec.domain)
    inputs = [i.name for i in schema.inputs]
    assert cls.mandatory_inputs == tuple(inputs[: schema.min_input])
    assert cls.optional_inputs == tuple(inputs[schema.min_input :])
    defaults = {
        n: helper.get_attribute_value(a.default_value) for n, a in schema.attributes.items()
    }
    assert cls.attribute_defaults == defaults
    assert (cls.since_version, cls.op_domain) == (spec.since_version, spec.domain)


def test_a_node_tells_its_attributes_and_which_of_them_it_changes() -> None:
    found = object_of(21, axis=0, block_size=0)
    assert found.attribute_defaults == {"axis": 1, "block_size": 0}
    assert found.attribute_values == {"axis": 0, "block_size": 0}
    assert found.modified_attributes == {"axis": 0}
    assert object_of(21).modified_attributes == {}
    assert object_of(21).domain == ""


@pytest.mark.parametrize("spec", all_specs(), ids=lambda s: f"{s.operator}-{s.since_version}")
def test_each_version_tells_of_a_node_what_it_is_and_what_it_changes(spec: Any) -> None:
    defaults = op_class(spec.operator, spec.since_version, spec.domain).attribute_defaults
    names = ["a", "b", "c"][: len(spec.inputs)]
    outputs = [f"y{index}" for index in range(len(spec.outputs))]
    changed = {name: int(value) + 1 for name, value in defaults.items() if value is not None}
    for given in ({}, defaults, *({name: value} for name, value in changed.items()), changed):
        node = helper.make_node(spec.operator, names, outputs, domain=spec.domain, **given)
        (found,) = evaluator([node], spec.since_version, inputs=len(names)).rt_nodes_
        assert (found.since_version, found.domain) == (spec.since_version, spec.domain)
        assert found.attribute_values == {**defaults, **given}
        assert found.modified_attributes == {n: v for n, v in given.items() if defaults[n] != v}


def test_an_attribute_that_the_version_does_not_have_is_one_that_the_node_changes() -> None:
    found = object_of(10, axis=1)
    assert found.attribute_defaults == {}
    assert found.attribute_values == found.modified_attributes == {"axis": 1}


def test_an_attribute_of_a_run_leaves_the_node_as_it_is() -> None:
    found = object_of(13, axis=0)
    found._run(X, SCALES, ZERO_POINTS, axis=1)
    assert found.attribute_values == {"axis": 0}
    with pytest.raises(BrokenRuleError, match="known-attributes"):
        found._run(X, SCALES, ZERO_POINTS, axes=1)


def test_run_takes_attributes_in_place_of_those_of_the_node() -> None:
    found = object_of(13, axis=0)
    (plain,) = found._run(X.T, SCALES, ZERO_POINTS)
    (other,) = found._run(X, SCALES, ZERO_POINTS, axis=1)
    assert_array_equal(plain, other.T)


def test_a_class_computes_without_a_model() -> None:
    y = op_class(DEQUANTIZE, 13).eval(X, SCALES, ZERO_POINTS, axis=1)
    assert_array_equal(y, (X.astype(np.float32) - ZERO_POINTS) * SCALES)


def test_the_class_of_a_version_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnknownOperatorError, match="there are: 10, 13, "):
        op_class(DEQUANTIZE, 12)


def test_importing_the_reference_does_not_import_onnx() -> None:
    code = "import sys, onnx_cts_reference; sys.exit('onnx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
