"""tinygrad's ``OnnxRunner``, on its device PYTHON, which needs no compiler."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

# It is the one device that needs no compiler.
os.environ["DEV"] = "PYTHON"

from tinygrad import Tensor, dtypes
from tinygrad.nn.onnx import OnnxRunner

DEVICE = "PYTHON"
#: tinygrad's type and the NumPy type of its bits, by number in onnx.TensorProto.DataType.
TYPES: dict[int, tuple[Any, Any]] = {
    1: (dtypes.float32, np.dtype("float32")),
    2: (dtypes.uint8, np.dtype("uint8")),
    3: (dtypes.int8, np.dtype("int8")),
    4: (dtypes.uint16, np.dtype("uint16")),
    5: (dtypes.int16, np.dtype("int16")),
    6: (dtypes.int32, np.dtype("int32")),
    7: (dtypes.int64, np.dtype("int64")),
    9: (dtypes.bool, np.dtype("bool")),
    10: (dtypes.float16, np.dtype("float16")),
    11: (dtypes.float64, np.dtype("float64")),
    12: (dtypes.uint32, np.dtype("uint32")),
    13: (dtypes.uint64, np.dtype("uint64")),
    16: (dtypes.bfloat16, np.dtype("uint16")),
}
HALF = 2
CODES = {dtype: code for code, (dtype, _) in TYPES.items()}


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """tinygrad has no tensors of this type."""


class Adapter:
    """A runner a model; it has no variants."""

    documentation = "https://docs.tinygrad.org/"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES)}
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "NotImplementedError|is not a valid OnnxDataType"},
        {
            "kind": "obscure",
            "pattern": "unexpected keyword argument|^AssertionError|shape mismatch"
            "|Could not infer dtype",
        },
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"tinygrad has no variant {variant!r}, nor any other")
        from importlib import metadata

        self.version = metadata.version("tinygrad")

    def load(self, model: bytes, folder: str | None) -> Any:
        """Read a model."""
        # In the worker's own folder, which is removed even if the worker is killed.
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as home:
            path = Path(folder or home, "model.onnx")
            path.write_bytes(model)
            return OnnxRunner(path)

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a model on tinygrad's tensors."""
        feeds = {name: _tensor(code, shape, data) for name, code, shape, data in inputs}
        return [_read(output) for output in loaded(feeds).values()]


def _tensor(code: int, shape: tuple[int, ...], data: bytes) -> Any:
    if code not in TYPES:
        raise NotRunnable(f"tinygrad has no tensors of element type {code}")
    dtype, bits = TYPES[code]
    # Not from an array of rank 0, which becomes a constant: that needs a compiler.
    tensor = Tensor(np.frombuffer(data, bits)).to(DEVICE)
    return (tensor if tensor.dtype == dtype else tensor.bitcast(dtype)).reshape(shape)


def _read(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    code, shape = CODES[output.dtype], tuple(output.shape)
    if TYPES[code][1].itemsize == HALF:
        # Python's memory views have no format for bfloat16, nor, before 3.12, for float16.
        output = output.contiguous().bitcast(dtypes.uint16)
    return code, shape, output.contiguous().data().tobytes()
