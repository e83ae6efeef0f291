"""OpenCV's ``dnn`` module on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np

#: The types that its matrices have, by their number in onnx.TensorProto.DataType.
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
    """OpenCV has no matrices of this type."""


class Adapter:
    """A network a model, with the types that it is fed and gives; it has no variants."""

    documentation = "https://docs.opencv.org/5.x/d2/d58/tutorial_table_of_content_dnn.html"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES)}
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "not implemented|Unsupported"},
        {"kind": "obscure", "pattern": "Assertion failed|Unspecified error"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"opencv has no variant {variant!r}, nor any other")
        self.version = str(cv2.__version__)
        cv2.setNumThreads(1)

    def load(self, model: bytes, folder: str | None) -> Any:
        """Read a model."""
        source = (
            np.frombuffer(model, np.uint8) if folder is None else str(Path(folder, "model.onnx"))
        )
        return cv2.dnn.readNetFromONNX(source)

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a network on arrays."""
        for name, code, shape, data in inputs:
            if code not in TYPES:
                raise NotRunnable(f"OpenCV has no matrices of element type {code}")
            loaded.setInput(np.frombuffer(data, TYPES[code]).reshape(shape), name)
        outputs = loaded.forward(loaded.getUnconnectedOutLayersNames())
        return [_read(output) for output in outputs]


def _read(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    if output is None:
        raise NotRunnable("an empty matrix cannot be read in Python: it is None there")
    return CODES[output.dtype], output.shape, output.tobytes()
