"""Arrays as the tensors that rules see, and calls made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from onnx_cts_reference.formats import Array, codes_of, format_of_dtype
from onnx_cts_specs import Call, Tensor


def tensor_from(array: Array) -> Tensor:
    """What rules may know of an array."""
    try:
        name = format_of_dtype(array.dtype).name
    except KeyError:
        # No covered type: the rule on types will say so.
        return Tensor(str(array.dtype), array.shape)
    return Tensor(name, array.shape, nonzero=bool(codes_of(array).any()))


def call_from(arrays: Mapping[str, Array], attributes: Mapping[str, Any]) -> Call:
    """The call that arrays and attributes make, NumPy scalars taken as plain numbers."""
    return Call(
        {name: tensor_from(array) for name, array in arrays.items()},
        {n: v.item() if isinstance(v, np.generic) else v for n, v in attributes.items()},
    )


def answered_arrays(arrays: Mapping[str, Array], call: Call) -> dict[str, Array]:
    """The arrays of a call after an open question was answered: some left out or reshaped."""
    return {name: arrays[name].reshape(t.shape) for name, t in call.present().items()}
