"""The tiny cases that an adapter is driven through: one of each kind, made in memory.

They are no test of the runtime: all but a few only subtract or copy, which any runtime does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import onnx
from onnx import helper

from onnx_cts_harness.case import Case, Expectation, Expected, LoadedCase
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.formats import array_of, formats, pack

FLOAT = onnx.TensorProto.FLOAT
#: As old as can be, so that old runtimes can be checked too.
OPSET = 13
OPSET_OF_QUANTIZED, OPSET_OF_INT4 = 19, 21


def floats(values: Any) -> Tensor:
    """A tensor of float32 values."""
    array = np.asarray(values, np.float32)
    return Tensor(FLOAT, array.shape, array.tobytes())


def bits(dtype: str, count: int) -> Tensor:
    """A tensor of the first codes of a format."""
    form = formats()[dtype]
    codes = np.arange(count).astype(form.code_dtype)
    return Tensor(form.code, codes.shape, pack(codes, form))


def small_type() -> LoadedCase:
    """Packed int4, of an odd count."""
    x = bits("int4", 15)
    values = array_of(x.codes, formats()["int4"]).astype(np.float32)
    return _loaded(
        _dequantize("x", "scale"),
        {"x": x, "scale": floats(0.5)},
        {"y": floats(values * 0.5)},
        opset=OPSET_OF_INT4,
    )


def parameters() -> LoadedCase:
    """Scale and zero point as graph inputs."""
    x, zero = bits("int8", 5), Tensor(onnx.TensorProto.INT8, (), b"\2")
    return _loaded(
        _dequantize("x", "scale", "zero"),
        {"x": x, "scale": floats(0.5), "zero": zero},
        {"y": floats([-1.0, -0.5, 0.0, 0.5, 1.0])},
        opset=OPSET_OF_QUANTIZED,
    )


def order_of_inputs(first: float = 5.0) -> LoadedCase:
    """A subtraction, whose inputs must not change places."""
    x, z = floats([first, 6.0]), floats([1.0, 8.0])
    node = helper.make_node("Sub", ["x", "z"], ["y"])
    return _loaded([node], {"x": x, "z": z}, {"y": floats([first - 1.0, -2.0])})


def order_of_outputs() -> LoadedCase:
    """Two outputs, which must not change places."""
    nodes = [
        helper.make_node("Sub", ["x", "z"], ["y"]),
        helper.make_node("Sub", ["z", "x"], ["w"]),
    ]
    inputs = {"x": floats([5.0, 6.0]), "z": floats([1.0, 8.0])}
    return _loaded(nodes, inputs, {"y": floats([4.0, -2.0]), "w": floats([-4.0, 2.0])})


def copied(x: Tensor) -> LoadedCase:
    """A copy of a tensor, which must keep every bit.

    Raises:
        ValueError: No version of the operator copies the type.
    """
    for opset in range(OPSET, onnx.defs.onnx_opset_version() + 1):
        (constraint,) = onnx.defs.get_schema("Identity", opset).type_constraints
        if f"tensor({x.format.name})" in constraint.allowed_type_strs:
            nodes = [helper.make_node("Identity", ["x"], ["y"])]
            return _loaded(nodes, {"x": x}, {"y": x}, opset=opset)
    raise ValueError(f"no version of Identity copies {x.format.name}")


def external_data() -> LoadedCase:
    """An initializer in a file beside the model."""
    weights = onnx.TensorProto(
        name="w", data_type=FLOAT, dims=[2], data_location=onnx.TensorProto.EXTERNAL
    )
    for key, value in {"location": "weights.bin", "offset": "0", "length": "8"}.items():
        weights.external_data.add(key=key, value=value)
    node = helper.make_node("Sub", ["x", "w"], ["y"])
    return _loaded(
        [node],
        {"x": floats([1.0, 2.0])},
        {"y": floats([-2.0, -2.0])},
        initializers=[weights],
        files={"weights.bin": floats([3.0, 4.0]).data},
    )


def reject() -> LoadedCase:
    """An operator that is none."""
    node = helper.make_node("NoSuchOperator", ["x"], ["y"])
    one = floats([1.0])
    return _loaded([node], {"x": one}, {"y": one}, expectation="reject")


def open_question() -> LoadedCase:
    """A call that the text leaves open: a zero point for int32, which is "supposed to be 0"."""
    x = Tensor(onnx.TensorProto.INT32, (1,), np.array([7], np.int32).tobytes())
    zero = Tensor(onnx.TensorProto.INT32, (), np.array(2, np.int32).tobytes())
    inputs = {"x": x, "scale": floats(0.5), "zero": zero}
    nodes = _dequantize("x", "scale", "zero")
    return _loaded(
        nodes, inputs, {"y": floats([2.5])}, expectation="open", opset=OPSET_OF_QUANTIZED
    )


def types() -> Iterator[tuple[str, LoadedCase]]:
    """A copy of a tensor of each type that can be copied, with an odd count of packed ones."""
    for name, form in formats().items():
        with suppress(ValueError):
            yield name, copied(bits(name, min(3, 1 << form.bits)))


def entry_of(loaded: LoadedCase) -> CaseEntry:
    """The entry that a manifest would have for a case."""
    case = loaded.case
    return CaseEntry(case.id, case.domain, case.operator, case.version, case.expectation, {})


def _dequantize(*names: str) -> list[onnx.NodeProto]:
    return [helper.make_node("DequantizeLinear", names, ["y"])]


def _loaded(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, Tensor],
    outputs: Mapping[str, Tensor],
    *,
    expectation: Expectation = "value",
    opset: int = OPSET,
    initializers: Sequence[onnx.TensorProto] = (),
    files: Mapping[str, bytes] | None = None,
) -> LoadedCase:
    given, wanted = (
        [helper.make_tensor_value_info(name, t.code, t.shape) for name, t in tensors.items()]
        for tensors in (inputs, outputs)
    )
    graph = helper.make_graph(nodes, "selftest", given, wanted, initializers)
    imports = [helper.make_opsetid("", opset)]
    ir_version = helper.find_min_ir_version_for(imports)
    model = helper.make_model(graph, opset_imports=imports, ir_version=ir_version)
    operator = nodes[0].op_type
    case = Case(
        id=operator, domain="", operator=operator, version=opset, opset=opset,
        expectation=expectation, dtypes={}, inputs=tuple(inputs), outputs=tuple(outputs),
        granularity=None, features=(), rules=(), stage=(), reading=(),
    )  # fmt: skip
    tensors = tuple(outputs.values())
    return LoadedCase(
        case,
        model.SerializeToString(deterministic=True),
        files or {},
        tuple(inputs.values()),
        tuple(Expected(t, None, None) for t in tensors) if expectation == "value" else (),
        {"subtracted": tensors} if expectation == "open" else {},
    )
