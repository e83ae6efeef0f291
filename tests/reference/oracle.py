"""A second implementation of the arithmetic, on exact fractions, one element at a time.

It is written from the standards (IEEE 754, the OCP formats for 8-, 6- and 4-bit floats, and the
pages "Float stored in 8 bits" and "DequantizeLinear" of ONNX), and shares nothing with the package
that it checks.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple


class Number(NamedTuple):
    """A sign and a magnitude, so that zeros have signs; the magnitude may be inf or nan."""

    negative: bool
    size: Fraction | float

    @property
    def value(self) -> Fraction | float:
        """The number without the sign of a zero."""
        return -self.size if self.negative else self.size

    @property
    def is_nan(self) -> bool:
        """Whether it is no number at all."""
        return isinstance(self.size, float) and math.isnan(self.size)


NAN = Number(False, math.nan)


def number(value: Fraction | float) -> Number:
    """A finite value (a positive zero, if it is zero)."""
    return Number(value < 0, abs(Fraction(value)))


class Layout(NamedTuple):
    """Fields of a signed float. ``special`` says which codes are no finite numbers.

    ``ieee``: the highest exponent is infinity or NaN; ``fn``: all ones is NaN; ``fnuz``: the code
    of negative zero is NaN; ``finite``: none.
    """

    exponent: int
    mantissa: int
    bias: int
    special: str

    @property
    def sign(self) -> int:
        """The sign bit."""
        return 1 << (self.exponent + self.mantissa)

    @property
    def infinity(self) -> int:
        """The code of positive infinity in a layout of IEEE 754."""
        return ((1 << self.exponent) - 1) << self.mantissa

    @property
    def greatest(self) -> int:
        """The code of the greatest finite number."""
        if self.special == "ieee":
            return self.infinity - 1
        return self.sign - (2 if self.special == "fn" else 1)


LAYOUTS = {
    "float": Layout(8, 23, 127, "ieee"),
    "float16": Layout(5, 10, 15, "ieee"),
    "bfloat16": Layout(8, 7, 127, "ieee"),
    "float8e4m3fn": Layout(4, 3, 7, "fn"),
    "float8e4m3fnuz": Layout(4, 3, 8, "fnuz"),
    "float8e5m2": Layout(5, 2, 15, "ieee"),
    "float8e5m2fnuz": Layout(5, 2, 16, "fnuz"),
    "float6e2m3": Layout(2, 3, 1, "finite"),
    "float6e3m2": Layout(3, 2, 3, "finite"),
    "float4e2m1": Layout(2, 1, 1, "finite"),
}
INTEGER_BITS = {
    "int8": 8,
    "uint8": 8,
    "int16": 16,
    "uint16": 16,
    "int32": 32,
    "int4": 4,
    "uint4": 4,
    "int2": 2,
    "uint2": 2,
}
BITS = {
    **INTEGER_BITS,
    **{name: 1 + form.exponent + form.mantissa for name, form in LAYOUTS.items()},
    "float8e8m0": 8,
}


@lru_cache(1 << 18)
def decode(code: int, name: str) -> Number:
    """The number that a code of a type stands for."""
    if name in INTEGER_BITS:
        bits = INTEGER_BITS[name]
        wraps = name.startswith("int") and code >= 1 << (bits - 1)
        return number(code - (1 << bits) if wraps else code)
    if name == "float8e8m0":
        return NAN if code == 255 else Number(False, Fraction(2) ** (code - 127))
    form = LAYOUTS[name]
    negative = bool(code & form.sign)
    field, fraction = divmod(code & (form.sign - 1), 1 << form.mantissa)
    if form.special == "ieee" and field == (1 << form.exponent) - 1:
        return NAN if fraction else Number(negative, math.inf)
    if form.special == "fn" and code & (form.sign - 1) == form.sign - 1:
        return NAN
    if form.special == "fnuz" and code == form.sign:
        return NAN
    significand = fraction if field == 0 else (1 << form.mantissa) + fraction
    power = max(field, 1) - form.bias - form.mantissa
    return Number(negative, Fraction(significand << max(power, 0), 1 << max(-power, 0)))


def nan_code(name: str) -> int:
    """The code of a quiet NaN, or of the one NaN that there is."""
    form = LAYOUTS[name]
    if form.special == "finite":
        raise ValueError(f"{name} has no NaN")
    if form.special == "ieee":
        return form.infinity | (1 << (form.mantissa - 1))
    return form.sign if form.special == "fnuz" else form.sign - 1


def encode(exact: Number, name: str, *, saturate: bool = False) -> int:
    """The code of the nearest number of a float type, ties to even.

    Args:
        exact: The number.
        name: The type.
        saturate: Whether what rounds to more than the greatest number becomes that number, and
            not infinity, or NaN where there is no infinity. A type without either always does so.
    """
    form = LAYOUTS[name]
    if exact.is_nan:
        return nan_code(name)
    infinite = exact.size == math.inf
    code = form.greatest + 1 if infinite else _nearest(exact.size, form)
    if code > form.greatest:
        if saturate or form.special == "finite":
            code = form.greatest
        elif form.special == "ieee":
            code = form.infinity
        else:
            return nan_code(name)
    has_this_sign = exact.negative and not (form.special == "fnuz" and code == 0)
    return form.sign | code if has_this_sign else code


def _nearest(size: Fraction, form: Layout) -> int:
    """The code of the nearest magnitude, ties to even, as if the exponents had no end."""
    top, bottom = size.numerator, size.denominator
    if top == 0:
        return 0
    magnitude = max(_floor_of_log2(top, bottom), 1 - form.bias)
    places = form.mantissa - magnitude
    top, bottom = top << max(places, 0), bottom << max(-places, 0)
    whole, rest = divmod(top, bottom)
    if 2 * rest > bottom or (2 * rest == bottom and whole % 2 == 1):
        whole += 1
    # Codes are consecutive: a subnormal adds to field 0, the leading bit of a normal to its field.
    return ((magnitude + form.bias - 1) << form.mantissa) + whole


def _floor_of_log2(top: int, bottom: int) -> int:
    guess = top.bit_length() - bottom.bit_length()
    below = top << max(-guess, 0) < bottom << max(guess, 0)
    return guess - 1 if below else guess


def rounded(exact: Number, name: str) -> Number:
    """The nearest number of a type."""
    return decode(encode(exact, name), name)


def subtract(a: Number, b: Number) -> Number:
    """``a - b`` by IEEE 754, before rounding: an exact zero is +0 but for (-0) - (+0)."""
    if a.is_nan or b.is_nan:
        return NAN
    if math.inf in (a.size, b.size):
        if a.size == b.size:
            return NAN if a.negative == b.negative else a
        return a if a.size == math.inf else Number(not b.negative, math.inf)
    if a.size == 0 == b.size:
        return Number(a.negative and not b.negative, Fraction(0))
    return number(a.value - b.value)


def add(a: Number, b: Number) -> Number:
    """``a + b`` by IEEE 754, before rounding: (-0) + (+0) is +0."""
    return subtract(a, Number(not b.negative, b.size))


def multiply(a: Number, b: Number) -> Number:
    """``a * b`` by IEEE 754, before rounding."""
    if a.is_nan or b.is_nan:
        return NAN
    negative = a.negative != b.negative
    if math.inf in (a.size, b.size):
        return NAN if 0 in (a.size, b.size) else Number(negative, math.inf)
    return Number(negative, a.size * b.size)


def divide(a: Number, b: Number) -> Number:
    """``a / b`` by IEEE 754, before rounding."""
    if a.is_nan or b.is_nan:
        return NAN
    negative = a.negative != b.negative
    if a.size == b.size and a.size in (0, math.inf):
        return NAN
    if math.inf in (a.size, b.size):
        return Number(negative, math.inf if a.size == math.inf else Fraction(0))
    return Number(negative, a.size / b.size if b.size else math.inf)


class Answers(NamedTuple):
    """Codes of ``difference * scale`` under each reading, and the ends of what they permit."""

    exact: int
    float32: int
    output_precision: int
    lower: int
    upper: int


@cache
def answers(difference: Number, scale: Number, output: str) -> Answers:
    """The product of an exact difference and a scale in an output type, under each reading."""
    exact = encode(multiply(difference, scale), output)
    factors = rounded(difference, "float"), rounded(scale, "float")
    float32 = encode(rounded(multiply(*factors), "float"), output)
    factors = rounded(difference, output), rounded(scale, output)
    output_precision = encode(multiply(*factors), output)
    codes = (exact, float32, output_precision)
    return Answers(*codes, *ends(codes, output))


def ends(codes: tuple[int, ...], output: str) -> tuple[int, int]:
    """The least and greatest of the numbers; a NaN beside them takes the end of the first."""
    numbers = {code: decode(code, output) for code in codes}
    finite = [code for code in codes if not numbers[code].is_nan]
    if not finite:
        return codes[0], codes[0]
    low = min(finite, key=lambda code: numbers[code].value)
    high = max(finite, key=lambda code: numbers[code].value)
    nans = [code for code in codes if numbers[code].is_nan]
    if nans and codes[0] in finite:
        if numbers[low].value == numbers[codes[0]].value:
            return nans[0], high
        return low, nans[0]
    return low, high
