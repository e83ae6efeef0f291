"""The oracles of QuantizeLinear and DynamicQuantizeLinear, against values made by hand."""

import math
from bisect import bisect_right
from fractions import Fraction
from typing import Any

import dynamic_quantize_oracle
import oracle
import pytest
import quantize_oracle
from oracle import NAN, Number, number
from quantize_oracle import UndecidedError, quotient, widths

FLOAT8 = ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz")
SMALL_FLOATS = (*FLOAT8, "float4e2m1", "float6e2m3", "float6e3m2")
ZERO, MINUS_ZERO = Number(False, Fraction(0)), Number(True, Fraction(0))
INFINITY, MINUS_INFINITY = Number(False, math.inf), Number(True, math.inf)


def as_float(value: float) -> Number:
    """A number of Python, rounded to float32 as a literal of a model would be."""
    if math.isinf(value):
        return Number(value < 0, math.inf)
    return oracle.rounded(number(value), "float")


def meant(code: int, name: str) -> float:
    return float(oracle.decode(code, name).value)


def quantized(x: Number, output: str, zero_point: int = 0, **attributes: Any) -> float:
    """The element of y for a quotient of ``x / 1`` in real numbers, in version 28."""
    code = quantize_oracle.quantized(x, number(zero_point), output, 28, **attributes)
    return meant(code, output)


def test_ties_go_to_even_before_the_zero_point_is_added() -> None:
    xs = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5]
    assert [quantized(number(x), "int8", 1) for x in xs] == [1, 3, 3, 1, -1, -1]


def test_huge_values_and_infinities_saturate() -> None:
    xs = [as_float(x) for x in (1e10, -1e10, 3e38, math.inf, -math.inf)]
    assert [quantized(x, "uint8") for x in xs] == [255, 0, 255, 255, 0]


@pytest.mark.parametrize(
    ("name", "least", "greatest"),
    [
        ("uint16", 0, 65535),
        ("int16", -32768, 32767),
        ("uint8", 0, 255),
        ("int8", -128, 127),
        ("uint4", 0, 15),
        ("int4", -8, 7),
        ("uint2", 0, 3),
        ("int2", -2, 1),
    ],
)
def test_integers_saturate_at_the_limits_of_the_page(name: str, least: int, greatest: int) -> None:
    assert quantize_oracle.limits(name) == (least, greatest)
    assert quantized(number(10**6), name) == quantized(number(greatest), name) == greatest
    assert quantized(number(-(10**6)), name) == quantized(number(least), name) == least
    assert quantized(number(greatest - 1), name, 1) == quantized(number(greatest), name, 1)


def test_the_width_of_the_division_decides_the_integer() -> None:
    # 3.2500002384... / 0.1000000015 = 32.5000019..., and 32.5 is the nearest float32.
    x, tenth = as_float(3.2500002), as_float(0.1)
    quotients = {w: quotient(x, tenth, w) for w in (None, "float")}
    assert {w: quantized(q, "uint8") for w, q in quotients.items()} == {None: 33, "float": 32}


def test_a_width_holds_the_operands_too() -> None:
    # 2049 and 2051 are ties in float16, of which the even codes are 2048 and 2052.
    found = [quotient(number(x), number(1), "float16").value for x in (2049, 2051)]
    assert found == [2048, 2052]


def test_int32_may_be_divided_by_int32_and_is_not_cut_off() -> None:
    assert quantized(quotient(number(7), number(2), None), "int8") == 4
    assert quantized(quotient(number(-7), number(2), "float"), "int8") == -4
    # 2^24 + 1 is no float32.
    x, scale = number(2**24 + 1), number(2**19)
    assert quotient(x, scale, "float").value == 32
    assert quotient(x, scale, None).value > 32


@pytest.mark.parametrize("x", ["float", "float16", "bfloat16", "int32"])
def test_readings_before_the_text_names_a_width(x: str) -> None:
    for version in (10, 13):  # x is float or int32: its own width is one of the two
        assert widths(version, x, "float", None) == {"exact": None, "float32": "float"}
    for version in (19, 21):
        assert widths(version, x, x, None) == {
            "exact": None,
            "float32": "float",
            "input-precision": None if x == "int32" else x,
        }


