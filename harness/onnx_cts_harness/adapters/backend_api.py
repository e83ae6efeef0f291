"""Any implementation of ONNX's Backend API, named by its import path as the variant.

The path is ``package.module:Class`` for a class, ``package.module`` for a module that has the
functions itself. onnx comes from the environment of the runtime.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """The backend is not for such models, or this version of onnx has no arrays of a type."""


class Adapter:
    """``prepare`` is load, and ``run`` of what it returns is run."""

    def __init__(self, variant: str | None) -> None:
        if variant is None:
            raise ValueError("name the backend: backend-api:package.module:Class")
        path, _, name = variant.partition(":")
        module = importlib.import_module(path)
        self.backend = getattr(module, name) if name else module
        if not callable(getattr(self.backend, "prepare", None)):
            raise TypeError(f"{variant} has no function prepare; name one as package.module:Class")
        top = sys.modules[path.partition(".")[0]]
        self.version = str(getattr(top, "__version__", "unknown"))

    def load(self, model: bytes, folder: str | None) -> Any:
        """Prepare a model."""
        if folder is None:
            proto = onnx.load_from_string(model)
        else:
            proto = onnx.load(str(Path(folder, "model.onnx")))
        compatible = getattr(self.backend, "is_compatible", None)
        if callable(compatible) and not compatible(proto):
            raise NotRunnable("the backend says that it is not compatible with the model")
        return self.backend.prepare(proto, device="CPU")

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a prepared model on arrays of NumPy and ml_dtypes."""
        arrays = [_array(code, shape, data) for _, code, shape, data in inputs]
        return [_tensor(output) for output in loaded.run(arrays)]


def _array(code: int, shape: tuple[int, ...], data: bytes) -> Any:
    try:
        proto = onnx.TensorProto(data_type=code, dims=shape, raw_data=data)
        return numpy_helper.to_array(proto)
    except Exception as error:  # noqa: BLE001 - onnx has no one error for it
        raise NotRunnable(f"no array of element type {code}: {error}") from None


def _tensor(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    try:
        proto = numpy_helper.from_array(np.asarray(output))
    except Exception as error:  # noqa: BLE001 - onnx has no one error for it
        raise NotRunnable(f"no tensor of a {type(output).__name__}: {error}") from None
    return proto.data_type, tuple(proto.dims), proto.raw_data
