"""Show a tensor in one line, and a model as text."""

from __future__ import annotations

import numpy as np

from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.text import clean
from onnx_cts_reference.formats import Array, format_of_dtype

#: Of longer tensors, only the ends are shown.
MOST_ELEMENTS = 64


def shown(array: Array) -> str:
    """Type, shape and elements of an array, such as ``float[2] [0.5 1.]``.

    Nine digits tell any two values of every format apart.
    """
    try:
        is_float = format_of_dtype(array.dtype).is_float
    except KeyError:
        return f"{array.dtype}{list(array.shape)}"
    wide = array.astype(np.float64) if is_float else array.astype(np.int64)
    text = np.array2string(wide, threshold=MOST_ELEMENTS, max_line_width=10_000, precision=9)
    return f"{tensor_of(array)} {clean(text)}"


def model_text(model: bytes) -> str:
    """A serialized model in ONNX's textual form."""
    import onnx
    from onnx import printer

    return str(printer.to_text(onnx.ModelProto.FromString(model))).rstrip()
