"""Values of inputs: for each role, patterns chosen so that an output shows the most.

A pattern gives the codes of a whole tensor. ``salt`` shifts where it starts, so that tensors of
one element differ between cases. Everything is integer arithmetic on codes or exact float64.
Patterns of data that parameters apply to as divisors, or of whole tensors, have modules of their
own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from onnx_cts_generator.quotients import QUOTIENTS, Among, quotient_codes
from onnx_cts_generator.samples import SAMPLES, sample_codes
from onnx_cts_generator.spreading import cycle, golden_step, spread_codes
from onnx_cts_reference.formats import (
    Codes,
    Float64s,
    Format,
    codes_of,
    formats,
    round_to,
    values_of,
)
from onnx_cts_reference.tensors import ends_of, kinds_of
from onnx_cts_specs.call import Kind

SPECIAL = "special"
UNUSUAL = "unusual"
MASKING = frozenset({SPECIAL, UNUSUAL})
"""Patterns of scales that hide what other values do."""

PATTERNS: dict[str, tuple[str, ...]] = {
    "data": ("range", "edges", "near-zero"),
    "scale": ("ordinary", "ties", "limits", SPECIAL),
    "zero-point": ("extreme", "zero"),
}
"""The patterns of each role of an input; the first is the plain one.

- ``range``: every code of a type of up to 8 bits in turn, wider types in golden-ratio steps, so
  that neighbours along every axis differ much.
- ``edges``: extremes, the neighbours of zero, signed zeros, subnormals, infinities, NaN; then as
  ``range``.
- ``near-zero``: small numbers of few bits, which make ties with the scales that are chosen for it;
  then as ``range``.
- ``ordinary``: distinct positive scales with full significands.
- ``ties``: significands that put products half way between two numbers of the output type.
- ``limits``: about the least and the greatest number of the output type, so that results
  underflow, are subnormal, or overflow.
- ``short``: positive scales of few significant bits, so that ties can be exact.
- ``special``: negative scales, zeros, infinities and NaN.
- ``unusual``: the same without NaN.
- ``extreme``: greatest and least code, and some between.
- ``zero``: all zero.

Those of ``quotients`` and ``samples`` are explained there. Two more serve open questions, where all
ways of computing are to agree so that the answers to the question alone show:

- ``powers``: distinct powers of two.
- ``rims``: extremes and the neighbours of zero, with differences that float32 rounds alike however
  it takes them.
