"""Values of inputs: for each role, patterns chosen so that an output shows the most.

A pattern gives the codes of a whole tensor. ``salt`` shifts where it starts, so that tensors of
one element differ between cases. Everything is integer arithmetic on codes or exact float64.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from onnx_cts_reference.formats import (
    Codes,
    Float64s,
    Format,
    codes_of,
    integers_of,
    is_nan,
    round_to,
    values_of,
)

SPECIAL = "special"

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
- ``special``: negative scales, zeros, infinities and NaN.
- ``extreme``: greatest and least code, and some between.
- ``zero``: all zero.

Two more serve open questions, where all ways of computing are to agree so that the answers to the
question alone show:

- ``powers``: distinct powers of two.
- ``rims``: extremes and the neighbours of zero, with differences that float32 rounds alike however
  it takes them.
"""


class UnfitError(Exception):
    """A pattern that a format has no values for, such as negative ones of an unsigned type."""


def codes_for(
    pattern: str, form: Format, shape: tuple[int, ...], salt: int, target: Format
) -> Codes:
    """The codes of a tensor of this pattern.

    Args:
        pattern: One of PATTERNS.
        form: Format of the tensor.
        shape: Shape of the tensor.
        salt: Where in the pattern to start, from 0.
        target: Format of the output that the values should challenge.

    Raises:
        UnfitError: The format has no values of this pattern.
    """
    count = int(np.prod(shape, dtype=np.int64))
    places = np.arange(salt, salt + count, dtype=np.int64)
    codes = _MAKERS[pattern](form, places, target)
    return codes.astype(form.code_dtype).reshape(shape)


def _step(bits: int) -> int:
    """An odd number near the golden section of 2^bits, so that multiples spread evenly."""
    return round((1 << bits) * 0.6180339887498949) | 1


_STEP_LENGTHS = (1, 3, 3, 2, 1)
"""Found by trying: they leave the fewest equal neighbours in the shapes that plans have."""


def _range(form: Format, places: Codes, _target: Format) -> Codes:
    # The digits of the index, to the base of the number of codes, count as steps of these lengths:
    # so rows and planes differ too whose length is a multiple of the number of codes.
    index = places - places[:1]
    mask = (1 << form.bits) - 1
    steps = places[:1]
    for digit, length in enumerate(_STEP_LENGTHS):
        steps = steps + length * ((index >> (digit * form.bits)) & mask)
    codes: Codes = (steps * _step(form.bits)) & ((1 << form.bits) - 1)
    if form.bits == 32:
        # Numbers of every size, so that some products fit a small type.
        signed: Codes = integers_of(codes, form)
        codes = (signed >> (5 * places % 29)) & ((1 << form.bits) - 1)
    return codes


def _cycle(codes: list[int], places: Codes) -> Codes:
    return np.array(codes, np.int64)[places % len(codes)]


_HEAD = 32
"""How many elements of ``edges`` and ``near-zero`` are special; the rest is as in ``range``."""


def _before_range(head: list[int], form: Format, places: Codes, target: Format) -> Codes:
    first = _cycle(head, places[:_HEAD]) & ((1 << form.bits) - 1)
    return np.concatenate([first, _range(form, places[_HEAD:], target)])


def _edges(form: Format, places: Codes, target: Format) -> Codes:
    mask = (1 << form.bits) - 1
    top = 1 << (form.bits - 1)
    if not form.is_float:
        inner = [1 << 24, (1 << 24) + 1, 3 << 29] if form.bits == 32 else [top >> 1]
        return _before_range([top, top - 1, 0, 1, mask, *inner], form, places, target)
    one = form.bias << form.mantissa
    codes = [c | s for c in (_greatest(form), 1, one, 0) for s in (0, top)]
    if form.infinity:
        codes += [form.infinity_code, form.infinity_code | top]
    if form.nan:
        # In the types without a negative zero, NaN has its code.
        codes.append(form.nan_code)
    return _before_range(list(dict.fromkeys(codes)), form, places, target)


