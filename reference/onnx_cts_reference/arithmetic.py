"""Exact arithmetic on float64 arrays that hold the operands exactly."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.formats import Float64s, Format

_SPLITTER = 2.0**27 + 1.0
_DOUBLE_BITS = 53


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
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    inexact = np.isfinite(error) & (error != 0)
    is_even = (product.view(np.int64) & 1) == 0
    neighbour = np.nextafter(product, np.copysign(np.inf, error))
    return np.where(inexact & is_even, neighbour, product)


def difference_bits(form: Format) -> int:
    """The bits that hold any difference of two values of the format exactly."""
    if form.is_float:
        return (1 << form.exponent) + form.mantissa + 1
    return form.bits + 1


def product_is_exact(difference_of: Format, factor: Format) -> bool:
    """Whether float64 holds each product of a difference and a factor of these formats."""
    return difference_bits(difference_of) + factor.mantissa + 1 <= _DOUBLE_BITS
