"""int32: products of up to 57 bits rounded once, and what a zero point that is not 0 may mean."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
import oracle
import pytest
from code_arrays import codes_of
from dequantize_calls import VERSIONS, Elements, dequantize
from oracle import number

LEAST, GREATEST = -(2**31), 2**31 - 1


@cache
def products_beside_a_tie(bits: int, count: int, units: int = 1) -> np.ndarray:
    """The first such differences and significands, row by row."""
    return np.array(list(islice(_products_beside_a_tie(bits, units), count)))


def _products_beside_a_tie(bits: int, units: int) -> Iterator[tuple[int, int]]:
    """Differences of ``bits`` bits and odd significands whose product lies just beside a tie.

    Of the product's bits, float32 keeps 24 and float64 keeps 53; the product is some units away
    from the middle of two float32 numbers, on the side of the one with the odd code. If they are
    few, float64 holds that middle in its place.
    """
    low = bits - 1  # bits of a product of bits + 23 bits that float32 drops
    for significand in range(2**24 - 1, 2**23, -2):
        for step in (-units, units):
            tie = 2 ** (low - 1) + step
            difference = tie * pow(significand, -1, 2**low) % 2**low + 2**low
            exact = difference * significand
            middle = exact - step
            even_is_wrong = (middle >> low) % 2 == (step < 0)
            if exact.bit_length() == bits + 23 and even_is_wrong:
                yield difference, significand


def through_float64(differences: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The product rounded to float64 and then again to float32."""
    return (differences.astype(np.float64) * scales.astype(np.float64)).astype(np.float32)


def exactly(differences: np.ndarray, scales: np.ndarray) -> list[int]:
    """The oracle's codes of the products."""
    pairs = zip(differences.tolist(), scales.tolist(), strict=True)
    return [oracle.answers(number(d), number(s), "float").exact for d, s in pairs]


@pytest.mark.parametrize("version", VERSIONS[1:])
@pytest.mark.parametrize("exponent", [-40, 0, 60])
def test_a_product_past_2_to_53_is_rounded_once(version: int, exponent: int) -> None:
    found = products_beside_a_tie(31, 100)
    x = found[:, 0].astype(np.int32)
    scale = (found[:, 1] * 2.0**exponent).astype(np.float32)
    value = dequantize(version, x, scale, axis=0).value
    assert (value != through_float64(x, scale)).all()
    assert codes_of(value).tolist() == exactly(x, scale)
    negative = dequantize(version, -x, scale, axis=0).value
    np.testing.assert_array_equal(negative, -value)


@pytest.mark.parametrize("version", VERSIONS[1:])
@pytest.mark.parametrize("units", [1, 2, 3])
def test_a_product_of_a_difference_past_int32_is_rounded_once(version: int, units: int) -> None:
    found = products_beside_a_tie(32, 100, units)
    zero_point = np.maximum(LEAST, GREATEST - found[:, 0])
    x = found[:, 0] + zero_point
    scale = found[:, 1].astype(np.float32)
    value = dequantize(
        version,
        x.astype(np.int32),
        scale,
        zero_point.astype(np.int32),
        axis=0,
        reading="subtracted-exactly",
    ).value
    # The last of 53 bits counts four units: three are not lost in float64, but must be kept.
    assert (value != through_float64(found[:, 0], scale)).all() == (units < 3)
    assert codes_of(value).tolist() == exactly(found[:, 0], scale)


def test_a_product_past_2_to_53_is_rounded_once_in_version_10() -> None:
    for difference, significand in products_beside_a_tie(31, 20):
        x, scale = np.array([difference], np.int32), np.array(significand, np.float32)
        value = dequantize(10, x, scale).value
        assert value != through_float64(x, scale)
        assert codes_of(value).tolist() == exactly(x, scale.reshape(1))


@pytest.mark.parametrize("version", VERSIONS)
def test_numbers_beyond_2_to_24_are_rounded_to_float(version: int) -> None:
    expected = dequantize(version, np.array([LEAST, 16777217, GREATEST], np.int32), np.float32(1))
    assert expected.value.tolist() == [-2147483648.0, 16777216.0, 2147483648.0]
    assert expected.is_single


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("reading", "meant"),
    [
        ("subtracted-exactly", lambda x, zero: x - zero),
        ("subtracted-with-wrap-around", lambda x, zero: (x - zero + 2**31) % 2**32 - 2**31),
        ("ignored", lambda x, zero: x),
    ],
)
def test_a_zero_point_means_what_its_reading_says(
    version: int, reading: str, meant: object
) -> None:
    xs = [LEAST, LEAST + 1, -5, -1, 0, 1, 7, 2**24 + 1, GREATEST - 1, GREATEST]
    scale = np.float32(0.1)
    for zero in (LEAST, -3, -1, 1, 100, GREATEST):
        expected = dequantize(
            version, np.array(xs, np.int32), scale, np.int32(zero), reading=reading
        )
        for name, field in (("exact", "exact"), ("float32", "float32")):
            codes = [
                getattr(
                    oracle.answers(number(meant(x, zero)), number(float(scale)), "float"), field
                )
                for x in xs
            ]
            assert codes_of(expected.readings[name]).tolist() == codes


def test_a_difference_that_is_no_float32_gives_two_permitted_values() -> None:
    # 2^24 + 1 becomes 2^24 in float32; three times either lies apart.
    x, scale = np.array([2**24 + 1], np.int32), np.float32(3)
    expected = dequantize(13, x, scale)
    assert (expected.value, expected.lower, expected.upper) == (50331652, 50331648, 50331652)
    assert expected.value_reading == "exact"
    assert expected.lower_reading == "float32"
    assert not expected.is_single


def test_a_zero_point_of_zero_raises_no_question() -> None:
    elements = Elements("int32", (5, 0xFFFFFFFF), "float", (0x3F800000,) * 2, (0, 0))
    assert elements.evaluate(28, "float").value.tolist() == [5.0, -1.0]
