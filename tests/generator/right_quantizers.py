"""Right implementations of QuantizeLinear that differ in kind, as runtimes differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import oracle
import quantize_oracle
from code_arrays import array, type_name
from emitted import tensor_of
from onnx import helper
from right_calls import LANES, Array, GranularCall, parameters_of, rounded, to_odd

from onnx_cts_reference.model_calls import ModelCall

FLOAT32 = np.dtype(np.float32)
BEYOND = 2.0**20
"""More than any integer type holds, whatever the zero point."""


@dataclass(frozen=True, eq=False)
class Call(GranularCall):
    """A call of QuantizeLinear.

    Attributes:
        precision: The type that the attribute of this name gives, if it is given.
        saturate: The attribute of this name, or its default.
    """

    precision: np.dtype[Any] | None
    saturate: bool

    @property
    def width(self) -> np.dtype[Any] | None:
        """The type that the division must be made in, if the text names one."""
        if self.version < 23 or (self.precision is None and self.x.dtype == self.scale.dtype):
            return None
        return self.precision or self.scale.dtype

    def held(self, values: Array) -> Array:
        """Float64 numbers as the width of the division holds them."""
        return values if self.width is None else rounded(values, self.width).astype(np.float64)

    @property
    def has_integers(self) -> bool:
        """Whether y holds integers."""
        return type_name(self.output) in oracle.INTEGER_BITS

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest integer of y."""
        return quantize_oracle.limits(type_name(self.output))

    @property
    def greatest(self) -> float:
        """The greatest finite number of the float type of y."""
        return float(ml_dtypes.finfo(self.output).max)

    @property
    def saturates(self) -> bool:
        """Whether what is too great for the float type of y becomes its greatest number."""
        return self.saturate or oracle.LAYOUTS[type_name(self.output)].special == "finite"


def call_of(made: ModelCall) -> Call:
    """The call that a model makes."""
    attributes = made.attributes
    zero_point = made.inputs[2] if len(made.inputs) > 2 else None
    plain = np.dtype(np.uint8) if zero_point is None else zero_point.dtype
    code, precision = attributes.get("output_dtype", 0), attributes.get("precision", 0)
    return Call(
        **parameters_of(made),
        output=np.dtype(helper.tensor_dtype_to_np_dtype(code)) if code else plain,
        precision=np.dtype(helper.tensor_dtype_to_np_dtype(precision)) if precision else None,
        saturate=bool(attributes.get("saturate", 1)),
    )


def shifted(whole: Array, zero_point: Array, call: Call) -> Array:
    """Integers in a float type, the zero point added, clamped to the limits of y."""
    sums = whole + zero_point.astype(whole.dtype)
    return np.clip(sums, *call.limits).astype(np.int32).astype(call.output)


def converted(quotients: Array, call: Call) -> Array:
    """Quotients converted to the float type of y by a cast."""
    if call.saturates:
        quotients = np.clip(quotients, -call.greatest, call.greatest)
    narrow = to_odd(quotients, np.float32) if quotients.dtype == np.float64 else quotients
    return narrow.astype(call.output)


def by_float64(call: Call) -> Array:
    """All in double precision, rounded to a narrower one where the text names it."""
    x, zero_point, scale = (v.astype(np.float64) for v in call.operands())
    quotients = call.held(call.held(x) / call.held(scale))
    if call.has_integers:
        return shifted(np.rint(quotients), zero_point, call)
    return converted(quotients + zero_point, call)


def _single_precision_quotients(call: Call) -> Array:
    """Quotients in single precision, or in the narrower one that the text names."""
    x, _, scale = call.operands()
    if call.version < 23:
        return np.asarray(x.astype(np.float32) / scale.astype(np.float32))
    width = call.precision or call.scale.dtype
    a, b = (rounded(v.astype(np.float64), width).astype(np.float32) for v in (x, scale))
    return (a / b).astype(width).astype(np.float32)


