"""The exact kernels against ONNX's reference, and against a copy of what they read and write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from pytest_benchmark.fixture import BenchmarkFixture

from onnx_cts_reference import evaluate
from onnx_cts_reference.evaluation import compute

SIDE = 1 << 12
OPSET = 21
BLOCK = 32
ROUNDS = 5
CALLS = [
    "int8 to float per tensor",
    "int8 to float per axis",
    "int8 to float blocked",
    "int4 to float16 per tensor",
    "float to uint8 per tensor",
]
Arrays = list[np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Call:
    operator: str
    inputs: Arrays
    attributes: dict[str, int]

    def kernel(self) -> object:
        return compute(self.operator, OPSET, self.inputs, self.attributes)

    def with_bounds(self) -> object:
        (expected,) = evaluate(self.operator, OPSET, self.inputs, self.attributes)
        return expected.lower, expected.upper

    def reference(self) -> Callable[[], object]:
        """ONNX's reference with a model of one node."""
        names = ["x", "scale", "zero_point"]
        infos = [
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for name, array in zip(names, self.inputs, strict=True)
        ]
        out = helper.make_tensor_value_info("y", TensorProto.UNDEFINED, None)
        node = helper.make_node(self.operator, names, ["y"], **self.attributes)
        graph = helper.make_graph([node], "g", infos, [out])
        opsets = [helper.make_opsetid("", OPSET)]
        evaluator = ReferenceEvaluator(helper.make_model(graph, opset_imports=opsets))
        feeds = dict(zip(names, self.inputs, strict=True))
        return lambda: evaluator.run(None, feeds)

    def copy(self) -> Callable[[], object]:
        (made,) = compute(self.operator, OPSET, self.inputs, self.attributes)
        return lambda: [array.copy() for array in (*self.inputs, made)]


def call(name: str) -> Call:
    """A call of 2^24 elements."""
    codes = np.arange(SIDE * SIDE, dtype=np.uint32).reshape(SIDE, SIDE) * np.uint32(2654435761)
    small = (codes >> 24).astype(np.uint8).view(np.int8)
    one, zero = np.asarray(np.float32(0.1)), np.asarray(np.int8(3))
    many = np.linspace(0.01, 1, SIDE, dtype=np.float32)
    match name:
        case "int8 to float per tensor":
            return Call("DequantizeLinear", [small, one, zero], {})
        case "int8 to float per axis":
            return Call("DequantizeLinear", [small, many, np.full(SIDE, zero)], {"axis": 1})
        case "int8 to float blocked":
            blocks = np.tile(many, (SIDE // BLOCK, 1))
            places = {"axis": 0, "block_size": BLOCK}
            return Call("DequantizeLinear", [small, blocks, np.full(blocks.shape, zero)], places)
        case "int4 to float16 per tensor":
            nibbles = (codes >> 28).astype(np.int8).astype(ml_dtypes.int4)
            scale = one.astype(np.float16)
            return Call("DequantizeLinear", [nibbles, scale, zero.astype(ml_dtypes.int4)], {})
        case _:
            # Halves of the scale: as near to ties as float32 can be.
            reals = (small.astype(np.float32) + np.float32(0.5)) * np.float32(0.3)
            return Call("QuantizeLinear", [reals, one, np.asarray(np.uint8(128))], {})


@pytest.mark.parametrize("part", ["copy", "kernel", "reference", "with_bounds"])
@pytest.mark.parametrize("name", CALLS)
def test_kernel(name: str, part: str, benchmark: BenchmarkFixture) -> None:
    benchmark.group = name
    called = call(name)
    work = getattr(called, part)
    if part in ("copy", "reference"):
        work = work()
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
