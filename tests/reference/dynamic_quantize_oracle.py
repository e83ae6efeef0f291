"""DynamicQuantizeLinear on exact fractions.

Written from the operator's page: three formulas, and a function body of float32 operators that
ends in QuantizeLinear.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import oracle
from oracle import Number, number
from quantize_oracle import UndecidedError, quantized, quotient

VERSION = 11
GREATEST = 255
NIL = Number(False, Fraction(0))


class Outputs(NamedTuple):
    """The codes of y, and those of y_scale and y_zero_point."""

    y: tuple[int, ...]
    y_scale: int
    y_zero_point: int


def _float32(exact: Number) -> Number:
    return oracle.rounded(exact, "float")


def _range(xs: Sequence[Number]) -> tuple[Number, Number]:
    """The least and the greatest of x, the range adjusted to include 0."""
    if not xs or any(x.is_nan for x in xs):
        raise UndecidedError("a range of no numbers")
    least = min((NIL, *xs), key=lambda x: x.value)
    greatest = max((NIL, *xs), key=lambda x: x.value)
    spread = oracle.subtract(greatest, least)
    if _float32(spread).size == math.inf:
        raise UndecidedError("a range past float32")
    if _float32(oracle.divide(spread, number(GREATEST))).size == 0:
        raise UndecidedError("a scale of 0")
    return least, greatest


def _zero_point(exact: Number) -> int:
    """``cast(round(saturate(intermediate_zero_point)))``."""
    return round(max(0, min(GREATEST, exact.value)))


def _outputs(xs: Sequence[Number], scale: Number, zero_point: int, width: str | None) -> Outputs:
    y = tuple(
        quantized(quotient(x, scale, width), number(zero_point), "uint8", VERSION) for x in xs
    )
    return Outputs(y, oracle.encode(scale, "float"), zero_point)


def function_body(xs: Sequence[Number]) -> Outputs:
    """Each operator of the body in float32."""
    least, greatest = _range(xs)
    spread = _float32(oracle.subtract(greatest, least))
    scale = _float32(oracle.divide(spread, number(GREATEST)))
    scaled_least = _float32(oracle.divide(least, scale))
    intermediate = _float32(oracle.subtract(NIL, scaled_least))
    return _outputs(xs, scale, _zero_point(intermediate), "float")


def _exactly(xs: Sequence[Number], *, round_scale: bool) -> Outputs:
    least, greatest = _range(xs)
    scale = oracle.divide(oracle.subtract(greatest, least), number(GREATEST))
    if round_scale:
        scale = _float32(scale)
    intermediate = oracle.subtract(NIL, oracle.divide(least, scale))
    return _outputs(xs, scale, _zero_point(intermediate), None)


def exact(xs: Sequence[Number]) -> Outputs:
    """Real arithmetic, and y_scale rounded once on its way out."""
    return _exactly(xs, round_scale=False)


def rounded_scale(xs: Sequence[Number]) -> Outputs:
    """Real arithmetic, with y_scale as it is given out, a float32."""
    return _exactly(xs, round_scale=True)


OUTPUT_TYPES = ("uint8", "float", "uint8")
"""Of the fields of Outputs."""
READINGS = {"function-body": function_body, "exact": exact, "rounded-scale": rounded_scale}
"""The first is that of the expected values."""