def by_float32_step_by_step(call: Call) -> Array:
    """All in single precision, in one as narrow as the scale from version 23 on."""
    quotients = _single_precision_quotients(call)
    if call.has_integers:
        return shifted(np.rint(quotients), call.operands()[1], call)
    return converted(quotients, call)


def by_type_of_the_operands(call: Call) -> Array:
    """The division in the type of x, integers by integers too; in that of the scale since 23."""
    x, zero_point, scale = call.operands()
    if call.version >= 23:
        width = call.precision or scale.dtype
        x, scale = (rounded(v.astype(np.float64), width) for v in (x, scale))
    elif x.dtype != scale.dtype or (x.dtype == np.int32 and not scale.all()):
        return by_float64(call)
    elif x.dtype == np.int32:
        return _by_integer_division(call)
    quotients = np.asarray(x / scale).astype(np.float64)
    if call.has_integers:
        return shifted(np.rint(quotients), zero_point, call)
    return converted(quotients, call)


def _by_integer_division(call: Call) -> Array:
    if not call.has_integers:
        return by_float64(call)
    x, zero_point, scale = (v.astype(np.int64) for v in call.operands())
    whole, rest = np.divmod(x * np.sign(scale), np.abs(scale))
    twice = 2 * rest - np.abs(scale)
    whole += (twice > 0) | ((twice == 0) & (whole % 2 == 1))
    return np.clip(whole + zero_point, *call.limits).astype(call.output)