@pytest.mark.parametrize("version", [23, 24, 25, 28])
def test_readings_since_the_text_names_a_width(version: int) -> None:
    both = {"division-precision": "float16", "exact": None}
    assert widths(version, "float16", "float16", None) == both
    assert widths(version, "float", "float16", None) == {"division-precision": "float16"}
    assert widths(version, "int32", "float", None) == {"division-precision": "float"}
    assert widths(version, "float", "float", "float") == {"division-precision": "float"}
    assert widths(version, "int32", "int32", "bfloat16") == {"division-precision": "bfloat16"}
    for scale in ("int32", "float8e8m0"):
        with pytest.raises(UndecidedError):
            widths(version, "int32", scale, None)


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_a_small_float_is_the_nearest_one_and_the_one_of_the_even_code_in_the_middle(
    name: str,
) -> None:
    line = [oracle.decode(c, name).size for c in range(oracle.LAYOUTS[name].greatest + 1)]
    for eighths in range(8 * (len(line) - 1)):
        below, part = divmod(eighths, 8)
        size = line[below] + (line[below + 1] - line[below]) * Fraction(part, 8)
        assert bisect_right(line, size) - 1 == below
        nearest = below + (part > 4 or (part == 4 and below % 2 == 1))
        assert oracle.encode(number(size), name) == nearest
        negative = oracle.decode(oracle.encode(Number(True, size), name), name)
        assert negative.value == -line[nearest]
        assert negative.negative or (nearest == 0 and name.endswith("fnuz"))


NOTHING = math.nan
EDGES = [
    # The greatest number, the last that rounds to it, and what the next becomes by Cast's second
    # table: [x], "the value rounded to the target mantissa width", is past FLT_MAX.
    ("float8e4m3fn", 448, 464, NOTHING),
    ("float8e4m3fnuz", 240, 248 - Fraction(1, 1000), NOTHING),
    ("float8e5m2", 57344, 61440 - Fraction(1, 1000), math.inf),
    ("float8e5m2fnuz", 57344, 61440 - Fraction(1, 1000), NOTHING),
    # "no non-saturating (infinity-representable) encoding to fall back to"
    ("float4e2m1", 6, 7, 6),
    ("float6e2m3", Fraction(15, 2), 8, Fraction(15, 2)),
    ("float6e3m2", 28, 32, 28),
]


@pytest.mark.parametrize(("name", "greatest", "last", "beyond"), EDGES)
@pytest.mark.parametrize("sign", [1, -1])
def test_past_the_edge_a_float_saturates_or_leaves_the_numbers(
    name: str, greatest: Fraction, last: Fraction, beyond: float, sign: int
) -> None:
    past = last + Fraction(1, 500)
    for saturate in (True, False):
        for x in (greatest, last):
            assert quantized(number(sign * x), name, saturate=saturate) == sign * greatest
    for x in (number(sign * past), number(sign * 10**9), Number(sign < 0, math.inf)):
        assert quantized(x, name) == sign * greatest
        assert quantized(x, name, saturate=False) == pytest.approx(sign * beyond, nan_ok=True)


def test_the_two_sides_of_464_to_float8e4m3fn() -> None:
    # 464 is the middle of 448 and 480; the mantissa of 448 is even.
    assert quantized(number(464), "float8e4m3fn", saturate=False) == 448
    assert math.isnan(quantized(as_float(464.00003), "float8e4m3fn", saturate=False))
    assert quantized(as_float(464.00003), "float8e4m3fn") == 448


def test_subnormals_of_float8_are_rounded_once() -> None:
    unit = Fraction(1, 512)
    xs = [unit / 2, unit * Fraction(3, 2), unit * Fraction(5, 2)]
    assert [quantized(number(x), "float8e4m3fn") for x in xs] == [0, 2 * unit, 2 * unit]


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_a_negative_number_too_small_for_the_type_keeps_its_sign_where_zero_has_one(
    name: str,
) -> None:
    sign = 0 if name.endswith("fnuz") else oracle.LAYOUTS[name].sign
    tiny = number(-Fraction(1, 10**9))
    assert quantize_oracle.quantized(tiny, ZERO, name, 28) == sign
    assert oracle.encode(MINUS_ZERO, name) == sign


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_a_quotient_of_minus_zero_and_a_zero_point_of_zero_make_zero(name: str) -> None:
    assert quantize_oracle.quantized(MINUS_ZERO, ZERO, name, 28) == 0


@pytest.mark.parametrize("name", FLOAT8)
@pytest.mark.parametrize("saturate", [True, False])
def test_nan_stays_nan_in_float8(name: str, saturate: bool) -> None:
    assert math.isnan(quantized(NAN, name, saturate=saturate))


