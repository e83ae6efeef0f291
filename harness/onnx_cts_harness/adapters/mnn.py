"""MNN on the CPU, after its own converter.

The converter segfaults on many models, so it has a process of its own, as a program would.
"""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import MNN
import numpy as np
from MNN import expr, nn

#: What can be put in its variables and read, by number in onnx.TensorProto.DataType: int8 is not
#: taken, and of int64 and float64 the halves of the elements are.
TYPES: dict[int, tuple[Any, Any]] = {
    1: (expr.float, np.dtype("float32")),
    2: (expr.uint8, np.dtype("uint8")),
    6: (expr.int, np.dtype("int32")),
}
CODES = {kind: code for code, (kind, _) in TYPES.items()}
# The extension itself: the script mnnconvert installs packages, and calls home.
CONVERTER = "import _tools, sys; _tools.mnnconvert(sys.argv[1:])"
STDERR_LINES = 6


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """MNN has no variables of this type."""


class Crashed(Exception):  # noqa: N818 - the harness knows it by this name
    """The converter died."""

    def __init__(self, how: str, stderr: list[str]) -> None:
        super().__init__(how)
        self.stderr = stderr


class Adapter:
    """A module a model; it has no variants."""

    documentation = "https://mnn-docs.readthedocs.io/"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(TYPES), "initializers": [3, 7, 9, 10, 11, 16]}
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "obscure", "pattern": "SystemError|wrote no model"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"mnn has no variant {variant!r}, nor any other")
        self.version = str(MNN.version())

    def load(self, model: bytes, folder: str | None) -> Any:
        """Convert a model, and load what comes of it."""
        # In the worker's own folder, which is removed even if the worker is killed.
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as home:
            path, converted = Path(folder or home, "model.onnx"), Path(home, "model.mnn")
            path.write_bytes(model)
            files = ["--modelFile", str(path), "--MNNModel", str(converted)]
            _convert(["mnnconvert", "-f", "ONNX", *files, "--bizCode", "onnx-cts"])
            if not converted.is_file() or not converted.stat().st_size:
                raise RuntimeError("MNN's converter wrote no model")
            return nn.load_module_from_file(str(converted), [], [])

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a module on MNN's variables."""
        feeds = {name: _variable(code, shape, data) for name, code, shape, data in inputs}
        # An input that the converted model does not use is no longer one of its own.
        found = loaded.forward([feeds[name] for name in loaded.get_info()["inputNames"]])
        return [_read(output) for output in found]


def _convert(arguments: list[str]) -> None:
    ended = subprocess.run(  # noqa: S603 - this very Python
        [sys.executable, "-c", CONVERTER, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    lines = ended.stderr.decode(errors="replace").splitlines()
    if ended.returncode == 1:  # Python's own, after an exception
        raise RuntimeError(lines[-1] if lines else "MNN's converter failed")
    if ended.returncode < 0:
        how = f"killed by {signal.Signals(-ended.returncode).name}"
        raise Crashed(how, lines[-STDERR_LINES:])
    if ended.returncode:
        raise Crashed(f"exit code {ended.returncode}", lines[-STDERR_LINES:])


def _variable(code: int, shape: tuple[int, ...], data: bytes) -> Any:
    if code not in TYPES:
        raise NotRunnable(f"MNN has no variables of element type {code}")
    kind, dtype = TYPES[code]
    return expr.const(np.frombuffer(data, dtype).reshape(shape), list(shape), expr.NCHW, kind)


def _read(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    if output.dtype not in CODES:
        raise NotRunnable(f"cannot be read in {output.dtype}")
    code, shape = CODES[output.dtype], tuple(output.shape)
    # It cannot be asked for the elements of an empty tensor.
    data = np.asarray(output.read(), TYPES[code][1]).tobytes() if math.prod(shape) else b""
    return code, shape, data
