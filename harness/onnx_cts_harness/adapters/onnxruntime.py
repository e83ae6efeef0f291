"""ONNX Runtime on the CPU: graph optimisation off, or with the variant ``optimized`` all of it."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

# Element types that NumPy has, by their number in onnx.TensorProto.DataType.
PLAIN: dict[int, np.dtype[Any]] = {
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
BFLOAT16 = 16
READ_RAW = all(
    hasattr(ort.OrtValue, name) for name in ("data_ptr", "element_type", "tensor_size_in_bytes")
)


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """This version of ONNX Runtime cannot be fed or read in a type."""


class Adapter:
    """One session a model, on one thread: a pool costs more than most models."""

    def __init__(self, variant: str | None) -> None:
        levels = ort.GraphOptimizationLevel
        known = {None: levels.ORT_DISABLE_ALL, "optimized": levels.ORT_ENABLE_ALL}
        if variant not in known:
            raise ValueError(f"onnxruntime has no variant {variant!r}; it has 'optimized'")
        ort.set_default_logger_severity(4)
        self.version = ort.__version__
        self.options = ort.SessionOptions()
        self.options.graph_optimization_level = known[variant]
        self.options.intra_op_num_threads = 1
        self.options.inter_op_num_threads = 1
        self.options.log_severity_level = 4

    def load(self, model: bytes, folder: str | None) -> Any:
        """Make a session."""
        source = model if folder is None else str(Path(folder, "model.onnx"))
        return ort.InferenceSession(source, self.options, providers=["CPUExecutionProvider"])

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
    if code in PLAIN:
        return np.frombuffer(data, PLAIN[code]).reshape(shape)
    if code == BFLOAT16:
        return np.frombuffer(data, np.uint16).reshape(shape)
    # Elements of a byte are the bytes; of less, ONNX Runtime wants an array of the logical shape
    # with the packed bytes at its front.
    array = np.zeros(int(np.prod(shape, dtype=np.int64)), np.uint8)
    array[: len(data)] = np.frombuffer(data, np.uint8)
    return array.reshape(shape)


def _ort_value(array: Any, code: int) -> Any:
    if code in PLAIN:
        return ort.OrtValue.ortvalue_from_numpy(array)
    try:
        return ort.OrtValue.ortvalue_from_numpy_with_onnx_type(array, code)
    except Exception as error:  # noqa: BLE001 - it may lack the function, or the type
        raise NotRunnable(f"cannot be fed element type {code}: {error}") from None


def _read(value: Any) -> tuple[int, tuple[int, ...], bytes]:
    if READ_RAW:
        size = value.tensor_size_in_bytes()
        # The pointer of an empty tensor may be null.
        data = ctypes.string_at(value.data_ptr(), size) if size else b""
        return value.element_type(), tuple(value.shape()), data
    try:
        array = value.numpy()
        code = next(code for code, dtype in PLAIN.items() if dtype == array.dtype)
    except Exception:  # noqa: BLE001 - it has no one error for it
        raise NotRunnable(f"cannot be read in {value.data_type()}") from None
    return code, array.shape, array.tobytes()