"""


FORBIDDEN: dict[str, tuple[str, ...]] = {
    "data": ("zero", "not-numbers", "past-the-greatest", "past-the-least"),
    "scale": (SPECIAL,),
    "zero-point": (),
}
"""Patterns of each role that a spec may leave out because the text does not decide on them."""


class UnfitError(Exception):
    """A pattern that a format has no values for, such as negative ones of an unsigned type."""


def codes_for(pattern: str, form: Format, shape: tuple[int, ...], salt: int, among: Among) -> Codes:
    """The codes of a tensor of this pattern.

    Args:
        pattern: One of those that specs name, or of PATTERNS.
        form: Format of the tensor.
        shape: Shape of the tensor.
        salt: Where in the pattern to start, from 0.
        among: What the tensor is used with.

    Raises:
        UnfitError: The format has no values of this pattern.
    """
    count = int(np.prod(shape, dtype=np.int64))
    places = np.arange(salt, salt + count, dtype=np.int64)
    if pattern in QUOTIENTS:
        codes = quotient_codes(pattern, form, places, among.flat(shape))
    elif pattern in SAMPLES:
        codes = sample_codes(pattern, form, places)
    else:
        codes = _MAKERS[pattern](form, places, among.target)
    return codes.astype(form.code_dtype).reshape(shape)


def check_fit(pattern: str, form: Format) -> None:
    """Check that a format has values of a pattern.

    Raises:
        UnfitError: It has none.
    """
    if pattern != "absent":
        _sample(pattern, form.name)


def _sample_values(pattern: str, dtype: str) -> Float64s:
    return values_of(_sample(pattern, dtype), formats()[dtype])


@cache
def ends_in(pattern: str, own: str) -> tuple[float, float]:
    """The least and the greatest finite number that a pattern holds in plain company."""
    return ends_of(_sample_values(pattern, own))


@cache
def _sample(pattern: str, dtype: str) -> Codes:
    """The beginning of a pattern, in plain company."""
    return codes_for(pattern, formats()[dtype], (_SAMPLE,), 0, Among(formats()["int8"]))


_SAMPLE = 64


@cache
def kinds_in(pattern: str, own: str, rounded_to: str) -> frozenset[Kind]:
    """The kinds of numbers that a pattern may hold, rounded to an element type."""
    kinds = kinds_of(_sample_values(pattern, own), rounded_to)
    width = formats().get(rounded_to)
    if pattern in QUOTIENTS and width and width.greatest < formats()[own].greatest:
        # Multiples of a scale, which may be out of the range of the narrower type.
        return kinds | {"zero", "infinity"}
    return kinds


_HEAD = 32
"""How many elements of ``edges`` and ``near-zero`` are special; the rest is as in ``range``."""


def _before_range(head: list[int], form: Format, places: Codes) -> Codes:
    first = cycle(head, places[:_HEAD]) & ((1 << form.bits) - 1)
    return np.concatenate([first, spread_codes(form, places[_HEAD:])])


def _edges(form: Format, places: Codes, _target: Format) -> Codes:
    mask = (1 << form.bits) - 1
    top = 1 << (form.bits - 1)
    if not form.is_float:
        inner = [1 << 24, (1 << 24) + 1, 3 << 29] if form.bits == 32 else [top >> 1]
        return _before_range([top, top - 1, 0, 1, mask, *inner], form, places)
    one = form.bias << form.mantissa
    codes = [c | s for c in (form.greatest_code, 1, one, 0) for s in (0, top)]
    if form.infinity:
        codes += [form.infinity_code, form.infinity_code | top]
    if form.nan:
        # In the types without a negative zero, NaN has its code.
        codes.append(form.nan_code)
    return _before_range(list(dict.fromkeys(codes)), form, places)


def _near_zero(form: Format, places: Codes, _target: Format) -> Codes:
    if not form.is_float:
        numbers = [1, 2, 3, 4, 6, 5, 7] if form.bits > 2 else [1, 2, 3]
        if form.kind == "int":
            numbers = [s * n for n in numbers if n < 1 << (form.bits - 1) for s in (1, -1)]
        return _before_range(numbers, form, places)
    # 1, 1.5, 2 and 3 or, where there is no half, 1 and 2; and their negatives.
    one = form.bias << form.mantissa
    half = 1 << (form.mantissa - 1)
    magnitudes = [one + half * k for k in range(4)]
    codes = [m | s for m in magnitudes for s in (0, 1 << (form.bits - 1))]
    return _before_range(codes, form, places)


def _rims(form: Format, places: Codes, _target: Format) -> Codes:
    top = 1 << (form.bits - 1)
    one = form.bias << form.mantissa if form.is_float else 1
    least = top | one if form.is_float else top
    return cycle([least, 0, one, top >> 1], places)


def _least(form: Format) -> int:
    """The code of the least number above zero."""
    return 1 if form.signed else 0


def _ordinary(form: Format, places: Codes, _target: Format) -> Codes:
    if not form.is_float:
        return _at_most(form, np.array([3, 7, 1, 5, 2, 11, 4])[places % 7])
    exponents = form.bias + np.array([-4, -1, -3, 0, -5, 1, -2])[places % 7]
    fractions = (places * golden_step(form.mantissa) | 1) & ((1 << form.mantissa) - 1)
    # The exponents of some small types begin higher.
    return ((exponents << form.mantissa) | fractions) & ((1 << form.bits) - 1)


def _at_most(form: Format, numbers: Codes) -> Codes:
    """Positive integers, the greatest of the type in place of those past it."""
    return np.minimum(numbers, int(form.greatest))


def _short(form: Format, places: Codes, _target: Format) -> Codes:
    if not form.is_float:
        return _at_most(form, np.array([2, 6, 4, 10, 8])[places % 5])
    # 3/4, 5/4 and so on: none but powers of two has an exact reciprocal.
    exponents = form.bias + np.array([-1, 5, -2, 0, 3])[places % 5]
    eighths = np.array([4, 2, 5, 1, 6, 3])[places % 6] << form.mantissa >> 3
    return (exponents << form.mantissa) | eighths


def _ties(form: Format, places: Codes, target: Format) -> Codes:
    if not form.mantissa:
        raise UnfitError(f"{form.name} has only powers of two, whose products are exact")
    # With one bit more than the output has, each is a tie and so are its doubles. Without it three
    # times an odd significand is one, as long as the product has no more than one bit to spare.
    spare = form.mantissa - target.mantissa - 1
    limit = 1 << form.mantissa if spare >= 0 else (1 << form.mantissa) // 3
    fractions = (((2 * places + 1) % limit) | 1) << max(spare, 0)
    fractions &= (1 << form.mantissa) - 1
    exponents = form.bias + np.array([0, -2, 1, -1])[places % 4]
    return (exponents << form.mantissa) | fractions


def _near(values: list[float], form: Format, places: Codes) -> Codes:
    """The codes nearest to positive values, kept between the least and the greatest number."""
    bounds = values_of(np.array([_least(form), form.greatest_code], form.code_dtype), form)
    wanted = np.clip(np.array(values), *bounds)
    return cycle([int(c) for c in _codes_of_values(wanted, form)], places)


def _codes_of_values(values: Float64s, form: Format) -> Codes:
    if form.infinity:
        return codes_of(round_to(values, form))
    every = np.arange(_least(form), form.greatest_code + 1).astype(form.code_dtype)
    distances = np.abs(values_of(every, form)[None, :] - values[:, None])
    nearest: Codes = every[distances.argmin(axis=1)]
    return nearest


def _number(code: int, form: Format) -> float:
    return float(values_of(np.array([code], form.code_dtype), form)[0])


def _limits(form: Format, places: Codes, target: Format) -> Codes:
    if not form.is_float:
        return cycle([1, (1 << (form.bits - 1)) - 1, (1 << (form.bits - 1)) - 2], places)
    if not target.is_float:
        target = form
    least = _number(_least(target), target)
    greatest = _number(target.greatest_code, target)
    normal = 2.0**target.least_exponent
    own = [_number(_least(form), form), _number(form.greatest_code, form)]
    wanted = [least, greatest, least * 1.5, *own, greatest / 100, least / 2, greatest / 3]
    wanted.append(normal * 0.75)
    return _near(wanted, form, places)


def _powers(form: Format, places: Codes, _target: Format) -> Codes:
    if not form.is_float:
        return _at_most(form, np.array([2, 4, 1, 8, 16])[places % 5])
    return form.bias + np.array([1, -1, 2, 0, -2])[places % 5] << form.mantissa


def _special(form: Format, places: Codes, target: Format) -> Codes:
    if not form.is_float:
        raise UnfitError(f"{form.name} has no NaN")
    one = form.bias << form.mantissa
    if not form.signed:
        return cycle([form.nan_code, one], places)
    top = 1 << (form.bits - 1)
    codes = [form.nan_code, top | one | 1, form.infinity_code, 0]
    codes += [top | _ordinary(form, places[:1], target).item() if places.size else top]
    return cycle([*codes, form.infinity_code | top, top], places)


def _unusual(form: Format, places: Codes, target: Format) -> Codes:
    if not form.signed:
        raise UnfitError(f"{form.name} has no zero, no infinity and no sign")
    if not form.is_float:
        return cycle([-3 & 0xFFFFFFFF, 0, 5, -2 & 0xFFFFFFFF], places)
    codes = _special(form, np.arange(7), target)
    return cycle(codes[codes != form.nan_code].tolist(), places)


def _extreme(form: Format, places: Codes, _target: Format) -> Codes:
    if form.is_float:
        return cycle([form.bias << form.mantissa, (form.bias + 1) << form.mantissa], places)
    top = 1 << (form.bits - 1)
    mask = (1 << form.bits) - 1
    # Most unsigned ones have the highest bit, which a sign taken for a number would show.
    unsigned = [mask, top, mask - 1, top | 1, 1]
    codes = unsigned if form.kind == "uint" else [top - 1, top, mask, 1, (top >> 1) | 1]
    return cycle(list(dict.fromkeys(codes)), places)


def _zero(_form: Format, places: Codes, _target: Format) -> Codes:
    return places * 0


_MAKERS: dict[str, Callable[[Format, Codes, Format], Codes]] = {
    "range": lambda form, places, _target: spread_codes(form, places),
    "edges": _edges,
    "near-zero": _near_zero,
    "rims": _rims,
    "ordinary": _ordinary,
    "ties": _ties,
    "limits": _limits,
    "special": _special,
    "extreme": _extreme,
    "zero": _zero,
    "powers": _powers,
    "short": _short,
    "unusual": _unusual,
}
