"""Exact arithmetic that remembers small results: most deviations of a call do mostly the same.

The functions are those of the reference, and their results the same; only that these are read-only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, NamedTuple, ParamSpec

import numpy as np

from onnx_cts_reference import arithmetic, formats
from onnx_cts_reference.formats import Array

P = ParamSpec("P")

#: Elements of an operand beyond which the arithmetic takes longer than the memory is worth.
MOST_ELEMENTS = 1024
MOST_RESULTS = 512


class _Small(NamedTuple):
    """An array as a key; bytes tell zeros of either sign from one another."""

    data: bytes
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


def _remembered(work: Callable[P, Array]) -> Callable[P, Array]:
    """A function of arrays and of what can be hashed, which remembers what it gave."""

    @lru_cache(MOST_RESULTS)
    def known(*args: Any, **kwargs: Any) -> Array:
        result = work(*map(_array, args), **kwargs)  # type: ignore[arg-type]
        result.setflags(write=False)
        return result

    @wraps(work)
    def remembered(*args: P.args, **kwargs: P.kwargs) -> Array:
        if any(isinstance(arg, np.ndarray) and arg.size > MOST_ELEMENTS for arg in args):
            return work(*args, **kwargs)
        return known(*map(_key, args), **kwargs)  # type: ignore[arg-type]

    return remembered


def _key(arg: object) -> Any:
    return _Small(arg.tobytes(), arg.dtype, arg.shape) if isinstance(arg, np.ndarray) else arg


def _array(arg: object) -> object:
    if not isinstance(arg, _Small):
        return arg
    return np.frombuffer(arg.data, arg.dtype).reshape(arg.shape)


round_to = _remembered(formats.round_to)
nearest = _remembered(formats.nearest)
convert_to = _remembered(formats.convert_to)
product_to_odd = _remembered(arithmetic.product_to_odd)
quotient_to_odd = _remembered(arithmetic.quotient_to_odd)
