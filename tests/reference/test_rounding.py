"""Rounding float64 values into the formats that have infinities, once and to even."""

import numpy as np
import oracle
import pytest
from code_arrays import codes_of, notable_codes, random_codes

from onnx_cts_reference.formats import Float64s, formats, round_to

NAMES = ("float", "float16", "bfloat16", "float8e5m2")


def assert_rounds_as_the_oracle(values: Float64s, name: str) -> None:
    """Both the values and their negatives."""
    sign = oracle.LAYOUTS[name].sign
    expected = np.array([oracle.encode(oracle.number(v), name) for v in values.tolist()])
    np.testing.assert_array_equal(codes_of(round_to(values, formats()[name])), expected)
    np.testing.assert_array_equal(codes_of(round_to(-values, formats()[name])), expected | sign)


def positive_codes(name: str) -> list[int]:
    """Codes of positive finite numbers and zero: all but for float, many of those."""
    infinity = oracle.LAYOUTS[name].infinity
    if name != "float":
        return list(range(infinity))
    codes = notable_codes(name) + random_codes(name, 5000, 1)
    return [code for code in codes if code < infinity]


def middles(name: str) -> Float64s:
    """The middle between each number and the next (past the last, where the next would be)."""
    edge = 2.0 ** (oracle.LAYOUTS[name].bias + 1)
    codes = positive_codes(name)
    lower = np.array([float(oracle.decode(code, name).size) for code in codes])
    upper = np.array([min(float(oracle.decode(code + 1, name).size), edge) for code in codes])
    return lower + (upper - lower) / 2


@pytest.mark.parametrize("name", NAMES)
def test_a_value_in_the_middle_goes_to_the_even_code(name: str) -> None:
    even = np.array([code + code % 2 for code in positive_codes(name)])
    np.testing.assert_array_equal(codes_of(round_to(middles(name), formats()[name])), even)
    assert_rounds_as_the_oracle(middles(name), name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("side", "step"), [(0.0, 0), (np.inf, 1)], ids=["below", "above"])
def test_a_value_beside_the_middle_goes_to_the_nearer(name: str, side: float, step: int) -> None:
    beside = np.nextafter(middles(name), side)
    nearer = np.array(positive_codes(name)) + step
    np.testing.assert_array_equal(codes_of(round_to(beside, formats()[name])), nearer)
    assert_rounds_as_the_oracle(beside, name)


@pytest.mark.parametrize("name", NAMES)
def test_values_of_every_magnitude_round_as_the_oracle(name: str) -> None:
    draws = np.random.default_rng(7)
    values = draws.uniform(1, 2, 10_000) * 2.0 ** draws.integers(-160, 140, 10_000)
    assert_rounds_as_the_oracle(values, name)


@pytest.mark.parametrize("name", NAMES)
def test_the_edges_of_overflow_and_underflow_round_as_ieee_754_has_it(name: str) -> None:
    form = oracle.LAYOUTS[name]
    greatest = float(oracle.decode(form.infinity - 1, name).size)
    half_step = greatest * 2.0 ** -(form.mantissa + 2)
    least = float(oracle.decode(1, name).size)
    values = [greatest, greatest + half_step / 2, 2.0 ** (form.bias + 1), 1e300, 1.7e308]
    values += [0.0, least, least / 2, np.nextafter(least / 2, 1), least / 4, 5e-324]
    assert_rounds_as_the_oracle(np.array(values), name)


@pytest.mark.parametrize("name", NAMES)
def test_zeros_infinities_and_nan_stay_what_they_are(name: str) -> None:
    form = oracle.LAYOUTS[name]
    given = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan])
    nan = oracle.encode(oracle.NAN, name)
    expected = [0, form.sign, form.infinity, form.sign | form.infinity, nan, nan]
    rounded = round_to(given, formats()[name])
    assert rounded.dtype == formats()[name].dtype
    # The raw bytes: NaN has one code, whatever its sign was.
    np.testing.assert_array_equal(rounded.view(f"u{rounded.dtype.itemsize}"), expected)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_rounding_keeps_the_shape(name: str, shape: tuple[int, ...]) -> None:
    assert round_to(np.ones(shape), formats()[name]).shape == shape
