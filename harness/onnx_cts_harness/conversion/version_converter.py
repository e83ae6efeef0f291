"""``onnx.version_converter`` as a worker drives it: a model goes in, and a model comes out.

It is C++ and may die of a model, so it runs where a runtime would. It is no runtime: the outputs
are bytes, of the converted model and of what ``onnx.checker`` says of the model before and after.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import onnx
from onnx import TensorProto, checker, version_converter


class Adapter:
    """The converter to one opset of ONNX's own domain."""

    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "not supported|isUnallowed|No Adapter|no adapter"},
    ]

    def __init__(self, variant: str) -> None:
        self.version = onnx.__version__
        self.opset = int(variant)

    def load(self, model: bytes, folder: str | None) -> onnx.ModelProto:
        """Read the model, its external data with it, as users do who convert one."""
        if folder is None:
            return onnx.load_from_string(model)
        return onnx.load(str(Path(folder, "model.onnx")))

    def run(
        self, loaded: onnx.ModelProto, _inputs: object
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Convert the model; three outputs of bytes."""
        try:
            converted = version_converter.convert_version(loaded, self.opset)
        except Exception as error:
            error.stage = "convert"  # type: ignore[attr-defined]
            raise
        texts = [_rejected(loaded).encode(), _rejected(converted).encode()]
        return [_bytes(data) for data in (converted.SerializeToString(), *texts)]


def _rejected(model: onnx.ModelProto) -> str:
    """Why the checker rejects a model, with its strict inference of types and shapes; else ""."""
    try:
        checker.check_model(model, full_check=True)
    except Exception as error:  # noqa: BLE001 - the checker has one error and inference another
        return f"{type(error).__name__}: {error}"
    return ""


def _bytes(data: bytes) -> tuple[int, tuple[int, ...], bytes]:
    return TensorProto.UINT8, (len(data),), data