@pytest.mark.parametrize("name", ["int8", "uint2", "float4e2m1", "float6e2m3", "float6e3m2"])
def test_nan_is_nothing_in_a_type_without_it(name: str) -> None:
    with pytest.raises(UndecidedError):
        quantized(NAN, name)


@pytest.mark.parametrize("name", quantize_oracle.FNUZ)
def test_infinity_to_fnuz_is_undecided_before_cast_24(name: str) -> None:
    for version in (19, 21, 23):
        with pytest.raises(UndecidedError):
            quantize_oracle.quantized(INFINITY, ZERO, name, version)
        assert oracle.decode(
            quantize_oracle.quantized(INFINITY, ZERO, name, version, saturate=False), name
        ).is_nan
        huge = quantize_oracle.quantized(number(10**9), ZERO, name, version)
        assert huge == oracle.LAYOUTS[name].greatest


def test_division_follows_ieee_754() -> None:
    one, minus_two = number(1), number(-2)
    assert oracle.divide(one, minus_two) == number(-Fraction(1, 2))
    assert oracle.divide(one, MINUS_ZERO) == MINUS_INFINITY
    assert oracle.divide(ZERO, minus_two) == MINUS_ZERO
    assert oracle.divide(one, MINUS_INFINITY) == MINUS_ZERO
    assert oracle.divide(MINUS_INFINITY, minus_two) == INFINITY
    assert oracle.divide(INFINITY, ZERO) == INFINITY
    for no_number in ((ZERO, ZERO), (INFINITY, MINUS_INFINITY), (NAN, one), (one, NAN)):
        assert oracle.divide(*no_number).is_nan


def test_what_may_differ_spans_the_permitted_codes() -> None:
    # As above: 33 in real numbers, 32 in float32, which the type of x is as well.
    x, scale = (as_float(3.2500002), "float"), (as_float(0.1), "float")
    assert quantize_oracle.answers(21, x, scale, ZERO, "uint8") == {
        "exact": 33,
        "float32": 32,
        "input-precision": 32,
        "lower": 32,
        "upper": 33,
    }
    assert quantize_oracle.answers(28, x, scale, ZERO, "uint8", precision="float") == {
        "division-precision": 32,
        "lower": 32,
        "upper": 32,
    }


DYNAMIC = dynamic_quantize_oracle.READINGS


@pytest.mark.parametrize("reading", DYNAMIC)
@pytest.mark.parametrize(
    ("xs", "y", "scale", "zero_point"),
    [
        # The range holds 0 already: 510 / 255 = 2, and 0 - -254 / 2 = 127.
        ([-254.0, 256, 1, 3, 5], [0, 255, 127, 129, 129], 2, 127),
        # The least is adjusted to 0, and so is the greatest.
        ([255.0, 1, 0.5, 1.5], [255, 1, 0, 2], 1, 0),
        ([-255.0, -1, -0.5, -1.5], [0, 254, 255, 253], 1, 255),
        # 0 - -0.5 / 1 and 0 - -1.5 / 1 are ties, of which 0 and 2 are even; then y saturates.
        ([-0.5, 254.5], [0, 254], 1, 0),
        ([-1.5, 253.5], [0, 255], 1, 2),
    ],
)
def test_dynamic_quantization_by_hand(
    reading: str, xs: list[float], y: list[int], scale: float, zero_point: int
) -> None:
    found = DYNAMIC[reading]([number(x) for x in xs])
    assert found.y == tuple(y)
    assert meant(found.y_scale, "float") == scale
    assert found.y_zero_point == zero_point


def test_the_readings_of_dynamic_quantization_differ() -> None:
    # float32 holds a little more than 1 / 255, and in it the middle is missed.
    half = [number(1), number(Fraction(1, 2))]
    assert {name: compute(half).y for name, compute in DYNAMIC.items()} == {
        "function-body": (255, 127),
        "exact": (255, 128),
        "rounded-scale": (255, 127),
    }


@pytest.mark.parametrize(
    "xs",
    [
        [],
        [ZERO, MINUS_ZERO],
        [number(1), NAN],
        [INFINITY, number(1)],
        [number(1), MINUS_INFINITY],
        [as_float(3e38), as_float(-3e38)],
    ],
)
@pytest.mark.parametrize("reading", DYNAMIC)
def test_a_range_that_is_no_positive_number_is_undecided(reading: str, xs: list[Number]) -> None:
    with pytest.raises(UndecidedError):
        DYNAMIC[reading](xs)
