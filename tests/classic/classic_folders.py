"""Write folders in ONNX's classic layout, and run them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx import helper, numpy_helper

from onnx_cts_harness import Result, run_suite

FAKES = Path(__file__).parent / "fakes"
GIVES = str(FAKES / "gives.py")
REFERENCE = "onnx-reference"


def value_info(name: str, array: Any) -> onnx.ValueInfoProto:
    """A graph input or output for an array."""
    proto = numpy_helper.from_array(np.asarray(array))
    return helper.make_tensor_value_info(name, proto.data_type, proto.dims)


def model_of(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    *,
    opset: int = 21,
    initializers: Sequence[onnx.TensorProto] = (),
    **more: Any,
) -> onnx.ModelProto:
    """A model whose graph inputs and outputs are typed by arrays."""
    infos = [[value_info(n, a) for n, a in given.items()] for given in (inputs, outputs)]
    graph = helper.make_graph(list(nodes), "g", *infos, initializer=list(initializers))
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10, **more)


def write_case(
    folder: Path,
    model: onnx.ModelProto,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    data_set: str = "test_data_set_0",
) -> Path:
    """Write a case; returns its folder."""
    data = folder / data_set
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for start, arrays in (("input", inputs), ("output", outputs)):
        for index, array in enumerate(arrays):
            proto = numpy_helper.from_array(np.asarray(array), f"{start}_{index}")
            (data / f"{start}_{index}.pb").write_bytes(proto.SerializeToString())
    return folder


def identity_case(folder: Path, given: Any, expected: Any) -> Path:
    """A case of Identity, which need not expect what Identity gives."""
    node = helper.make_node("Identity", ["x"], ["y"])
    return write_case(folder, model_of([node], {"x": given}, {"y": given}), [given], [expected])


def dequantize_case(
    folder: Path,
    *,
    zero: Any = None,
    y: Any = (0, 0.5, 1),
) -> Path:
    """A case of an operator that the reference knows; its data is 1, 2, 3, and its scale 0.5."""
    node = helper.make_node("DequantizeLinear", ["x", "s", "z"], ["y"])
    inputs = {
        "x": np.array([1, 2, 3], np.uint8),
        "s": np.float32(0.5),
        "z": np.uint8(1) if zero is None else zero,
    }
    y = np.asarray(y, np.float32)
    model = model_of([node], inputs, {"y": y})
    return write_case(folder, model, list(inputs.values()), [y])


def run(folder: Path, backend: str = REFERENCE, **options: Any) -> dict[str, Result]:
    """The results of a folder by the case's id."""
    return {result.case: result for result in run_suite(folder, backend, **options)}


def only(folder: Path, backend: str = REFERENCE, **options: Any) -> Result:
    """The result of a folder with one case."""
    (result,) = run(folder, backend, **options).values()
    return result


def dtype(name: str) -> np.dtype[Any]:
    """A dtype of NumPy or ml_dtypes."""
    return np.dtype(getattr(ml_dtypes, name, name))


def has_ended(pid: int, seconds: float) -> bool:
    """Whether a process ends within this time; a zombie that nobody waited for has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        listed = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        if listed.stdout.strip()[:1] in {"", "Z"}:
            return True
        time.sleep(0.05)
    return False
