"""tract, Sonos' inference engine in Rust, by its Python package, on the CPU."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

# Errors are ordinary here, and each with a backtrace takes 100 times as long.
os.environ["RUST_BACKTRACE"] = "0"

import tract

#: The types that its tensors have, by their number in onnx.TensorProto.DataType.
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
}
CODES = {dtype: code for code, dtype in TYPES.items()}


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """tract has no tensors of this type."""


class Adapter:
    """tract as its own examples use it: load, optimise, run; it has no variants."""

    documentation = "https://sonos.github.io/tract/"
    # It takes quantization parameters as constants only.
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES), "constant_parameters": True}

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"tract has no variant {variant!r}, nor any other")
        self.version = str(tract.version())
        self.onnx = tract.onnx()

    def load(self, model: bytes, folder: str | None) -> Any:
        """Read, analyse and optimise a model."""
        # In the worker's own folder, which is removed even if the worker is killed.
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as home:
            path = Path(folder or home, "model.onnx")
            path.write_bytes(model)
            return self.onnx.load(path).into_model().into_runnable()

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a model on tract's tensors."""
        tensors = []
        for _, code, shape, data in inputs:
            if code not in TYPES:
                raise NotRunnable(f"tract has no tensors of element type {code}")
            array = np.frombuffer(data, TYPES[code]).reshape(shape)
            tensors.append(tract.Tensor.from_numpy(array))
        return [_read(output) for output in loaded.run(tensors)]


def _read(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    try:
        array = output.to_numpy()
    except Exception as error:  # noqa: BLE001 - it has no one error for it
        raise NotRunnable(f"cannot be read in {output.dump()}: {error}") from None
    return CODES[array.dtype], array.shape, array.tobytes()
