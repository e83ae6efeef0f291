"""ONNX Runtime with the OpenVINO execution provider on the CPU, and nothing beside it."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import onnxruntime as ort

PROVIDER = "OpenVINOExecutionProvider"
#: What holds the elements of a type, by its number in onnx.TensorProto.DataType; of a type narrower
#: than a byte, bytes in the logical shape with the packed ones at its front.
HOLDERS: dict[int, np.dtype[Any]] = {
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
    16: np.dtype("uint16"),
    17: np.dtype("uint8"),
    18: np.dtype("uint8"),
    19: np.dtype("uint8"),
    20: np.dtype("uint8"),
    21: np.dtype("uint8"),
    22: np.dtype("uint8"),
    23: np.dtype("uint8"),
}
FIRST_WITHOUT_NUMPY = 16


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """ONNX Runtime cannot be fed or read in this type."""


class Adapter:
    """One session a model; it has no variants."""

    documentation = (
        "https://onnxruntime.ai/docs/execution-providers/OpenVINO-ExecutionProvider.html"
    )
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(HOLDERS)}
    refusals: ClassVar[list[dict[str, str]]] = [
        {
            "kind": "unsupported",
            "pattern": "NOT_IMPLEMENTED|Unsupported model IR version"
            "|under development and support for this"
            "|fallback to CPU EP has been explicitly disabled"
            "|doesn.t support|cannot operate with|Unsupported",
        },
        {"kind": "obscure", "pattern": "InsertedPrecisionFreeCast"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"onnxruntime-openvino has no variant {variant!r}, nor any other")
        if PROVIDER not in ort.get_available_providers():
            raise RuntimeError(f"this ONNX Runtime has no {PROVIDER}")
        ort.set_default_logger_severity(4)
        self.version = ort.__version__
        self.options = ort.SessionOptions()
        self.options.log_severity_level = 4
        self.options.intra_op_num_threads = 1
        # What the provider does not take is refused, not computed by ONNX Runtime itself.
        self.options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")

    def load(self, model: bytes, folder: str | None) -> Any:
        """Make a session."""
        source = model if folder is None else str(Path(folder, "model.onnx"))
        provider = (PROVIDER, {"device_type": "CPU", "precision": "FP32", "num_of_threads": "1"})
        session = ort.InferenceSession(source, self.options, providers=[provider])
        # It falls back without a word where a provider cannot be set up.
        if PROVIDER not in session.get_providers():
            raise RuntimeError(f"ONNX Runtime did not use {PROVIDER}")
        return session

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a session on OrtValues, which hold types that NumPy does not have."""
        # An OrtValue may borrow its array's memory, so the arrays live until the run is over.
        arrays = [_array(code, shape, data) for _, code, shape, data in inputs]
        feeds = {
            name: _ort_value(arrays[index], code) for index, (name, code, _, _) in enumerate(inputs)
        }
        outputs = loaded.run_with_ort_values([o.name for o in loaded.get_outputs()], feeds)
        return [_read(value) for value in outputs]


def _array(code: int, shape: tuple[int, ...], data: bytes) -> Any:
    if code not in HOLDERS:
        raise NotRunnable(f"cannot be fed element type {code}")
    array = np.zeros(shape, HOLDERS[code])
    array.reshape(-1).view(np.uint8)[: len(data)] = np.frombuffer(data, np.uint8)
    return array


def _ort_value(array: Any, code: int) -> Any:
    if code < FIRST_WITHOUT_NUMPY:
        return ort.OrtValue.ortvalue_from_numpy(array)
    return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, code)


def _read(value: Any) -> tuple[int, tuple[int, ...], bytes]:
    size = value.tensor_size_in_bytes()
    # The pointer of an empty tensor may be null.
    data = ctypes.string_at(value.data_ptr(), size) if size else b""
    return value.element_type(), tuple(value.shape()), data
