"""onnx2pytorch, which converts a model to a module of PyTorch, run on the CPU."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import onnx
import torch


def _stand_in_for_torchvision() -> None:
    """Let onnx2pytorch be imported: it imports torchvision for a few operators on images."""
    names = {
        "torchvision": (),
        "torchvision.io": ("decode_image", "ImageReadMode"),
        "torchvision.ops": ("deform_conv2d", "roi_align", "roi_pool"),
    }
    for name, attributes in names.items():
        module = ModuleType(name)
        vars(module).update(dict.fromkeys(attributes))
        sys.modules[name] = module


try:
    import torchvision  # noqa: F401
except (ImportError, RuntimeError):
    # It is absent, or built for another PyTorch, such as one with CUDA.
    _stand_in_for_torchvision()

import onnx2pytorch  # noqa: E402

#: PyTorch's name of each type that both have, by ONNX's number.
NAMES = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    16: "bfloat16",
    17: "float8_e4m3fn",
    18: "float8_e4m3fnuz",
    19: "float8_e5m2",
    20: "float8_e5m2fnuz",
    24: "float8_e8m0fnu",
}
TYPES = {code: getattr(torch, name) for code, name in NAMES.items()}
CODES = {dtype: code for code, dtype in TYPES.items()}


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """PyTorch has no tensors of this type."""


class Adapter:
    """A module a model; it has no variants."""

    documentation = "https://github.com/Talmaj/onnx2pytorch"
    feeds: ClassVar[dict[str, Any]] = {"inputs": list(NAMES), "initializers": [21, 22, 23, 25, 26]}
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "The only supported types are|NotImplementedError"},
        {"kind": "obscure", "pattern": "unexpected keyword argument"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"onnx2pytorch has no variant {variant!r}, nor any other")
        self.version = str(onnx2pytorch.__version__)
        torch.set_num_threads(1)

    def load(self, model: bytes, folder: str | None) -> Any:
        """Convert a model."""
        if folder is None:
            proto = onnx.load_from_string(model)
        else:
            proto = onnx.load(str(Path(folder, "model.onnx")))
        return onnx2pytorch.ConvertModel(proto, experimental=True).eval()

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run a module on PyTorch's tensors."""
        feeds = {name: _tensor(code, shape, data) for name, code, shape, data in inputs}
        with torch.no_grad():
            found = loaded(**feeds)
        outputs = [found] if isinstance(found, torch.Tensor) else list(found)
        return [_read(output) for output in outputs]


def _tensor(code: int, shape: tuple[int, ...], data: bytes) -> Any:
    if code not in TYPES:
        raise NotRunnable(f"PyTorch has no tensors of element type {code}")
    # Not frombuffer: it takes no empty buffer, and none that cannot be written.
    octets = torch.tensor(list(data), dtype=torch.uint8)
    return octets.view(TYPES[code]).reshape(shape)


def _read(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    if output.dtype not in CODES:
        raise NotRunnable(f"cannot be read in {output.dtype}")
    octets = output.detach().contiguous().reshape(-1).view(torch.uint8)
    return CODES[output.dtype], tuple(output.shape), bytes(octets.tolist())
