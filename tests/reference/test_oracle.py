"""The oracle itself, against what the standards say in numbers and against Python's own floats."""

import math
import struct
from bisect import bisect_right
from fractions import Fraction

import numpy as np
import oracle
import pytest
from code_arrays import array, random_codes
from oracle import NAN, Number, number


def infinite(sign: int) -> Number:
    return Number(sign < 0, math.inf)


@pytest.mark.parametrize(
    ("name", "greatest", "least"),
    [
        ("float", Fraction(2) ** 128 - Fraction(2) ** 104, Fraction(2) ** -149),
        ("float16", 65504, Fraction(2) ** -24),
        ("bfloat16", Fraction(2) ** 128 - Fraction(2) ** 120, Fraction(2) ** -133),
        ("float8e4m3fn", 448, Fraction(2) ** -9),
        ("float8e4m3fnuz", 240, Fraction(2) ** -10),
        ("float8e5m2", 57344, Fraction(2) ** -16),
        ("float8e5m2fnuz", 57344, Fraction(2) ** -17),
        ("float6e2m3", Fraction(15, 2), Fraction(1, 8)),
        ("float6e3m2", 28, Fraction(1, 16)),
        ("float4e2m1", 6, Fraction(1, 2)),
    ],
)
def test_each_float_has_the_greatest_and_least_numbers_that_its_standard_states(
    name: str, greatest: Fraction, least: Fraction
) -> None:
    form = oracle.LAYOUTS[name]
    above = {"ieee": form.infinity, "fn": form.sign - 1}.get(form.special, form.sign)
    assert oracle.decode(above - 1, name) == number(Fraction(greatest))
    assert oracle.decode(1, name) == number(least)


@pytest.mark.parametrize("name", [n for n in oracle.BITS if n not in {"float", "int32"}])
def test_codes_mean_what_ml_dtypes_makes_of_them(name: str) -> None:
    codes = np.arange(1 << oracle.BITS[name])
    meant = [oracle.decode(code, name) for code in range(codes.size)]
    floats = np.array([math.copysign(float(n.size), -1 if n.negative else 1) for n in meant])
    with np.errstate(invalid="ignore"):  # signalling NaN
        theirs = array(name, codes).astype(np.float64)
    np.testing.assert_array_equal(floats, theirs)
    numbers = ~np.isnan(theirs)
    np.testing.assert_array_equal(np.signbit(floats[numbers]), np.signbit(theirs[numbers]))


@pytest.mark.parametrize(("name", "letter"), [("float", "f"), ("float16", "e")])
def test_rounding_is_that_of_pythons_struct(name: str, letter: str) -> None:
    span = 140 if name == "float" else 20
    draws = np.random.default_rng(1)
    values = draws.uniform(1, 2, 3000) * 2.0 ** draws.integers(-span, span // 2, 3000)
    for value in (v for v in values if v < 65000):
        (code,) = struct.unpack("<I", struct.pack(f"<{letter}", value).ljust(4, b"\0"))
        assert oracle.encode(number(value), name) == code


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_rounding_gives_the_nearer_neighbour_and_the_even_code_in_the_middle(name: str) -> None:
    form = oracle.LAYOUTS[name]
    line = [oracle.decode(code, name).size for code in range(form.infinity)]
    line.append(2 * Fraction(2) ** form.bias)  # where the next number would be, were there one
    draws = random_codes("float", 500, 1)
    for size in [*(oracle.decode(d & 0x7F7FFFFF, "float").size for d in draws), Fraction(2, 3)]:
        if size >= line[-1]:
            assert oracle.encode(number(size), name) == form.infinity
            continue
        below = bisect_right(line, size) - 1
        down, up = size - line[below], line[below + 1] - size
        nearest = below + (up < down or (up == down and below % 2 == 1))
        assert oracle.encode(number(size), name) == nearest


def test_zeros_infinities_and_nan_follow_ieee_754() -> None:
    zero, minus_zero = Number(False, Fraction(0)), Number(True, Fraction(0))
    one = number(1)
    assert oracle.subtract(zero, zero) == zero
    assert oracle.subtract(minus_zero, zero) == minus_zero
    assert oracle.subtract(zero, minus_zero) == zero
    assert oracle.subtract(minus_zero, minus_zero) == zero
    assert oracle.subtract(number(-3), number(-3)) == zero
    assert oracle.subtract(infinite(1), infinite(1)) is NAN
    assert oracle.subtract(infinite(1), infinite(-1)) == infinite(1)
    assert oracle.subtract(one, infinite(1)) == infinite(-1)
    assert oracle.multiply(zero, number(-2)) == minus_zero
    assert oracle.multiply(minus_zero, number(-2)) == zero
    assert oracle.multiply(zero, infinite(1)) is NAN
    assert oracle.multiply(number(-2), infinite(1)) == infinite(-1)
    assert oracle.multiply(NAN, one) is NAN
    assert oracle.subtract(one, NAN) is NAN


def test_the_readings_differ_where_intermediate_roundings_do() -> None:
    # 2049 is a tie between 2048 and 2050 in float16; 3 * 2049 = 6147 lies nearer to 6148.
    assert oracle.answers(number(2049), number(3), "float16") == oracle.Answers(
        exact=oracle.encode(number(6148), "float16"),
        float32=oracle.encode(number(6148), "float16"),
        output_precision=oracle.encode(number(6144), "float16"),
        lower=oracle.encode(number(6144), "float16"),
        upper=oracle.encode(number(6148), "float16"),
    )


def test_a_nan_beside_a_number_takes_the_end_where_the_number_is() -> None:
    zero, nan = 0, oracle.encode(NAN, "float16")
    nil = Number(False, Fraction(0))
    # 100000 is past float16, and infinity times zero is NaN.
    assert oracle.answers(number(100000), nil, "float16") == (zero, zero, nan, nan, zero)