def by_search_among_middles(call: Call) -> Array:
    """Looks each quotient up between the middles of a table of all numbers of y."""
    x, zero_point, scale = (v.astype(np.float64) for v in call.operands())
    quotients = np.asarray(call.held(call.held(x) / call.held(scale)))
    if call.has_integers:
        integers = np.arange(-BEYOND // 8, BEYOND // 8 + 1)
        return shifted(integers[_nearest(quotients, integers)], zero_point, call)
    name = type_name(call.output)
    form = oracle.LAYOUTS[name]
    found = _nearest(np.abs(quotients), _sizes(name))
    if call.saturates:
        found = np.minimum(found, form.greatest)
    codes = np.where(np.signbit(quotients) & ((found > 0) | (form.special != "fnuz")), form.sign, 0)
    codes |= found
    if form.special != "finite":
        no_number = np.isnan(quotients) | ((found > form.greatest) & (form.special != "ieee"))
        codes = np.where(no_number, oracle.nan_code(name), codes)
    return array(name, codes)


def _nearest(values: Array, line: Array) -> Array:
    """The places in a line of the numbers nearest to values, the even place in the middle."""
    middles = (line[:-1] + line[1:]) / 2
    places = np.searchsorted(middles, values)
    in_the_middle = values == middles[np.minimum(places, len(middles) - 1)]
    return places + (in_the_middle & (places % 2 == 1))


@cache
def _sizes(name: str) -> Array:
    """The magnitudes of a float type by code, and what would follow the greatest."""
    form = oracle.LAYOUTS[name]
    sizes = [float(oracle.decode(code, name).size) for code in range(form.greatest + 1)]
    return np.array([*sizes, 2 * sizes[-1] - sizes[-2]])


def by_vectors_with_a_tail(call: Call) -> Array:
    """Eight elements at a time in single precision, and what is left one by one in fractions."""
    flat = [np.ascontiguousarray(v).reshape(-1) for v in call.operands()]
    y = np.empty(call.x.size, call.output)
    whole = call.x.size - call.x.size % LANES
    for start in range(0, call.x.size, LANES):
        lanes = slice(start, min(start + LANES, call.x.size))
        x, zero_point, scale = (v[lanes] for v in flat)
        some = replace(call, x=x, zero_point=zero_point, scale=scale, axis=0, block_size=0)
        y[lanes] = by_float32_step_by_step(some) if start < whole else by_exact_fractions(some)
    return y.reshape(call.x.shape)


def by_exact_fractions(call: Call) -> Array:
    """Fractions of integers of any length, rounded where the text names a width, and at the end."""
    width = None if call.width is None else type_name(call.width)
    x, zero_point, scale = (tensor_of(np.ascontiguousarray(v)).numbers for v in call.operands())
    codes = [
        _code(quantize_oracle.quotient(a, c, width), b, call)
        for a, b, c in zip(x, zero_point, scale, strict=True)
    ]
    return array(type_name(call.output), codes).reshape(call.x.shape)


def _code(quotient: oracle.Number, zero_point: oracle.Number, call: Call) -> int:
    name = type_name(call.output)
    if quotient.size == math.inf and name in quantize_oracle.FNUZ and call.version < 24:
        return oracle.nan_code(name)  # as Cast had it at these opsets
    return quantize_oracle.quantized(
        quotient, zero_point, name, call.version, saturate=call.saturate
    )


def by_slices(call: Call) -> Array:
    """One scalar scale and zero point after the other, each for the part of x that it is for."""
    y = np.empty(call.x.shape, call.output)
    for index in np.ndindex(call.scale.shape):
        part = call.part(index)
        zero_point = None if call.zero_point is None else np.asarray(call.zero_point[index])
        scale = np.asarray(call.scale[index])
        y[part] = by_float64(replace(call, x=call.x[part], scale=scale, zero_point=zero_point))
    return y


def by_magic_number(call: Call) -> Array:
    """Rounds in single precision by adding a number so great that its units are those wanted."""
    quotients = np.clip(_single_precision_quotients(call), -BEYOND, BEYOND)
    magic = 1.5 * 2**23 * _units(quotients, call).astype(np.float32)
    return _finished(np.asarray((quotients + magic) - magic), call)


def by_floor_and_fraction(call: Call) -> Array:
    """Rounds in double precision by hand: down, and up from what lies past the middle."""
    x, _, scale = (v.astype(np.float64) for v in call.operands())
    quotients = np.clip(call.held(call.held(x) / call.held(scale)), -BEYOND, BEYOND)
    units = _units(quotients, call)
    below = np.floor(quotients / units)
    part = quotients / units - below
    up = (part > 0.5) | ((part == 0.5) & (below % 2 == 1))
    return _finished(np.copysign((below + up) * units, quotients), call)


def _units(quotients: Array, call: Call) -> Array:
    """The distance of the numbers of y about each quotient, a power of two."""
    if call.has_integers:
        return np.ones(quotients.shape)
    form = oracle.LAYOUTS[type_name(call.output)]
    powers = np.maximum(np.frexp(quotients)[1] - 1, 1 - form.bias)
    return np.exp2(powers - form.mantissa)


def _finished(whole: Array, call: Call) -> Array:
    """Quotients that are rounded already, with a zero point, clamped or not."""
    return shifted(whole, call.operands()[1], call) if call.has_integers else converted(whole, call)


def by_reciprocal_and_correction(call: Call) -> Array:
    """Multiplies by the reciprocal for a guess, and mends it by the rest that it leaves."""
    x, zero_point, scale = (v.astype(np.float64) for v in call.operands())
    guesses = np.rint(x * (1 / scale))
    small = np.abs(guesses) < BEYOND
    if call.width is not None or not call.has_integers or not np.isfinite(scale).all():
        return by_float64(call)
    rest = np.where(small, x - guesses * scale, 0.0) * np.sign(scale)
    twice, size = 2 * rest, np.abs(scale)
    is_odd = guesses % 2 == 1
    guesses += small & ((twice > size) | ((twice == size) & is_odd))
    guesses -= small & ((twice < -size) | ((twice == -size) & is_odd))
    return shifted(guesses, zero_point, call)


IMPLEMENTATIONS: tuple[Callable[[Call], Array], ...] = (
    by_float64,
    by_float32_step_by_step,
    by_type_of_the_operands,
    by_search_among_middles,
    by_vectors_with_a_tail,
    by_exact_fractions,
    by_slices,
    by_magic_number,
    by_floor_and_fraction,
    by_reciprocal_and_correction,
)


def without_the_zero_point(call: Call) -> Array:
    """A wrong one."""
    return by_float64(replace(call, zero_point=None))
