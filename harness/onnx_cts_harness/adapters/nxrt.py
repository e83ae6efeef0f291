"""nxrt, an ONNX runtime in Rust, on the CPU; ml_dtypes holds its bfloat16."""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

import ml_dtypes
import numpy as np

# Errors are ordinary here, and each with a backtrace takes longer.
os.environ["RUST_BACKTRACE"] = "0"

import nxrt

#: The types that its Python arrays have, by their number in onnx.TensorProto.DataType.
TYPES: dict[int, np.dtype[Any]] = {
    1: np.dtype("float32"),
    2: np.dtype("uint8"),
    3: np.dtype("int8"),
    4: np.dtype("uint16"),
    5: np.dtype("int16"),
    6: np.dtype("int32"),
    7: np.dtype("int64"),
    9: np.dtype("bool"),
    10: np.dtype("float16"),
    11: np.dtype("float64"),
    12: np.dtype("uint32"),
    13: np.dtype("uint64"),
    16: np.dtype(ml_dtypes.bfloat16),
}
CODES = {dtype: code for code, dtype in TYPES.items()}
# The types that it knows in a model and takes from no array: float8, int4, float4 and int2.
CONSTANT_TYPES = [17, 18, 19, 20, 21, 22, 23, 24, 25, 26]


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """nxrt's Python package has no arrays of this type."""


class Adapter:
    """One session a model; it has no variants."""

    documentation = "https://github.com/justinchuby/onnx-genai"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES), "initializers": CONSTANT_TYPES}
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "tensors are supported, got|[Uu]nsupported"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"nxrt has no variant {variant!r}, nor any other")
        self.version = metadata.version("nxrt")

    def load(self, model: bytes, folder: str | None) -> Any:
        """Make a session."""
        source = model if folder is None else str(Path(folder, "model.onnx"))
        return nxrt.InferenceSession(source, providers=["CPUExecutionProvider"])

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a session on arrays."""
        feeds = {}
        for name, code, shape, data in inputs:
            if code not in TYPES:
                raise NotRunnable(f"nxrt has no arrays of element type {code}")
            feeds[name] = np.frombuffer(data, TYPES[code]).reshape(shape)
        try:
            outputs = loaded.run(None, feeds)
        except TypeError as error:
            # So it says that its Python arrays do not have the type of an output.
            raise NotRunnable(str(error)) from None
        return [_read(output) for output in outputs]


def _read(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    if output.dtype not in CODES:
        raise NotRunnable(f"cannot be read in {output.dtype}")
    return CODES[output.dtype], output.shape, output.tobytes()
