"""Exact arithmetic on float64 arrays that hold the operands exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from onnx_cts_reference.formats import Float64s, Format

_SPLITTER = 2.0**27 + 1.0
_DOUBLE_BITS = 53
_FLOAT_BITS = 24


def _halves(values: Float64s) -> tuple[Float64s, Float64s]:
    """Veltkamp's split: two parts of at most 26 bits whose sum is the value."""
    big = values * _SPLITTER
    high = big - (big - values)
    return high, values - high


def product_to_odd(a: Float64s, b: Float64s) -> Float64s:
    """The exact products, rounded to odd where 53 bits cannot hold them.

    Rounding to odd keeps what a later rounding to at most 51 bits needs: whether the exact
    product lay on, above or below a tie (Boldo and Melquiond, "Emulation of FMA and correctly
    rounded sums", 2008). The error of the float64 product is Dekker's, free of error itself as
    long as no part overflows or underflows, which products of ONNX's small formats do not.
    """
    product = a * b
    return _to_odd(product, _product_error(a, b, product))


def _product_error(a: Float64s, b: Float64s, product: Float64s) -> Float64s:
    """What the exact products are above their float64 values."""
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _to_odd(values: Float64s, above: Float64s) -> Float64s:
    """Values rounded to odd, given the sign of what the exact ones are above them."""
    inexact = np.isfinite(above) & (above != 0)
    is_even = (np.ascontiguousarray(values).view(np.int64).reshape(np.shape(values)) & 1) == 0
    neighbour = np.nextafter(values, np.copysign(np.inf, above))
    return np.where(inexact & is_even, neighbour, values)


def quotient_to_odd(a: Float64s, b: Float64s) -> Float64s:
    """The exact quotients, rounded to odd where 53 bits cannot hold them.

    The remainder of a float64 quotient is exact: as for products, no part of it overflows or
    underflows with ONNX's small formats. Zeros, infinities and NaN divide as IEEE 754 has it.
    """
    quotient = a / b
    product = quotient * b
    remainder = (a - product) - _product_error(quotient, b, product)
    return _to_odd(quotient, remainder * np.sign(b))


def quotients_stay_apart(*formats: Format) -> bool:
    """Whether float64 quotients of values of these formats round to integers as exact ones do.

    Let a = A * 2^e and b = B * 2^f, A and B below 2^24. A quotient q = a / b that is not n / 2 is
    away from that by the size of 2a - nb over 2b: by 1 / 2B at least where 2^f divides 2a, and by
    q / A elsewhere. Both are more than the error of a float64 quotient below 2^28, q * 2^-53; and
    no integer type that values are divided for is that wide.
    """
    return all(significand_bits(form) <= _FLOAT_BITS for form in formats)


def significand_bits(form: Format) -> int:
    """The bits that the significand of any value of the format fits in."""
    return form.mantissa + 1 if form.is_float else form.bits


def fraction_to_odd(fraction: Fraction) -> float:
    """A fraction as a float64, rounded to odd where 53 bits cannot hold it."""
    near = float(fraction)
    rest = fraction - Fraction(near)
    return float(_to_odd(np.asarray(near), np.asarray(float((rest > 0) - (rest < 0)))))


def difference_bits(form: Format) -> int:
    """The bits that hold any difference of two values of the format exactly."""
    if form.is_float:
        return (1 << form.exponent) + form.mantissa + 1
    return form.bits + 1


def product_is_exact(difference_of: Format, factor: Format) -> bool:
    """Whether float64 holds each product of a difference and a factor of these formats."""
    return difference_bits(difference_of) + factor.mantissa + 1 <= _DOUBLE_BITS


def float32_holds(difference_of: Format, factor: Format) -> bool:
    """Whether float32 holds each difference and factor of these formats."""
    return difference_bits(difference_of) <= _FLOAT_BITS and significand_bits(factor) <= _FLOAT_BITS
