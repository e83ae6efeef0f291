"""Apache TVM: the ONNX frontend of Relax, compiled with LLVM for the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import onnx
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

#: TVM's name of each type that can be fed as bits and read, by ONNX's number, with its holder.
TYPES = {
    1: ("float32", "float32"),
    2: ("uint8", "uint8"),
    3: ("int8", "int8"),
    4: ("uint16", "uint16"),
    5: ("int16", "int16"),
    6: ("int32", "int32"),
    7: ("int64", "int64"),
    9: ("bool", "bool"),
    10: ("float16", "float16"),
    11: ("float64", "float64"),
    12: ("uint32", "uint32"),
    13: ("uint64", "uint64"),
    16: ("bfloat16", "uint16"),
    17: ("float8_e4m3fn", "uint8"),
    18: ("float8_e4m3fnuz", "uint8"),
    19: ("float8_e5m2", "uint8"),
    20: ("float8_e5m2fnuz", "uint8"),
    24: ("float8_e8m0fnu", "uint8"),
}
CODES = {name: code for code, (name, _) in TYPES.items()}


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """TVM has no tensors of this type, or only such that cannot be filled or read."""


class Adapter:
    """A virtual machine a model; it has no variants."""

    documentation = "https://tvm.apache.org/docs/"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES), "initializers": [21, 22, 23]}
    refusals: ClassVar[list[dict[str, str]]] = [
        {
            "kind": "unsupported",
            "pattern": "not supported|Unsupported (in|out)put datatype|datatype should be one of",
        },
        {"kind": "obscure", "pattern": "Check failed"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"tvm has no variant {variant!r}, nor any other")
        self.version = str(tvm.__version__)

    def load(self, model: bytes, folder: str | None) -> Any:
        """Import and compile a model."""
        if folder is None:
            proto = onnx.load_from_string(model)
        else:
            proto = onnx.load(str(Path(folder, "model.onnx")))
        module = from_onnx(proto)
        module = relax.transform.DecomposeOpsForInference()(module)
        module = relax.transform.LegalizeOps()(module)
        return relax.VirtualMachine(tvm.compile(module, target="llvm"), tvm.cpu())

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a compiled model on TVM's tensors."""
        found = loaded["main"](*(_tensor(code, shape, data) for _, code, shape, data in inputs))
        outputs = [found] if isinstance(found, tvm.runtime.Tensor) else list(found)
        return [_read(output) for output in outputs]


def _tensor(code: int, shape: tuple[int, ...], data: bytes) -> Any:
    if code not in TYPES:
        raise NotRunnable(f"TVM has no tensors of element type {code} that can be filled")
    name, holder = TYPES[code]
    array = np.frombuffer(data, holder).reshape(shape)
    bits = tvm.runtime.tensor(array)
    return bits if name == holder else bits._create_view(shape, name)


def _read(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    name, shape = str(output.dtype), tuple(int(length) for length in output.shape)
    if name not in CODES:
        raise NotRunnable(f"cannot be read in {name}")
    holder = TYPES[CODES[name]][1]
    bits = output if name == holder else output._create_view(shape, holder)
    return CODES[name], shape, bits.numpy().tobytes()
