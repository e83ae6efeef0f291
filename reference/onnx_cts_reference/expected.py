"""An expected output: the value, and the interval of what a backend may answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onnx_cts_reference.chunks import PIECE
from onnx_cts_reference.formats import (
    Array,
    Codes,
    Float64s,
    Format,
    array_of,
    codes_of,
    format_of_dtype,
    values_of,
)


@dataclass(frozen=True)
class Expected:
    """One output under every reading that the text admits.

    ``value``, ``lower`` and ``upper`` are arrays in the output's dtype and shape. Permitted is
    the closed interval from ``lower`` to ``upper``, and NaN where ``value`` is NaN. Where a
    reading gives NaN although ``value`` is a number, NaN is permitted too: it then stands in
    ``lower`` or ``upper``, in place of the end that ``value`` itself is.

    Attributes:
        readings: The whole output under each reading, the one of ``value`` first.
    """

    readings: Mapping[str, Array]

    @property
    def value_reading(self) -> str:
        """The name of the reading that gave ``value``."""
        return next(iter(self.readings))

    @property
    def value(self) -> Array:
        """The expected output."""
        return self.readings[self.value_reading]

    @property
    def lower(self) -> Array:
        """The least permitted output, element by element."""
        return self._bounds[0]

    @property
    def upper(self) -> Array:
        """The greatest permitted output, element by element."""
        return self._bounds[1]

    @property
    def lower_reading(self) -> NDArray[np.str_]:
        """The name of the reading that gave each element of ``lower``."""
        return np.array(list(self.readings))[_extremes(self._stack)[0]]

    @property
    def upper_reading(self) -> NDArray[np.str_]:
        """The name of the reading that gave each element of ``upper``."""
        return np.array(list(self.readings))[_extremes(self._stack)[1]]

    @property
    def is_single(self) -> bool:
        """Whether each element has one permitted value, the signs of zeros and NaN aside."""
        nan = np.isnan(self._stack)
        same = (self._stack == self._stack[0]).all(axis=0)
        return bool((nan.all(axis=0) | same).all())

    @cached_property
    def _stack(self) -> Float64s:
        return _stacked([codes_of(array) for array in self.readings.values()], self._format)

    @property
    def _format(self) -> Format:
        return format_of_dtype(self.value.dtype)

    @cached_property
    def _bounds(self) -> tuple[Array, Array]:
        different = [self.value]
        for array in self.readings.values():
            if not any(_same(array, known) for known in different):
                different.append(array)
        if len(different) == 1:
            return self.value, self.value
        if self.value.dtype.kind in "iu":
            return reduce(np.minimum, different), reduce(np.maximum, different)
        codes = [codes_of(array).reshape(-1) for array in different]
        # Only where the readings differ is there anything to choose, and that is rarely so.
        differs = codes[0] != codes[1]
        for one in codes[2:]:
            differs |= codes[0] != one
        there = np.flatnonzero(differs)
        lower, upper = codes[0].copy(), codes[0].copy()
        # In pieces that the processor's cache holds.
        for start in range(0, there.size, PIECE):
            part = there[start : start + PIECE]
            here = [one[part] for one in codes]
            low, high = _extremes(_stacked(here, self._format))
            lower[part], upper[part] = _at(np.stack(here), low), _at(np.stack(here), high)
        shape, form = self.value.shape, self._format
        return array_of(lower.reshape(shape), form), array_of(upper.reshape(shape), form)


def _same(one: Array, other: Array) -> bool:
    # Bytes: two NaN are the same, and two zeros of different sign are not.
    return one is other or bool(np.array_equal(codes_of(one), codes_of(other)))


def _stacked(codes: Sequence[Codes], form: Format) -> Float64s:
    return np.stack([values_of(one, form) for one in codes])


def _extremes(stack: Float64s) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each element the index of the reading that gives ``lower``, and ``upper``."""
    nan = np.isnan(stack)
    if not nan.any():
        return stack.argmin(axis=0), stack.argmax(axis=0)
    low = np.where(nan, np.inf, stack).argmin(axis=0)
    high = np.where(nan, -np.inf, stack).argmax(axis=0)
    # argmin meets an infinity that is a number after one that stands for NaN.
    low = np.where(nan.all(axis=0), 0, np.where(_at(nan, low), (~nan).argmax(axis=0), low))
    high = np.where(nan.all(axis=0), 0, np.where(_at(nan, high), (~nan).argmax(axis=0), high))
    mixed = nan.any(axis=0) & ~nan[0]
    value_is_low = _at(stack, low) == stack[0]
    a_nan = nan.argmax(axis=0)
    return (
        np.where(mixed & value_is_low, a_nan, low),
        np.where(mixed & ~value_is_low, a_nan, high),
    )


def _at(stack: NDArray[Any], index: NDArray[np.intp]) -> NDArray[Any]:
    picked: NDArray[Any] = np.take_along_axis(stack, index[None], axis=0)[0]
    return picked
