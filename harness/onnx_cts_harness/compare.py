"""Compare a tensor with what is expected, element by element, in the codes of its format."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onnx_cts_harness.case import Expected
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.formats import Codes, Format, is_nan, ordinals, pack, values_of

Number = int | float
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Difference:
    """The worst element of a wrong output, and how many there are.

    Attributes:
        index: Where the worst element is.
        expected: Its expected value.
        permitted: Least and greatest permitted value, then NaN if that is permitted too; empty
            where the expected value alone is permitted.
        got: What the backend gave.
        ulp: Distance from the nearest permitted value in units in the last place; None where one
            side is NaN.
        wrong: Number of wrong elements.
        elements: Number of elements.
    """

    index: tuple[int, ...]
    expected: Number
    permitted: tuple[Number, ...]
    got: Number
    ulp: int | None
    wrong: int
    elements: int


@dataclass(frozen=True)
class _Interval:
    """Permitted ordinals of each element; an element without any has ``some`` False."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    some: Bools
    nan: Bools

    def holds(self, got: NDArray[np.int64], got_nan: Bools) -> Bools:
        inside = self.some & (self.distance(got) <= 0)
        return np.where(got_nan, self.nan, inside)

    def distance(self, got: NDArray[np.int64]) -> NDArray[np.int64]:
        below, above = self.low - got, got - self.high
        return np.where(below > above, below, above)


def is_exact(expected: Tensor, got: Tensor) -> bool:
    """Whether the tensors have the same type, shape and codes; NaN is any NaN.

    Raises:
        ValueError: The data of ``got`` is not as long as its shape asks.
    """
    if (expected.code, expected.shape) != (got.code, got.shape):
        return False
    if expected.data == got.data:
        return True
    form, want, have = expected.format, expected.codes, got.codes
    return bool(np.all((want == have) | (is_nan(want, form) & is_nan(have, form))))


def is_same(expected: Tensor, got: Tensor) -> bool:
    """Whether the tensors are equal as ``is_exact`` has it, but for the sign of zeros.

    Raises:
        ValueError: The data of ``got`` is not as long as its shape asks.
    """
    if (expected.code, expected.shape) != (got.code, got.shape):
        return False
    if expected.data == got.data:
        return True
    form = expected.format
    return np.array_equal(canonical(expected.codes, form), canonical(got.codes, form))


def canonical(codes: Codes, form: Format) -> Codes:
    """Codes in which all NaN are one, and both zeros."""
    if not form.is_float:
        return codes
    if form.bits <= 16:
        found: Codes = _canonical_table(form)[codes]
        return found
    return _made_canonical(codes, form)


@cache
def _canonical_table(form: Format) -> Codes:
    return _made_canonical(np.arange(1 << form.bits).astype(form.code_dtype), form)


def _made_canonical(codes: Codes, form: Format) -> Codes:
    plain = np.where(ordinals(codes, form) == 0, codes.dtype.type(0), codes)
    if form.nan:
        plain = np.where(is_nan(codes, form), codes.dtype.type(form.nan_code), plain)
    return plain


def digest(tensor: Tensor) -> str:
    """A short name of a tensor's type, shape and values, the same for any NaN and padding."""
    data = tensor.data
    try:
        form, codes = tensor.format, tensor.codes
        if form.bits < 8:
            data = pack(codes, form)  # What is left over of the last byte may be anything.
        elif form.nan and (nan := is_nan(codes, form)).any():
            data = pack(np.where(nan, form.nan_code, codes), form)
    except ValueError:
        pass  # Of a type that is not known here, or cut short: the bytes have to do.
    return f"{tensor}:{hashlib.sha256(data).hexdigest()[:16]}"


def wrong_elements(expected: Expected, got: Tensor) -> Bools:
    """Which elements are outside of the permitted results, as ``difference`` has it, flat.

    Raises:
        ValueError: The data of ``got`` is not as long as its shape asks.
    """
    form = expected.value.format
    codes = got.codes.reshape(-1)
    return ~_interval(expected, form).holds(ordinals(codes, form), is_nan(codes, form))


def difference(expected: Expected, got: Tensor) -> Difference | None:
    """The worst element outside of the permitted results; None if all are inside.

    Per element the permitted results are the closed interval from lower to upper, or the value
    alone. A NaN bound permits NaN, and the value stands for it as that end of the interval; a NaN
    value permits NaN. Zeros are equal whatever their sign.

    Args:
        expected: What is permitted.
        got: A tensor of the same type and shape.

    Raises:
        ValueError: The data of ``got`` is not as long as its shape asks.
    """
    form = expected.value.format
    codes = got.codes.reshape(-1)
    interval = _interval(expected, form)
    order, nans = ordinals(codes, form), is_nan(codes, form)
    wrong = ~interval.holds(order, nans)
    if not wrong.any():
        return None
    comparable = interval.some & ~nans
    distance = interval.distance(order)
    # A NaN on one side alone is worse than any distance.
    badness = np.where(wrong, np.where(comparable, distance, np.iinfo(np.int64).max), -1)
    worst = int(np.argmax(badness))
    return Difference(
        tuple(int(i) for i in np.unravel_index(worst, got.shape)),
        _number(expected.value.codes.reshape(-1)[worst], form),
        _permitted(expected, worst),
        _number(codes[worst], form),
        int(distance[worst]) if comparable[worst] else None,
        int(wrong.sum()),
        got.size,
    )


def _interval(expected: Expected, form: Format) -> _Interval:
    value = expected.value.codes.reshape(-1)
    order, nan = ordinals(value, form), is_nan(value, form)
    if expected.lower is None or expected.upper is None:
        return _Interval(order, order, ~nan, nan)
    lower, upper = expected.lower.codes.reshape(-1), expected.upper.codes.reshape(-1)
    low_nan, high_nan = is_nan(lower, form), is_nan(upper, form)
    low = np.where(low_nan, order, ordinals(lower, form))
    high = np.where(high_nan, order, ordinals(upper, form))
    # Where the value cannot stand for a NaN bound, the other bound is all there is.
    low, high = np.where(low_nan & nan, high, low), np.where(high_nan & nan, low, high)
    return _Interval(low, high, ~(low_nan & high_nan & nan), nan | low_nan | high_nan)


def _permitted(expected: Expected, at: int) -> tuple[Number, ...]:
    if expected.lower is None or expected.upper is None:
        return ()
    form = expected.value.format
    tensors = (expected.value, expected.lower, expected.upper)
    value, lower, upper = (_number(t.codes.reshape(-1)[at], form) for t in tensors)
    nan = tuple(n for n in (value, lower, upper) if math.isnan(n))[:1]
    ends = [value if math.isnan(n) else n for n in (lower, upper)]
    ends = [n for n in ends if not math.isnan(n)]
    return (ends[0], ends[-1], *nan) if ends and (nan or ends[0] != ends[-1]) else ()


def _number(code: Any, form: Format) -> Number:
    one: Codes = np.array([code], form.code_dtype)
    value = values_of(one, form)[0].item()
    return value if form.is_float else int(value)
