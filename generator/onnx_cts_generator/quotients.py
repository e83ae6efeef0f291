"""Values of data that is divided by a scale and rounded: multiples of the scale that decide.

A value is chosen by the quotient that it is to have, and so by the output that it is to give:

- ``quotients``: every output of a type of up to 8 bits in turn, of wider types some all over the
  range, from quotients that lie off the ties and within the range.
- ``quotient-ties``: half way between two outputs, and one unit in the last place to either side.
  Where the scale has few bits the tie is exact; of several the one is taken that a multiplication
  by the reciprocal of the scale misses.
- ``saturation``: about the ends of the range, far past them, and about zero.
- ``infinities``: as ``saturation`` but for zeros, every third element infinite.
- ``not-numbers``: as ``quotients``, every third element NaN or infinite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from onnx_cts_generator.spreading import spread_codes
from onnx_cts_reference.formats import (
    Codes,
    Float64s,
    Format,
    codes_of,
    formats,
    nearest,
    round_to,
    values_of,
)

QUOTIENTS = frozenset({"quotients", "quotient-ties", "saturation", "infinities", "not-numbers"})
_CANDIDATES = 24
"""How many ties are tried for one that shows a reciprocal."""
_OUT_OF_STEP = 10
"""What takes turns skips one after so many elements, lest a turn fall on one column alone."""
_SPECIAL = {"infinities": (np.inf, -np.inf), "not-numbers": (np.nan, np.inf, -np.inf)}
_OFFSETS = (0.3, -0.4, 0.1, -0.2, 0.45)
_NUDGE = 2.0**-18
"""How far off a tie a quotient is, in relation to it: more than the error of a float32 division."""


@dataclass(frozen=True)
class Among:
    """What a tensor is used with.

    Attributes:
        target: Format of the output that its values should challenge.
        scale: Values of the scale, broadcast to the tensor's shape; one number for all will do.
        zero_point: Values of the zero point, likewise.
    """

    target: Format
    scale: Float64s | float = 1.0
    zero_point: Float64s | float = 0.0

    def flat(self, shape: tuple[int, ...]) -> Among:
        """The same with a value of scale and zero point for each element of a shape, in order."""
        scale, zero_point = (
            np.broadcast_to(v, shape).reshape(-1) for v in (self.scale, self.zero_point)
        )
        return Among(self.target, scale, zero_point)


def quotient_codes(pattern: str, form: Format, places: Codes, among: Among) -> Codes:
    """The codes of a pattern of this module, for what ``Among.flat`` gives."""
    if form.is_float and not form.infinity:
        # No version divides numbers of these types; they occur where a case breaks that rule.
        return spread_codes(form, places)
    scale = np.asarray(among.scale)
    scale = np.where(np.isfinite(scale) & (scale != 0), scale, 1.0)
    turns = places + places // _OUT_OF_STEP
    if pattern == "quotient-ties":
        values = _ties(form, turns, scale, among)
    elif pattern in {"saturation", "infinities"}:
        values = _saturation(form, turns, scale, among)
    else:
        values = _multiples(_quotients(places, among), scale, form)
    if pattern != "saturation":
        # Zero over a scale of zero would be NaN, so no other pattern has zeros.
        least = 2.0**form.least_exponent if form.is_float else 1.0
        values = np.where(values == 0, least, values)
    if numbers := _SPECIAL.get(pattern):
        at = turns % 3 == 1
        values = np.where(at, np.array(numbers)[turns // 3 % len(numbers)], values)
    return _codes(values, form)


def _codes(values: Float64s, form: Format) -> Codes:
    if form.is_float:
        return codes_of(round_to(values, form))
    low, high = form.bounds
    finite = np.nan_to_num(values, nan=0.0, posinf=high, neginf=low)
    integers = np.clip(np.rint(finite), low, high).astype(np.int64)
    masked: Codes = integers & ((1 << form.bits) - 1)
    return masked


def _multiples(quotients: Float64s, scale: Float64s, form: Format) -> Float64s:
    """The nearest numbers of a format to quotients times a scale, as far as they are finite."""
    products = quotients * scale
    if not form.is_float:
        return np.clip(np.rint(products), *form.bounds)
    return np.clip(nearest(products, form), -form.greatest, form.greatest)


def _value(code: int, form: Format) -> float:
    return float(values_of(np.array(code, form.code_dtype), form))


def _finite(places: Codes, form: Format) -> Float64s:
    """Numbers of a format in the order of ``range``, zero in place of others."""
    values = values_of(spread_codes(form, places).astype(form.code_dtype), form)
    return np.where(np.isfinite(values), values, 0.0)


def _quotients(places: Codes, among: Among) -> Float64s:
    target = among.target
    results = _finite(places, target)
    if not target.is_float:
        offsets = np.array(_OFFSETS)[places % len(_OFFSETS)]
        return np.asarray(results - among.zero_point + offsets)
    least = _value(1, target)
    off = 1 + np.array([1, -1])[places % 2] * 2.0 ** -(target.mantissa + 3)
    return np.where(results == 0, 0.3 * least, results * off)


def _ties(form: Format, places: Codes, scale: Float64s, among: Among) -> Float64s:
    rows = places[None, :] // 3 + np.arange(_CANDIDATES)[:, None] * 7
    ties = _tie_quotients(rows, among)
    values = _multiples(ties, scale, form)
    is_exact = values == ties * scale
    width = form if form.is_float else formats()["float"]
    with np.errstate(invalid="ignore", over="ignore"):
        by_reciprocal = nearest(values * nearest(1 / scale, width), width)
    best = np.argmax(is_exact * 1.0 + (is_exact & (by_reciprocal != ties)), axis=0)
    chosen = np.take_along_axis(values, best[None], axis=0)[0]
    return _moved(chosen, (places % 3 + 1) % 3 - 1, form)


def _moved(values: Float64s, steps: Codes, form: Format) -> Float64s:
    """Values moved by some units in the last place of a format."""
    if not form.is_float:
        return np.asarray(values + steps)
    codes = codes_of(round_to(values, form)).astype(np.int64)
    finite = np.where((codes & ((1 << (form.bits - 1)) - 1)) == 0, codes, codes + steps)
    moved = values_of(finite.astype(form.code_dtype), form)
    return np.where(np.isfinite(moved), moved, values)


def _tie_quotients(places: Codes, among: Among) -> Float64s:
    """Quotients half way between two outputs, for each place."""
    target = among.target
    if target.is_float:
        codes = places * 5 % target.greatest_code
        numbers = values_of(np.stack([codes, codes + 1]).astype(target.code_dtype), target)
        signs = np.where(places // target.greatest_code % 2, -1.0, 1.0)
        return np.asarray(numbers.sum(axis=0) / 2 * signs)
    low, high = target.bounds
    count = 1 << min(target.bits, 8)
    # All of a narrow range, and of a wide one what is about the quotient 0.
    first = np.clip(-count / 2, low - among.zero_point, high - among.zero_point - count + 1)
    return np.asarray(first + places * 101 % count + 0.5)


def _saturation(form: Format, places: Codes, scale: Float64s, among: Among) -> Float64s:
    target = among.target
    past = np.array([0, 0.25, 0.5, 0.5 + _NUDGE, 1, 300])
    if target.is_float:
        greatest, before = (_value(target.greatest_code - i, target) for i in (0, 1))
        step = greatest - before
        ends = [greatest + step * p for p in (0, 0.25, 0.5 - _NUDGE, 0.5, 0.5 + _NUDGE, 1)]
        least = _value(1, target)
        small = [least * p for p in (0.5 - _NUDGE, 0.5, 0.5 + _NUDGE, 1.5, 0.25)]
        quotients = np.array([s * q for q in (*ends, *small) for s in (1.0, -1.0)])
        wanted = quotients[places % len(quotients)] * scale
    else:
        low, high = target.bounds
        up, down = high + past[places % 6], low - past[places % 6]
        wanted = (np.where(places // 6 % 2, down, up) - among.zero_point) * scale
    far = np.array([1e10, -1e10, 3e38, -3e38, 0.0, -0.0, 1e-45, -1e-45])
    wanted = np.where(places % 5 == 4, far[places // 5 % len(far)], wanted)
    return _multiples(wanted, np.ones(()), form)
