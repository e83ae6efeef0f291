"""Which parameter belongs to which element: per tensor, per axis and blocked."""

from typing import Any

import numpy as np
import pytest
from code_arrays import array
from dequantize_calls import (
    VERSIONS,
    assert_spreads,
    dequantize,
)
from granularity import granular_shapes
from hypothesis import given, settings
from hypothesis import strategies as st

SINCE_13, SINCE_21 = VERSIONS[1:], VERSIONS[3:]


@st.composite
def calls(draw: st.DrawFn) -> dict[str, Any]:
    """A version, types, shapes and attributes that break no rule and raise no question."""
    version = draw(st.sampled_from(VERSIONS))
    x_type = draw(
        st.sampled_from(["uint8", "int8", "int32"] if version < 21 else ["uint4", "int16"])
    )
    scale_type = (
        "float" if version < 19 else draw(st.sampled_from(["float", "float16", "bfloat16"]))
    )
    output = scale_type if version < 23 else draw(st.sampled_from(["float", "float16", "bfloat16"]))
    return {
        "version": version,
        **draw(granular_shapes(version)),
        "types": (x_type, scale_type, output),
        "zero_points": draw(st.booleans()),
    }


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(calls())
def test_any_shape_and_granularity_agrees_with_a_loop_over_indices(call: dict[str, Any]) -> None:
    assert_spreads(**call)


def check(
    versions: tuple[int, ...], x: Any, scale: Any, zero_point: Any, answer: Any, **attributes: int
) -> None:
    """The one permitted answer of every version named."""
    for version in versions:
        expected = dequantize(version, x, scale, zero_point, **attributes)
        assert expected.value.dtype == np.float32
        np.testing.assert_array_equal(expected.value, np.array(answer, np.float32), strict=True)
        assert expected.is_single


FLOAT = np.float32


def test_rank_1_needs_no_axis_beside_a_scalar() -> None:
    check(VERSIONS, np.int8([1, 2, 3]), FLOAT(2), np.int8(1), [0, 2, 4])


def test_a_scalar_input_gives_a_scalar() -> None:
    check(VERSIONS, np.int8(5), FLOAT(2), np.int8(1), 8)


@pytest.mark.parametrize(
    ("axis", "answer"),
    [
        (-1, [[[0, 0], [2, 200]], [[4, 400], [6, 600]]]),
        (-2, [[[0, 1], [100, 200]], [[4, 5], [500, 600]]]),
        (-3, [[[0, 1], [2, 3]], [[300, 400], [500, 600]]]),
    ],
)
def test_equal_dimensions_do_not_hide_which_axis_a_negative_one_is(axis: int, answer: Any) -> None:
    x = np.arange(8, dtype=np.int8).reshape(2, 2, 2)
    check(SINCE_13, x, FLOAT([1, 100]), np.int8([0, 1]), answer, axis=axis)
    check(SINCE_13, x, FLOAT([1, 100]), np.int8([0, 1]), answer, axis=axis + 3)


def test_each_channel_has_its_own_parameters() -> None:
    x, zero_point = np.int8([[1, 1, 1], [4, 4, 4]]), np.int8([0, 1, -1])
    check(SINCE_13, x, FLOAT([0.5, 2, 10]), zero_point, [[0.5, 0, 20], [2, 6, 50]], axis=1)


def test_blocks_are_repeated_and_not_interleaved() -> None:
    x, scale, zero_point = (
        np.full((1, 8), 9, np.uint8),
        FLOAT([[1, 2, 3, 4]]),
        np.uint8([[1, 2, 3, 4]]),
    )
    answer = [[8, 8, 14, 14, 18, 18, 20, 20]]
    check(SINCE_21, x, scale, zero_point, answer, axis=1, block_size=2)


def test_rank_1_may_be_blocked() -> None:
    x = np.arange(10, 81, 10).astype(np.int8)
    answer = [5, 10, 15, 20, 80, 100, 120, 140]
    check(SINCE_21, x, FLOAT([0.5, 2]), np.int8([0, 10]), answer, axis=0, block_size=4)


def test_a_tail_block_is_shorter() -> None:
    x, scale, zero_point = (
        np.uint8([[10, 11, 12, 13, 14]]),
        FLOAT([[1, 10, 100]]),
        np.uint8([[0, 1, 2]]),
    )
    answer = [[10, 11, 110, 120, 1200]]
    check(SINCE_21, x, scale, zero_point, answer, axis=1, block_size=2)


def test_differences_do_not_wrap_around() -> None:
    x = np.arange(17, dtype=np.uint8)
    check(VERSIONS, x, FLOAT(2), np.uint8(128), [(i - 128) * 2 for i in range(17)])
    x = np.int8([-128, -1, 0, 127])
    check(VERSIONS, x, FLOAT(0.5), np.int8(127), [-127.5, -64, -63.5, 0])


def test_unsigned_codes_are_not_sign_extended() -> None:
    check(VERSIONS, np.uint8([127, 128, 255]), FLOAT(1), None, [127, 128, 255])


def test_a_float8e8m0_scale_is_a_power_of_two() -> None:
    scale = array("float8e8m0", [0, 127, 134, 254, 255])
    for version in (24, 25, 28):
        expected = dequantize(version, np.full(5, 1, np.int8), scale, axis=0, output_dtype=1)
        answer = FLOAT([2.0**-127, 1, 128, 2.0**127, np.nan])
        np.testing.assert_array_equal(expected.value, answer)


def test_an_absent_zero_point_may_be_left_out_or_none() -> None:
    x, scale = np.int8([1, 2]), FLOAT(2)
    for version in VERSIONS:
        left_out, none = dequantize(version, x, scale), dequantize(version, x, scale, None)
        assert left_out.value.tolist() == none.value.tolist() == [2, 4]


def test_a_signed_zero_keeps_its_sign_through_the_formula() -> None:
    minus = array("float8e5m2", [0x80])
    for scale, negative in ((2.0, True), (-2.0, False)):
        for zero_point in (None, array("float8e5m2", 0)):
            value = dequantize(19, minus, FLOAT(scale), zero_point).value
            assert value == 0
            assert np.signbit(value) == negative
    assert np.signbit(dequantize(13, np.int8([3]), FLOAT(-2), np.int8(3)).value)
