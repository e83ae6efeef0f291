"""QuantizeLinear on exact fractions, one element at a time.

Written from the pages of QuantizeLinear (the formula, the ranges of saturation and, from version
23, the width of the division) and of Cast (the two tables of the float8 types).
"""

from __future__ import annotations

import math
from fractions import Fraction

import oracle
from oracle import Number

FLOATS = ("float", "float16", "bfloat16")
INFINITY_BY_CAST = "infinity-by-cast"
FNUZ = ("float8e4m3fnuz", "float8e5m2fnuz")
PLUS_ZERO = Number(False, Fraction(0))


class UndecidedError(ValueError):
    """The text does not say what the element becomes."""


def widths(version: int, x: str, scale: str, precision: str | None) -> dict[str, str | None]:
    """The type that each reading divides in, None for a real quotient; the value's one is first.

    Args:
        version: The version of the operator.
        x: The type of x.
        scale: The type of y_scale.
        precision: The type that the attribute of this name gives, if it is given.
    """
    if version < 19:
        return {"exact": None, "float32": "float"}
    if version < 23:
        return {"exact": None, "float32": "float", "input-precision": x if x in FLOATS else None}
    width = precision or scale
    if width not in FLOATS:
        raise UndecidedError(f"a division in {width}")
    readings: dict[str, str | None] = {"division-precision": width}
    if precision is None and x == scale:
        readings["exact"] = None
    return readings


def quotient(x: Number, scale: Number, width: str | None) -> Number:
    """``x / y_scale``: all three rounded to the width, if there is one."""
    if width is None:
        return oracle.divide(x, scale)
    operands = oracle.rounded(x, width), oracle.rounded(scale, width)
    return oracle.rounded(oracle.divide(*operands), width)


def rounded_to_integer(exact: Number) -> int | float:
    """The nearest integer, ties to even; infinities as they are."""
    if exact.is_nan:
        raise UndecidedError("an integer of NaN")
    return exact.value if isinstance(exact.value, float) else round(exact.value)


def limits(name: str) -> tuple[int, int]:
    """The least and the greatest number of an integer type."""
    bits = oracle.INTEGER_BITS[name]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if name[0] == "i" else (0, (1 << bits) - 1)


def shifted_and_saturated(rounded: int | float, zero_point: int, name: str) -> int:
    """The code of ``saturate(round(quotient) + y_zero_point)``."""
    least, greatest = limits(name)
    return int(max(least, min(greatest, rounded + zero_point))) % (greatest - least + 1)


def quantized_to_float(
    exact: Number, zero_point: Number, name: str, version: int, *, saturate: bool
) -> int:
    """The code of the sum of the quotient and a zero point of +0, by Cast's tables.

    Infinities saturate to the fnuz types from Cast 24 on; Cast 19 has NaN for them, and the
    formula of the page says saturate.
    """
    if zero_point != PLUS_ZERO:
        raise UndecidedError("a zero point of a float type other than +0")
    if exact.is_nan and oracle.LAYOUTS[name].special == "finite":
        raise UndecidedError(f"NaN in {name}")
    if exact.size == math.inf and name in FNUZ and saturate and version < 24:
        raise UndecidedError(f"infinity in {name}")
    return oracle.encode(oracle.add(exact, zero_point), name, saturate=saturate)


def quantized(
    exact: Number, zero_point: Number, name: str, version: int, *, saturate: bool = True
) -> int:
    """The code of an element of y whose quotient, rounded as the reading has it, is given."""
    if name in oracle.INTEGER_BITS:
        return shifted_and_saturated(rounded_to_integer(exact), int(zero_point.value), name)
    return quantized_to_float(exact, zero_point, name, version, saturate=saturate)


def divided_finitely(x: Number, scale: Number) -> bool:
    """Whether the real quotient is finite."""
    return not x.is_nan and x.size != math.inf and scale.value != 0


def has_infinity_by_cast(version: int, output: str, *, saturate: bool) -> bool:
    """Whether an infinite quotient of finite numbers may be NaN: by Cast's tables before 24."""
    return 19 <= version < 24 and output in FNUZ and saturate


def answers(
    version: int,
    x: tuple[Number, str],
    scale: tuple[Number, str],
    zero_point: Number,
    output: str,
    *,
    precision: str | None = None,
    saturate: bool = True,
) -> dict[str, int]:
    """The codes of an element of y under each reading, and the ends that they span.

    Args:
        version: The version of the operator.
        x: The element, and its type.
        scale: Its scale, and the type of that.
        zero_point: Its zero point, +0 where there is none.
        output: The type of y.
        precision: The type that the attribute of this name gives, if it is given.
        saturate: The attribute of this name.
    """
    by_width = widths(version, x[1], scale[1], precision)
    divided = {name: quotient(x[0], scale[0], width) for name, width in by_width.items()}
    readings = {}
    may_overflow = has_infinity_by_cast(version, output, saturate=saturate)
    for name, exact in divided.items():
        width = by_width[name]
        operands = [oracle.rounded(v, width) if width else v for v in (x[0], scale[0])]
        overflows = exact.size == math.inf and divided_finitely(*operands)
        if may_overflow and overflows:
            readings[name] = oracle.encode(exact, output, saturate=True)
        else:
            readings[name] = quantized(exact, zero_point, output, version, saturate=saturate)
    if may_overflow:
        narrowest = "division-precision" if version >= 23 else "input-precision"
        infinite = divided[narrowest].size == math.inf
        nan = oracle.encode(oracle.NAN, output)
        readings[INFINITY_BY_CAST] = nan if infinite else readings[narrowest]
    lower, upper = oracle.ends(tuple(readings.values()), output)
    return {**readings, "lower": lower, "upper": upper}
