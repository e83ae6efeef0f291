"""mlprodict 0.9, the Python runtime of 2023 that came before ONNX's own reference.

Its wheels are for Python 3.8 to 3.10. On a later Python the same wheel, unpacked beside its
dependencies, runs all that is written in Python; an operator that is compiled is then refused.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import onnx
from onnx import numpy_helper

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Element types that NumPy has, by their number in onnx.TensorProto.DataType.
PLAIN = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool",
    10: "float16", 11: "float64", 12: "uint32", 13: "uint64",
}  # fmt: skip


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """An output is no array of a type of ONNX's."""


class Absent(ModuleType):
    """A module that is compiled for another Python: its names exist, and raise when called."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def absent(*_: Any, **__: Any) -> Any:
            version = ".".join(map(str, sys.version_info[:2]))
            raise NotImplementedError(
                f"{self.__name__}.{name} is not compiled for Python {version}"
            )

        return absent


class OtherPythons(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules of mlprodict of which there is nothing but a file for another Python."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find a module, of which this Python has found nothing that it can load."""
        package, _, name = fullname.rpartition(".")
        if not package.startswith("mlprodict"):
            return None
        for folder in path or ():
            if any(Path(folder).glob(f"{name}.cpython-*")):
                return importlib.machinery.ModuleSpec(fullname, self)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Make a module that has every name."""
        return Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


# At the end: what this Python can load is found before.
sys.meta_path.append(OtherPythons())

import mlprodict  # noqa: E402
from mlprodict.onnxrt import OnnxInference  # noqa: E402


class Adapter:
    """One inference a model with the runtime in Python; it has no variants here."""

    documentation = "https://pypi.org/project/mlprodict/0.9.1883/"
    feeds: ClassVar[dict[str, list[int]]] = {
        "inputs": list(PLAIN),
        # onnx makes arrays of what is in a model, as far as its release knows the type.
        "initializers": [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28],
    }
    refusals: ClassVar[list[dict[str, str]]] = [
        {
            "kind": "unsupported",
            "pattern": "Unable to find a class for operator|elem_type '\\d+' is unknown"
            "|Input 2 must be a vector or a number|Unexpected dtype for input 2"
            "|is not compiled for Python",
        },
        {
            "kind": "obscure",
            "pattern": "^KeyError: |tuple index out of range|Issues with types"
            "|Unable to run operator",
        },
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"mlprodict has no variant {variant!r}, nor any other")
        self.version = mlprodict.__version__

    def load(self, model: bytes, folder: str | None) -> Any:
        """Make an inference."""
        if folder is None:
            return OnnxInference(model, runtime="python")
        return OnnxInference(onnx.load(str(Path(folder, "model.onnx"))), runtime="python")

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run an inference on arrays of NumPy."""
        feeds = {
            name: np.frombuffer(data, PLAIN[code]).reshape(shape)
            for name, code, shape, data in inputs
        }
        outputs = loaded.run(feeds)
        return [_tensor(outputs[value.name]) for value in loaded.obj.graph.output]


def _tensor(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    try:
        proto = numpy_helper.from_array(np.asarray(output))
    except Exception as error:  # noqa: BLE001 - onnx has no one error for it
        raise NotRunnable(f"no tensor of a {type(output).__name__}: {error}") from None
    return proto.data_type, tuple(proto.dims), proto.raw_data
