"""What the page shows of one case: its model as text, and its tensors."""

from __future__ import annotations

import base64
from typing import Any

from onnx_cts_harness.case import Case, LoadedCase
from onnx_cts_harness.report.html.packing import Texts
from onnx_cts_harness.shown import model_text
from onnx_cts_harness.tensor import Tensor


def details(loaded: LoadedCase, texts: Texts) -> dict[str, Any]:
    """Model, inputs, expected outputs with their bounds, readings, and external data.

    ``bytes`` is the model itself, where the text does not give it back.
    """
    text = model_text(loaded.model)
    case = loaded.case
    kept: dict[str, Any] = {
        "opset": case.opset,
        "reading": texts.index(" ".join(case.reading)),
        "presents": texts.index(case.presents),
        "model": [texts.index(line) for line in text.splitlines()],
        "inputs": [_tensor(*pair) for pair in zip(case.inputs, loaded.inputs, strict=True)],
    }
    if loaded.files or not _is_whole(text, loaded.model):
        kept["bytes"] = base64.b64encode(loaded.model).decode()
        kept["files"] = {name: data.hex() for name, data in loaded.files.items()}
    return kept | _expected(loaded, case)


def _expected(loaded: LoadedCase, case: Case) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    if loaded.expected:
        pairs = list(zip(case.outputs, loaded.expected, strict=True))
        kept["outputs"] = [_tensor(name, expected.value) for name, expected in pairs]
        bounds = [(n, e.lower, e.upper) for n, e in pairs if e.lower and e.upper]
        if bounds:
            kept["lower"] = [_tensor(name, lower) for name, lower, _ in bounds]
            kept["upper"] = [_tensor(name, upper) for name, _, upper in bounds]
    if loaded.readings:
        kept["readings"] = {
            reading: [_tensor(*pair) for pair in zip(case.outputs, tensors, strict=True)]
            for reading, tensors in loaded.readings.items()
        }
    return kept


def _tensor(name: str, tensor: Tensor) -> tuple[str, int, tuple[int, ...], str]:
    return name, tensor.code, tensor.shape, tensor.data.hex()


def _is_whole(text: str, model: bytes) -> bool:
    """Whether onnx.parser makes the same model of a text, which Python can have in a string."""
    from onnx import parser

    if '"""' in text or "\\" in text:
        return False
    try:
        again = parser.parse_model(text)
    except (parser.ParseError, UnicodeDecodeError):
        return False
    return bool(again.SerializeToString() == model)
