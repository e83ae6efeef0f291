"""tract, Sonos' inference engine in Rust, by its Python package, on the CPU."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

# Errors are ordinary here, and each with a backtrace takes 100 times as long.
os.environ["RUST_BACKTRACE"] = "0"

import tract

if TYPE_CHECKING:
    from collections.abc import Callable

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
#: How it writes an element type behind a shape.
FACTS = {
    code: dtype.name if dtype.kind == "b" else f"{dtype.kind}{dtype.itemsize * 8}"
    for code, dtype in TYPES.items()
}
WITHOUT_SHAPES = "without a determined fact"
CODES = {dtype: code for code, dtype in TYPES.items()}


class Refused(Exception):  # noqa: N818 - named for what it says
    """tract cannot analyse or optimise a model; that is so at load, though it may be done later."""

    stage = "load"


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """tract has no tensors of this type."""


class Adapter:
    """tract as its own examples use it: load, optimise, run; it has no variants."""

    documentation = "https://sonos.github.io/tract/"
    # It takes quantization parameters as constants only.
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES), "constant_parameters": True}
    refusals: ClassVar[list[dict[str, str]]] = [
        {
            "kind": "unsupported",
            "pattern": "is not supported|Unknown DatumType"
            "|unknown ONNX TensorProto.DataType|must be a const",
        },
        {"kind": "obscure", "pattern": "Impossible to unify|Wrong input number"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"tract has no variant {variant!r}, nor any other")
        self.version = str(tract.version())
        self.onnx = tract.onnx()

    def load(self, model: bytes, folder: str | None) -> Any:
        """Read, analyse and optimise a model; where that takes the inputs' shapes, only read it."""
        # In the worker's own folder, which is removed even if the worker is killed.
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as home:
            path = Path(folder or home, "model.onnx")
            path.write_bytes(model)
            try:
                return _said(lambda: self.onnx.load(path).into_model().into_runnable())
            except Refused as error:
                if WITHOUT_SHAPES not in str(error):
                    raise
                return self.onnx.load(path)

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a model on tract's tensors."""
        for _, code, _, _ in inputs:
            if code not in TYPES:
                raise NotRunnable(f"tract has no tensors of element type {code}")
        if isinstance(loaded, tract.InferenceModel):
            for index, (_, code, shape, _) in enumerate(inputs):
                loaded.set_input_fact(index, ",".join([*map(str, shape), FACTS[code]]))
            inferring = loaded
            loaded = _said(lambda: inferring.into_model().into_runnable())
        tensors = [
            tract.Tensor.from_numpy(np.frombuffer(data, TYPES[code]).reshape(shape))
            for _, code, shape, data in inputs
        ]
        return [_read(output) for output in loaded.run(tensors)]


def _said(load: Callable[[], Any]) -> Any:
    try:
        return load()
    except tract.TractError as error:
        # The first line says where it was, the last what is wrong.
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise Refused(": ".join(dict.fromkeys([lines[0], lines[-1]]))) from None


def _read(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    try:
        array = output.to_numpy()
    except Exception as error:  # noqa: BLE001 - it has no one error for it
        raise NotRunnable(f"cannot be read in {output.dump()}: {error}") from None
    return CODES[array.dtype], array.shape, array.tobytes()
