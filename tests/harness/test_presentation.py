"""A case is presented as the backend can be fed it, and the record says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from harness_suites import SuiteBuilder, every_code, fake, identity_model, tensor

from onnx_cts_harness.declarations import Feeds
from onnx_cts_harness.presentation import presented
from onnx_cts_harness.record_line import case_line, result_of
from onnx_cts_harness.run import run_suite
from onnx_cts_harness.suite import open_suite
from onnx_cts_harness.verify import Result

FLOAT, UINT8, INT8, INT4 = 1, 2, 3, 22
X, SCALE, ZERO = every_code("int8"), tensor(0.5), tensor(3, "int8")
EXPECTED = tensor([(x - 3) * 0.5 for x in [*range(128), *range(-128, 0)]])


def dequantize(ir: int = 10, constants: tuple[str, ...] = ()) -> bytes:
    """A model with three inputs; some have a default of zeros."""
    tensors = {"x": X, "x1": SCALE, "x2": ZERO}
    make = onnx.helper.make_tensor_value_info
    info = [make(name, t.code, t.shape) for name, t in tensors.items()]
    zeros = [onnx.helper.make_tensor(n, tensors[n].code, tensors[n].shape, [0]) for n in constants]
    node = onnx.helper.make_node("DequantizeLinear", list(tensors), ["y"])
    graph = onnx.helper.make_graph([node], "g", info, [make("y", 1, EXPECTED.shape)], zeros)
    opset = [onnx.helper.make_opsetid("", 21)]
    return onnx.helper.make_model(graph, opset_imports=opset, ir_version=ir).SerializeToString()


def result(builder: SuiteBuilder, feeds: dict[str, Any], model: bytes | None = None) -> Result:
    """The result of dequantizing on ONNX's reference, which is fed no other way than declared."""
    builder.value("a", [X, SCALE, ZERO], [EXPECTED], model=model or dequantize())
    (one,) = run_suite(builder.write(), f"{fake('declaring')}:{json.dumps({'feeds': feeds})}")
    return one


def test_a_backend_that_takes_every_type_gets_the_case_as_it_is(builder: SuiteBuilder) -> None:
    one = result(builder, {})
    assert (one.verdict, one.presented) == ("exact", ())
    assert "presented" not in case_line(one)


@pytest.mark.parametrize(
    ("feeds", "initializers"),
    [
        ({"inputs": [FLOAT, INT8]}, ()),
        ({"inputs": [FLOAT], "initializers": [INT8]}, ("x", "x2")),
        ({"inputs": [INT8], "initializers": [FLOAT, INT8]}, ("x1",)),
        ({"constant_parameters": True}, ("x1", "x2")),
        ({"inputs": [FLOAT], "initializers": [INT8], "constant_parameters": True},
         ("x", "x1", "x2")),
    ],
)  # fmt: skip
def test_what_cannot_be_an_input_is_an_initializer_and_the_record_says_so(
    builder: SuiteBuilder, feeds: dict[str, Any], initializers: tuple[str, ...]
) -> None:
    one = result(builder, feeds)
    assert (one.verdict, one.message, one.presented) == ("exact", "", initializers)
    if initializers:
        assert case_line(one)["presented"] == {"initializers": list(initializers)}
        assert result_of(case_line(one)) == one


@pytest.mark.parametrize("feeds", [{"inputs": [FLOAT]}, {"inputs": [], "initializers": [FLOAT]}])
def test_what_can_be_fed_in_no_way_is_not_runnable(
    builder: SuiteBuilder, feeds: dict[str, Any]
) -> None:
    one = result(builder, feeds)
    assert one.verdict == "not_runnable"
    assert one.message == "the backend can be fed int8, as of x, in no way"


def test_a_default_of_a_graph_input_gives_way_to_the_value(builder: SuiteBuilder) -> None:
    model = dequantize(constants=("x2",))
    assert result(builder, {"constant_parameters": True}, model).verdict == "exact"


def test_before_ir_version_4_an_initializer_remains_a_graph_input(builder: SuiteBuilder) -> None:
    builder.value("a", [X, SCALE, ZERO], [EXPECTED], model=dequantize(ir=3))
    suite = open_suite(builder.write())
    (entry,) = suite.entries.values()
    given = presented(suite.load(entry), Feeds(constant_parameters=True)).loaded
    graph = onnx.ModelProto.FromString(given.model).graph
    assert [value.name for value in graph.input] == ["x", "x1", "x2"]
    assert [value.name for value in graph.initializer] == ["x1", "x2"]
    assert given.case.inputs == ("x",)


@pytest.mark.parametrize("dtype", ["int4", "uint2", "bfloat16", "float8e4m3fn", "float4e2m1"])
def test_a_small_type_keeps_its_bits_as_an_initializer_and_comes_back_uncast(
    builder: SuiteBuilder, dtype: str
) -> None:
    value = every_code(dtype)
    builder.value("a", [value], [value], model=identity_model(value, 25, 13))
    feeds = {"inputs": [FLOAT], "initializers": [value.code]}
    (one,) = run_suite(builder.write(), f"{fake('declaring')}:{json.dumps({'feeds': feeds})}")
    assert (one.verdict, one.presented) == ("exact", ("x",)), one.message


def test_the_model_of_the_suite_remains_as_it_is(builder: SuiteBuilder) -> None:
    result(builder, {"constant_parameters": True})
    (file,) = builder.path.rglob("model.onnx")
    assert Path(file).read_bytes() == dequantize()


def test_reject_and_open_cases_are_presented_too(builder: SuiteBuilder) -> None:
    value = tensor([1.0])
    builder.reject("a", [value])
    builder.open("b", [value], {"same": [value]})
    feeds = {"inputs": [INT4], "initializers": [FLOAT]}
    name = f"{fake('declaring')}:{json.dumps({'feeds': feeds})}"
    reject, undecided = run_suite(builder.write(), name)
    assert (reject.verdict, reject.presented) == ("accepted_invalid", ("x",))
    assert (undecided.reading, undecided.presented) == ("same", ("x",))
