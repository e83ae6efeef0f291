"""Arrays as the tensors that rules see, and calls made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from onnx_cts_reference.chunks import PIECE
from onnx_cts_reference.formats import (
    Array,
    Codes,
    Format,
    array_of,
    codes_of,
    format_of_dtype,
    formats,
    nearest,
    values_of,
)
from onnx_cts_specs import Call, Tensor
from onnx_cts_specs.call import Kind

Floats = NDArray[np.floating[Any]]


def tensor_from(array: Array) -> Tensor:
    """What rules may know of an array."""
    try:
        form = format_of_dtype(array.dtype)
    except KeyError:
        # No covered type: the rule on types will say so.
        return Tensor(str(array.dtype), array.shape)
    codes = codes_of(array)
    return Tensor(form.name, array.shape, bool(codes.any()), Elements(codes, form))


@dataclass(frozen=True)
class Elements:
    """The elements of an array, as rules ask about them."""

    codes: Codes
    format: Format
    _kinds: dict[str, frozenset[Kind]] = field(default_factory=dict, repr=False, compare=False)

    def kinds(self, rounded_to: str) -> frozenset[Kind]:
        """The kinds of numbers that there are among them, rounded to an element type."""
        if rounded_to == self.format.name:
            rounded_to = ""  # They are of that type already.
        if rounded_to not in self._kinds:
            found: frozenset[Kind] = frozenset()
            for values in self._parts:
                found |= kinds_of(values, rounded_to)
                if len(found) == len(get_args(Kind)):
                    break
            self._kinds[rounded_to] = found
        return self._kinds[rounded_to]

    def ends(self) -> tuple[float, float]:
        """The least and the greatest finite number; zeros where there is none."""
        finite = [values[np.isfinite(values)] for values in self._parts]
        ends = [ends_of(values) for values in finite if values.size]
        return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else (0.0, 0.0)

    @property
    def _parts(self) -> Iterator[Floats]:
        """The values, in pieces that the processor's cache holds."""
        codes = self._distinct
        # What NumPy has in floats already need not become twice as wide.
        values = array_of if self.format.dtype == np.float32 else values_of
        for start in range(0, codes.size, PIECE):
            yield values(codes[start : start + PIECE], self.format)

    @cached_property
    def _distinct(self) -> Codes:
        """The codes that occur; of wider types, and of few elements, each as often as it does."""
        codes, bits = self.codes, self.format.bits
        if bits > 16 or codes.size <= 1 << bits:
            return codes.reshape(-1)
        occurs = np.zeros(1 << bits, np.bool_)
        occurs[codes] = True
        return np.flatnonzero(occurs).astype(self.format.code_dtype)


def ends_of(values: Floats) -> tuple[float, float]:
    """The least and the greatest finite number among values; zeros where there is none."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def kinds_of(values: Floats, rounded_to: str) -> frozenset[Kind]:
    """The kinds of numbers that there are among values rounded to an element type.

    A type without infinities, or one that is not known, leaves the values as they are.
    """
    form = formats().get(rounded_to)
    if form and form.infinity:
        with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
            values = nearest(np.asarray(values, np.float64), form)
    finite = np.isfinite(values)
    found: set[Kind] = set()
    if not finite.all():
        found |= {"nan"} if np.isnan(values).any() else set()
        found |= {"infinity"} if np.isinf(values).any() else set()
        values = values[finite]
    numbers = np.count_nonzero(values != 0)  # Booleans are counted faster.
    found |= {"number"} if numbers else set()
    found |= {"zero"} if numbers < values.size else set()
    return frozenset(found)


def call_from(arrays: Mapping[str, Array], attributes: Mapping[str, Any]) -> Call:
    """The call that arrays and attributes make, NumPy scalars taken as plain numbers."""
    return Call(
        {name: tensor_from(array) for name, array in arrays.items()},
        {n: v.item() if isinstance(v, np.generic) else v for n, v in attributes.items()},
    )


def answered_arrays(arrays: Mapping[str, Array], call: Call) -> dict[str, Array]:
    """The arrays of a call after an open question was answered: some left out or reshaped."""
    return {name: arrays[name].reshape(t.shape) for name, t in call.present().items()}
