"""ULPs and relative differences, against counting the values of a format one by one."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from onnx_cts_generator.upstream.finding import Measure
from onnx_cts_generator.upstream.measuring import measured, ordinals

SMALL = [
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "bfloat16",
]


@pytest.mark.parametrize("name", SMALL)
def test_neighbours_of_a_format_are_one_apart(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    bits = 16 if name == "bfloat16" else int(name[5])
    codes = np.arange(1 << bits, dtype=f"u{dtype.itemsize}").view(dtype)
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        values = codes.astype(np.float64)
    finite = [i for i in range(len(codes)) if not np.isnan(values[i])]
    order = sorted(finite, key=lambda i: float(values[i]))
    counted = ordinals(codes)
    for one, two in pairwise(order):
        apart = int(counted[two]) - int(counted[one])
        assert apart == (0 if values[one] == values[two] else 1)


@pytest.mark.parametrize("name", ["int2", "uint2", "int4", "uint4"])
def test_narrow_integers_are_as_far_apart_as_they_are(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    info = ml_dtypes.iinfo(dtype)
    ends = np.array([info.min, info.max]).astype(dtype)
    assert measured(ends[:1], ends[1:]).ulp == info.max - info.min


@pytest.mark.parametrize(
    ("dtype", "one", "two", "ulp", "relative"),
    [
        (np.float64, 1.0, 1.0 + 2**-52, 1, 2**-52),
        (np.float64, -5e-324, 5e-324, 2, 2.0),
        (
            np.float64,
            -np.finfo(np.float64).max,
            np.finfo(np.float64).max,
            2 * 0x7FEFFFFFFFFFFFFF,
            2,
        ),
        (np.float32, np.finfo(np.float32).max, np.inf, 1, None),
        (np.float16, 1.0, 1.0 + 2**-10, 1, 2**-10),
        (np.int64, np.iinfo(np.int64).min, np.iinfo(np.int64).max, 2**64 - 1, 2.0),
        (np.uint64, 0, 2**64 - 1, 2**64 - 1, 1.0),
        (np.int8, -1, 1, 2, 2.0),
        (np.bool_, False, True, 1, 1.0),
    ],
)
def test_two_numbers(dtype: Any, one: Any, two: Any, ulp: int, relative: float | None) -> None:
    a, b = np.array([one], dtype), np.array([two], dtype)
    absolute = relative and min(abs(float(one) - float(two)), np.finfo(np.float64).max)
    expected = Measure(1, 1, ulp, relative and pytest.approx(relative, rel=1e-3), absolute)
    assert measured(a, b) == expected == measured(b, a)
    assert measured(a, a) == Measure(0, 1)


def test_the_sign_of_zero_is_a_difference_of_no_ulp() -> None:
    assert measured(np.array([0.0]), np.array([-0.0])) == Measure(1, 1, 0, 0.0, 0.0)


def test_only_differing_elements_count_and_the_worst_is_told() -> None:
    a = np.array([[1.0, 2.0], [np.nan, np.nan]])
    b = np.array([[1.0, 2.0 + 2**-50], [np.nan, 0.0]])
    assert measured(a, b) == Measure(2, 4, 2, pytest.approx(2**-51), 2**-50, 1)


def test_complex_numbers_are_measured_by_their_parts() -> None:
    a = np.array([1 + 1j, 2 + 2j, 3], np.complex64)
    b = np.array([1 + 1j, 3 + 2.5j, 4], np.complex64)
    # From 2 to 3 it is half of the numbers of a binade, as it is from 3 to 4.
    assert measured(a, b) == Measure(2, 3, 2**22, pytest.approx(1 / 3), 1.0)


def test_strings_and_scalars() -> None:
    a, b = np.array(["a", "b"], object), np.array(["a", "c"], object)
    assert measured(a, b) == Measure(1, 2)
    assert measured(np.float32(1).reshape(()), np.float32(2).reshape(())).ulp == 1 << 23
    assert measured(np.zeros(0), np.zeros(0)) == Measure(0, 0)
