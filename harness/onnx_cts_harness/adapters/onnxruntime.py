"""ONNX Runtime on the CPU: graph optimisation off, or with the variant ``optimized`` all of it."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path
from typing import Any, ClassVar

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
# Width in bits of the other types: bfloat16, five of float8, int4, float4, int2 and float6.
SMALL = {
    16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 21: 4, 22: 4, 23: 4, 24: 8, 25: 2, 26: 2, 27: 6, 28: 6,
}  # fmt: skip


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """This version of ONNX Runtime cannot be fed or read in a type."""


class Adapter:
    """One session a model, on one thread: a pool costs more than most models."""

    documentation = "https://onnxruntime.ai/docs/"
    refusals: ClassVar[list[dict[str, str]]] = [
        {
            "kind": "unsupported",
            "pattern": "NOT_IMPLEMENTED|Unsupported model IR version"
            "|under development and support for this"
            "|Unhandled TensorProto_DataType",
        },
        {"kind": "obscure", "pattern": "InsertedPrecisionFreeCast"},
    ]

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
        fed = [code for code in SMALL if _can_be_fed(code)]
        self.feeds = {
            "inputs": [*PLAIN, *fed],
            "initializers": [code for code in SMALL if code not in fed],
        }

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


def _can_be_fed(code: int) -> bool:
    try:
        _ort_value(_array(code, (1,), bytes(SMALL[code] // 8 or 1)), code)
    except NotRunnable:
        return False
    return True


def _array(code: int, shape: tuple[int, ...], data: bytes) -> Any:
    if code in PLAIN:
        return np.frombuffer(data, PLAIN[code]).reshape(shape)
    if code == BFLOAT16:
        return np.frombuffer(data, np.uint16).reshape(shape)
    # Elements of a byte are the bytes; of less, ONNX Runtime wants an array of the logical shape
    # with the packed bytes at its front.
    array = np.zeros(math.prod(shape), np.uint8)
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
    # The bytes themselves: to ask for an array raises for most types that NumPy does not have.
    code, shape = value.element_type(), tuple(value.shape())
    if code not in PLAIN and code not in SMALL:
        raise NotRunnable(f"cannot be read in {value.data_type()}")
    bits = SMALL.get(code) or PLAIN[code].itemsize * 8
    size = -(-math.prod(shape) * bits // 8)
    # The pointer of an empty tensor may be null.
    return code, shape, ctypes.string_at(value.data_ptr(), size) if size else b""
