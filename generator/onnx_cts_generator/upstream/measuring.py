"""How far two arrays are from each other, in units in the last place and relatively."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onnx_cts_generator.upstream.finding import Measure

Array = NDArray[Any]


def measured(first: Array, second: Array) -> Measure:
    """How far two arrays of one dtype and shape are from each other."""
    a, b = first.reshape(-1), second.reshape(-1)
    if a.dtype.kind in "OSU":
        return Measure(int(np.sum(a != b)), a.size)
    if a.dtype.kind == "c":
        part = a.real.dtype
        # An element of two numbers; the worse of them counts.
        both = measured(a.view(part), b.view(part))
        wrong = int(np.sum(_differ(a.view(part), b.view(part)).reshape(-1, 2).any(axis=1)))
        return replace(both, wrong=wrong, elements=a.size)
    differ = _differ(a, b)
    a, b = a[differ], b[differ]
    nan = _nan(a) | _nan(b)
    a, b = a[~nan], b[~nan]
    x, y = ordinals(a), ordinals(b)
    steps = np.where(x > y, x - y, y - x)
    return Measure(
        int(differ.sum()),
        first.size,
        int(steps.max()) if steps.size else None,
        *_distances(a, b),
        int(nan.sum()),
    )


def _differ(a: Array, b: Array) -> NDArray[np.bool_]:
    bits = np.dtype(f"u{a.dtype.itemsize}")
    other: NDArray[np.bool_] = np.not_equal(a.view(bits), b.view(bits))
    return other & ~(_nan(a) & _nan(b))


def _nan(array: Array) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):  # of a signalling NaN
        return np.asarray(np.not_equal(array, array))


def _distances(a: Array, b: Array) -> tuple[float | None, float | None]:
    """The most relative and the most absolute difference of finite numbers."""
    x, y = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(x) & np.isfinite(y)
    x, y = x[finite], y[finite]
    if not x.size:
        return None, None
    larger = np.maximum(np.abs(x), np.abs(y))
    # The halves of large numbers, since their difference might overflow; not of small ones.
    scale = np.where(larger > 1, 0.5, 1)
    divisor = np.where(larger > 0, larger * scale, 1)
    apart = np.abs(x * scale - y * scale)
    with np.errstate(over="ignore"):
        absolute = np.minimum(apart / scale, np.finfo(np.float64).max)
    return float(np.max(apart / divisor)), float(np.max(absolute))


def ordinals(array: Array) -> NDArray[np.uint64]:
    """Unsigned integers in the order of the values, so that their differences count ULPs.

    Works for every dtype of NumPy and ml_dtypes that ONNX has, those of 64 bits included, which the
    reference's formats leave out. Both zeros have the same.
    """
    middle = np.uint64(1 << 63)
    if array.dtype.kind in "ub":
        return array.astype(np.uint64)
    if array.dtype.kind == "i" or "int" in array.dtype.name:
        return array.astype(np.int64).view(np.uint64) ^ middle
    bits = array.view(f"u{array.dtype.itemsize}").astype(np.uint64)
    if array.dtype.name == "float8_e8m0fnu":
        return bits
    half = np.uint64(1 << _width(array.dtype) - 1)
    magnitude = bits & (half - np.uint64(1))
    return np.where(bits & half, middle - magnitude, middle + magnitude)


def _width(dtype: np.dtype[Any]) -> int:
    import ml_dtypes

    return int(ml_dtypes.finfo(dtype).bits)  # type: ignore[no-untyped-call]
