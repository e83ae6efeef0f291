"""An expected output: the value, and the interval of what a backend may answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onnx_cts_reference.formats import Array, codes_of, format_of_dtype, values_of


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
        return self._pick(self._extremes[0])

    @property
    def upper(self) -> Array:
        """The greatest permitted output, element by element."""
        return self._pick(self._extremes[1])

    @property
    def lower_reading(self) -> NDArray[np.str_]:
        """The name of the reading that gave each element of ``lower``."""
        return np.array(list(self.readings))[self._extremes[0]]

    @property
    def upper_reading(self) -> NDArray[np.str_]:
        """The name of the reading that gave each element of ``upper``."""
        return np.array(list(self.readings))[self._extremes[1]]

    @property
    def is_single(self) -> bool:
        """Whether each element has one permitted value, the signs of zeros and NaN aside."""
        nan = np.isnan(self._stack)
        same = (self._stack == self._stack[0]).all(axis=0)
        return bool((nan.all(axis=0) | same).all())

    @cached_property
    def _stack(self) -> NDArray[np.float64]:
        form = format_of_dtype(self.value.dtype)
        return np.stack([values_of(codes_of(a), form) for a in self.readings.values()])

    @cached_property
    def _extremes(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """For each element the index of the reading that gives ``lower``, and ``upper``."""
        stack = self._stack
        nan = np.isnan(stack)
        low = np.where(nan, np.inf, stack).argmin(axis=0)
        high = np.where(nan, -np.inf, stack).argmax(axis=0)
        # argmin meets an infinity that is a number after one that stands for NaN.
        low = np.where(nan.all(axis=0), 0, np.where(self._at(nan, low), (~nan).argmax(axis=0), low))
        high = np.where(
            nan.all(axis=0), 0, np.where(self._at(nan, high), (~nan).argmax(axis=0), high)
        )
        mixed = nan.any(axis=0) & ~nan[0]
        value_is_low = self._at(stack, low) == stack[0]
        a_nan = nan.argmax(axis=0)
        return (
            np.where(mixed & value_is_low, a_nan, low),
            np.where(mixed & ~value_is_low, a_nan, high),
        )

    @staticmethod
    def _at(stack: NDArray[Any], index: NDArray[np.intp]) -> NDArray[Any]:
        picked: NDArray[Any] = np.take_along_axis(stack, index[None], axis=0)[0]
        return picked

    def _pick(self, index: NDArray[np.intp]) -> Array:
        arrays = list(self.readings.values())
        picked = arrays[0].copy()
        for place, array in enumerate(arrays[1:], start=1):
            np.copyto(picked, array, where=index == place)
        return picked
