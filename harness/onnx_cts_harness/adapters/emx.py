"""emx-onnx-cgen, which writes a model as C and runs that; here compiled by the Zig of PyPI."""

from __future__ import annotations

import functools
import os
import shlex
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

import jinja2
import numpy as np
import onnx
from onnx import numpy_helper

# It needs a newer C compiler than many systems have; the user's own stays.
os.environ.setdefault("CC", f"{shlex.quote(sys.executable)} -m ziglang cc")
# It compiles all of its 170 templates for each model, which takes longer than the rest together.
jinja2.Environment.__init__ = functools.partialmethod(  # type: ignore[method-assign,assignment]
    jinja2.Environment.__init__, bytecode_cache=jinja2.FileSystemBytecodeCache(str(Path.cwd()))
)

from emx_onnx_cgen.onnx_backend.backend import prepare  # noqa: E402 - after the settings


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """This version of onnx has no arrays of a type."""


class Adapter:
    """Its implementation of ONNX's Backend API: a program a model; it has no variants."""

    documentation = "https://github.com/emmtrix/emx-onnx-cgen"
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "UnsupportedOpError|[Uu]nsupported"},
        {"kind": "obscure", "pattern": "Execution failed"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"emx has no variant {variant!r}, nor any other")
        self.version = metadata.version("emx-onnx-cgen")

    def load(self, model: bytes, folder: str | None) -> Any:
        """Write and compile the program."""
        if folder is None:
            proto = onnx.load_from_string(model)
        else:
            proto = onnx.load(str(Path(folder, "model.onnx")))
        return prepare(proto)

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run the program on arrays of NumPy and ml_dtypes."""
        arrays = [_array(code, shape, data) for _, code, shape, data in inputs]
        try:
            outputs = loaded.run(arrays)
        except RuntimeError as error:
            # What the program said is in the lines below the first.
            raise RuntimeError(" ".join(str(error).split())) from None
        return [_tensor(output) for output in outputs]


def _array(code: int, shape: tuple[int, ...], data: bytes) -> Any:
    try:
        proto = onnx.TensorProto(data_type=code, dims=shape, raw_data=data)
        return numpy_helper.to_array(proto)
    except Exception as error:  # noqa: BLE001 - onnx has no one error for it
        raise NotRunnable(f"no array of element type {code}: {error}") from None


def _tensor(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    proto = numpy_helper.from_array(np.asarray(output))
    return proto.data_type, tuple(proto.dims), proto.raw_data
