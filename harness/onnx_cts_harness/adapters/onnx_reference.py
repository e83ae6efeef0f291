"""ONNX's own reference implementation, ``onnx.reference.ReferenceEvaluator``, as users call it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """This version of onnx has no arrays of a type."""


class Adapter:
    """An evaluator a model; the checker is not run, since the evaluator does not run it."""

    documentation = "https://onnx.ai/onnx/api/reference.html"
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "No implementation for operator"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"onnx-reference has no variant {variant!r}, nor any other")
        self.version = onnx.__version__

    def load(self, model: bytes, folder: str | None) -> Any:
        """Make an evaluator."""
        if folder is None:
            return ReferenceEvaluator(onnx.load_from_string(model))
        return ReferenceEvaluator(onnx.load(str(Path(folder, "model.onnx"))))

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run an evaluator on arrays of NumPy and ml_dtypes."""
        feeds = {name: _array(code, shape, data) for name, code, shape, data in inputs}
        return [_tensor(output) for output in loaded.run(None, feeds)]


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
