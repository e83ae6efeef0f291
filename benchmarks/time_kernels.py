"""Time the exact kernels against ONNX's ReferenceEvaluator and against a copy of the same bytes.

Run as ``python benchmarks/time_kernels.py [ROUNDS]``. Each call has 2^24 elements. The ratios are
of the best of the rounds, with the worst in brackets: what ONNX's reference takes over what the
kernel takes; what the kernel takes over a copy of the inputs and outputs; and the kernel with
``lower`` and ``upper`` over the kernel alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from onnx_cts_reference import evaluate
from onnx_cts_reference.evaluation import compute

SIDE = 1 << 12
OPSET = 21
BLOCK = 32
Arrays = list[np.ndarray[Any, Any]]


def calls() -> Iterator[tuple[str, str, Arrays, dict[str, int]]]:
    """Each call: its name, operator, inputs and attributes."""
    codes = np.arange(SIDE * SIDE, dtype=np.uint32).reshape(SIDE, SIDE) * np.uint32(2654435761)
    small = (codes >> 24).astype(np.uint8).view(np.int8)
    nibbles = (codes >> 28).astype(np.int8).astype(ml_dtypes.int4)
    reals = (small.astype(np.float32) + np.float32(0.5)) * np.float32(0.3)
    one, zero = np.float32(0.1), np.int8(3)
    many = np.linspace(0.01, 1, SIDE, dtype=np.float32)
    blocks = np.tile(many, (SIDE // BLOCK, 1))
    of: dict[str, tuple[Any, Any, dict[str, int]]] = {
        "per tensor": (np.asarray(one), np.asarray(zero), {}),
        "per axis": (many, np.full(many.shape, zero), {"axis": 1}),
        "blocked": (blocks, np.full(blocks.shape, zero), {"axis": 0, "block_size": BLOCK}),
    }
    for name, (scale, zero_point, attributes) in of.items():
        yield f"int8 -> float, {name}", "DequantizeLinear", [small, scale, zero_point], attributes
    yield "int4 -> float16, per tensor", "DequantizeLinear", [
        nibbles, np.asarray(np.float16(0.1)), np.asarray(zero).astype(ml_dtypes.int4)
    ], {}  # fmt: skip
    yield "float -> uint8, per tensor", "QuantizeLinear", [
        reals, np.asarray(one), np.asarray(np.uint8(128))
    ], {}  # fmt: skip


def evaluator(operator: str, inputs: Arrays, attributes: dict[str, int]) -> ReferenceEvaluator:
    """ONNX's reference with a model of one node."""
    names = ["x", "scale", "zero_point"]
    types = [helper.np_dtype_to_tensor_dtype(array.dtype) for array in inputs]
    infos = [
        helper.make_tensor_value_info(name, kind, array.shape)
        for name, kind, array in zip(names, types, inputs, strict=True)
    ]
    out = helper.make_tensor_value_info("y", TensorProto.UNDEFINED, None)
    graph = helper.make_graph(
        [helper.make_node(operator, names, ["y"], **attributes)], "g", infos, [out]
    )
    return ReferenceEvaluator(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    )


def seconds(work: Callable[[], object], rounds: int) -> list[float]:
    """What each round takes."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return taken


def ratio(of: list[float], to: list[float]) -> str:
    """The ratio of the best times, and of the best to the worst."""
    return f"{min(of) / min(to):.2f} ({min(of) / max(to):.2f})"


def line(operator: str, inputs: Arrays, attributes: dict[str, int], rounds: int) -> str:
    """The figures of one call."""
    feeds = dict(zip(["x", "scale", "zero_point"], inputs, strict=True))
    reference = evaluator(operator, inputs, attributes)
    (made,) = compute(operator, OPSET, inputs, attributes)

    def bounds() -> object:
        (expected,) = evaluate(operator, OPSET, inputs, attributes)
        return expected.lower, expected.upper

    ours = seconds(lambda: compute(operator, OPSET, inputs, attributes), rounds)
    copies = seconds(lambda: [a.copy() for a in (*inputs, made)], rounds)
    theirs = seconds(lambda: reference.run(None, feeds), rounds)
    with_bounds = seconds(bounds, rounds)
    each = 1e9 * min(ours) / SIDE**2
    return " | ".join(
        [f"{each:.1f}", ratio(theirs, ours), ratio(ours, copies), ratio(with_bounds, ours)]
    )


def main(rounds: int) -> None:
    """Print a line for each call."""
    print("call | ns an element | onnx / kernel | kernel / copy | with bounds / kernel")
    for name, operator, inputs, attributes in calls():
        print(f"{name} | {line(operator, inputs, attributes, rounds)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
