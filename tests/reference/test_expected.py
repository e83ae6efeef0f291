"""What an Expected says of several readings together."""

import numpy as np
import pytest
from code_arrays import type_number
from dequantize_calls import dequantize

from onnx_cts_reference import Expected

NAN, INF = np.nan, np.inf


def expected(*readings: list[float]) -> Expected:
    names = ("exact", "float32", "output-precision")
    return Expected(
        {name: np.array(r, np.float32) for name, r in zip(names, readings, strict=False)}
    )


def test_the_first_reading_gives_the_value() -> None:
    given = expected([2], [1], [3])
    assert given.value_reading == "exact"
    assert (given.value, given.lower, given.upper) == (2, 1, 3)
    assert (given.lower_reading, given.upper_reading) == ("float32", "output-precision")
    assert not given.is_single


def test_one_reading_permits_one_value() -> None:
    given = expected([2, NAN])
    np.testing.assert_array_equal(given.lower, [2, NAN])
    np.testing.assert_array_equal(given.upper, [2, NAN])
    assert given.is_single


@pytest.mark.parametrize(
    ("readings", "lower", "upper"),
    [
        pytest.param((1, 1, 1), 1, 1, id="agreement"),
        pytest.param((0.0, -0.0, 0.0), 0, 0, id="zeros-of-either-sign"),
        pytest.param((NAN, NAN, NAN), NAN, NAN, id="nan-alone"),
        pytest.param((-INF, -1, INF), -INF, INF, id="infinities"),
        pytest.param((1, 1, INF), 1, INF, id="overflow-in-one-reading"),
        pytest.param((0, 0, NAN), NAN, 0, id="nan-takes-the-lower-end-where-the-value-is-both"),
        pytest.param((5, 2, NAN), 2, NAN, id="nan-takes-the-upper-end-that-the-value-is"),
        pytest.param((2, 5, NAN), NAN, 5, id="nan-takes-the-lower-end-that-the-value-is"),
        pytest.param((INF, NAN, NAN), NAN, INF, id="nan-twice-beside-infinity"),
        pytest.param((-INF, -INF, NAN), NAN, -INF, id="nan-beside-minus-infinity"),
    ],
)
def test_the_ends_span_the_readings(
    readings: tuple[float, ...], lower: float, upper: float
) -> None:
    given = expected(*([r] for r in readings))
    np.testing.assert_array_equal(given.lower, np.float32([lower]))
    np.testing.assert_array_equal(given.upper, np.float32([upper]))
    assert given.is_single == (lower == upper or bool(np.isnan(readings).all()))


def test_a_number_beside_a_nan_that_is_the_value_is_a_second_answer() -> None:
    given = expected([NAN], [448], [448])
    assert np.isnan(given.value)
    assert (given.lower, given.upper) == (448, 448)
    assert not given.is_single


def test_each_element_has_its_own_ends() -> None:
    given = expected([1, 2, NAN], [2, 1, NAN], [3, 2, NAN])
    np.testing.assert_array_equal(given.lower, [1, 1, NAN])
    np.testing.assert_array_equal(given.upper, [3, 2, NAN])
    assert given.lower_reading.tolist()[:2] == ["exact", "float32"]
    assert given.upper_reading.tolist()[:2] == ["output-precision", "exact"]


def test_overflow_of_an_intermediate_may_permit_nan() -> None:
    # 100000 is infinite in float16, and infinity times zero is no number.
    given = dequantize(
        23, np.array([100000], np.int32), np.float32(0), output_dtype=type_number("float16")
    )
    assert given.value == 0
    assert np.isnan(given.lower)
    assert given.upper == 0
    assert given.lower_reading.tolist() == ["output-precision"]


def test_underflow_of_the_scale_may_permit_zero() -> None:
    scale, x = np.float32(2.0**-26), np.array([2**10], np.int32)
    given = dequantize(23, x, scale, output_dtype=type_number("float16"))
    assert (given.value, given.lower, given.upper) == (2.0**-16, 0, 2.0**-16)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
def test_ends_keep_shape_and_dtype(shape: tuple[int, ...]) -> None:
    given = dequantize(19, np.ones(shape, np.int8), np.float16(2))
    for array in (given.value, given.lower, given.upper):
        assert (array.shape, array.dtype) == (shape, np.float16)