def _near_zero(form: Format, places: Codes, target: Format) -> Codes:
    if not form.is_float:
        numbers = [1, 2, 3, 4, 6, 5, 7] if form.bits > 2 else [1, 2, 3]
        if form.kind == "int":
            numbers = [s * n for n in numbers if n < 1 << (form.bits - 1) for s in (1, -1)]
        return _before_range(numbers, form, places, target)
    # 1, 1.5, 2 and 3 or, where there is no half, 1 and 2; and their negatives.
    one = form.bias << form.mantissa
    half = 1 << (form.mantissa - 1)
    magnitudes = [one + half * k for k in range(4)]
    codes = [m | s for m in magnitudes for s in (0, 1 << (form.bits - 1))]
    return _before_range(codes, form, places, target)


def _rims(form: Format, places: Codes, _target: Format) -> Codes:
    top = 1 << (form.bits - 1)
    one = form.bias << form.mantissa if form.is_float else 1
    least = top | one if form.is_float else top
    return _cycle([least, 0, one, top >> 1], places)


def _greatest(form: Format) -> int:
    """The code of the greatest finite number."""
    if form.infinity:
        return form.infinity_code - 1
    positive = np.arange(1 << (form.bits - 1 if form.signed else form.bits), dtype=np.int64)
    return int(positive[~is_nan(positive, form)][-1])


def _least(form: Format) -> int:
    """The code of the least number above zero."""
    return 1 if form.signed else 0


def _ordinary(form: Format, places: Codes, _target: Format) -> Codes:
    exponents = form.bias + np.array([-4, -1, -3, 0, -5, 1, -2])[places % 7]
    fractions = (places * _step(form.mantissa) | 1) & ((1 << form.mantissa) - 1)
    return (exponents << form.mantissa) | fractions


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
    bounds = values_of(np.array([_least(form), _greatest(form)], form.code_dtype), form)
    wanted = np.clip(np.array(values), *bounds)
    return _cycle([int(c) for c in _codes_of_values(wanted, form)], places)


def _codes_of_values(values: Float64s, form: Format) -> Codes:
    if form.infinity:
        return codes_of(round_to(values, form))
    every = np.arange(_least(form), _greatest(form) + 1).astype(form.code_dtype)
    distances = np.abs(values_of(every, form)[None, :] - values[:, None])
    nearest: Codes = every[distances.argmin(axis=1)]
    return nearest


def _number(code: int, form: Format) -> float:
    return float(values_of(np.array([code], form.code_dtype), form)[0])


def _limits(form: Format, places: Codes, target: Format) -> Codes:
    least = _number(_least(target), target)
    greatest = _number(_greatest(target), target)
    normal = 2.0**target.least_exponent
    own = [_number(_least(form), form), _number(_greatest(form), form)]
    wanted = [least, greatest, least * 1.5, *own, greatest / 100, least / 2, greatest / 3]
    wanted.append(normal * 0.75)
    return _near(wanted, form, places)


def _powers(form: Format, places: Codes, _target: Format) -> Codes:
    return form.bias + np.array([1, -1, 2, 0, -2])[places % 5] << form.mantissa


def _special(form: Format, places: Codes, target: Format) -> Codes:
    one = form.bias << form.mantissa
    if not form.signed:
        return _cycle([form.nan_code, one], places)
    top = 1 << (form.bits - 1)
    codes = [form.nan_code, top | one | 1, form.infinity_code, 0]
    codes += [top | _ordinary(form, places[:1], target).item() if places.size else top]
    return _cycle([*codes, form.infinity_code | top, top], places)


def _extreme(form: Format, places: Codes, _target: Format) -> Codes:
    if form.is_float:
        return _cycle([form.bias << form.mantissa, (form.bias + 1) << form.mantissa], places)
    top = 1 << (form.bits - 1)
    mask = (1 << form.bits) - 1
    # Most unsigned ones have the highest bit, which a sign taken for a number would show.
    unsigned = [mask, top, mask - 1, top | 1, 1]
    codes = unsigned if form.kind == "uint" else [top - 1, top, mask, 1, (top >> 1) | 1]
    return _cycle(list(dict.fromkeys(codes)), places)


def _zero(_form: Format, places: Codes, _target: Format) -> Codes:
    return places * 0


_MAKERS: dict[str, Callable[[Format, Codes, Format], Codes]] = {
    "range": _range,
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
}
