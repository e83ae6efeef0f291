"""OpenVINO on the CPU, one thread, with float32 as the precision of inference."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import openvino as ov

#: OpenVINO's name and the width in bits of each element type that it has, by ONNX's number. It has
#: no float8 types with unsigned zero, and no int2.
TYPES = {
    1: ("f32", 32),
    2: ("u8", 8),
    3: ("i8", 8),
    4: ("u16", 16),
    5: ("i16", 16),
    6: ("i32", 32),
    7: ("i64", 64),
    9: ("boolean", 8),
    10: ("f16", 16),
    11: ("f64", 64),
    12: ("u32", 32),
    13: ("u64", 64),
    16: ("bf16", 16),
    17: ("f8e4m3", 8),
    19: ("f8e5m2", 8),
    21: ("u4", 4),
    22: ("i4", 4),
    23: ("f4e2m1", 4),
    24: ("f8e8m0", 8),
    25: ("u2", 2),
}
CODES = {name: code for code, (name, _) in TYPES.items()}
NOT_TOLD = (
    "Exception from ",
    "Check ",
    "FrontEnd API failed",
    "Summary:",
    "-- Conversion is failed",
)
CONFIGURATION = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """OpenVINO has no tensors of this type."""


class Adapter:
    """OpenVINO; it has no variants."""

    documentation = "https://docs.openvino.ai/"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES)}
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "doesn't support|cannot operate with|Unsupported"},
    ]

    def __init__(self, variant: str | None) -> None:
        """Open the runtime."""
        if variant is not None:
            raise ValueError(f"unknown variant {variant!r}; there are none")
        self.version = str(ov.__version__)
        self._core = ov.Core()

    def load(self, model: bytes, folder: str | None) -> Any:
        """Read and compile a model."""
        source = model if folder is None else str(Path(folder, "model.onnx"))
        try:
            return self._core.compile_model(self._core.read_model(source), "CPU", CONFIGURATION)
        except RuntimeError as error:
            raise RuntimeError(_said(str(error))) from None

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a compiled model on packed tensors."""
        request = loaded.create_infer_request()
        ports = {name: port for port in loaded.inputs for name in port.get_names()}
        for name, code, shape, data in inputs:
            if code not in TYPES:
                raise NotRunnable(f"OpenVINO has no tensors of type {code}")
            tensor = ov.Tensor(getattr(ov.Type, TYPES[code][0]), ov.Shape(list(shape)))
            if data:
                _bytes(tensor)[: len(data)] = np.frombuffer(data, np.uint8)
            # An input that the compiled model does not use is no longer one of its ports.
            if name in ports:
                request.set_tensor(ports[name], tensor)
        request.infer()
        return [_read(request.get_tensor(port)) for port in loaded.outputs]


def _said(message: str) -> str:
    """What is wrong: the last line that is no place in the source, and no summary."""
    lines = [line.strip() for line in message.splitlines()]
    told = [line for line in lines if line and not line.startswith(NOT_TOLD)]
    return told[-1] if told else message


def _bytes(tensor: Any) -> Any:
    return tensor.data.reshape(-1).view(np.uint8)


def _read(tensor: Any) -> tuple[int, tuple[int, ...], bytes]:
    name = tensor.element_type.get_type_name()
    if name not in CODES:
        raise NotRunnable(f"the output is of OpenVINO's type {name}")
    shape = tuple(tensor.shape)
    size = -(-math.prod(shape) * TYPES[CODES[name]][1] // 8)
    return CODES[name], shape, _bytes(tensor)[:size].tobytes() if size else b""
