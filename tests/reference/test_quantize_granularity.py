"""Which parameter belongs to which element, and which type y has."""

from typing import Any

import numpy as np
import pytest
from code_arrays import array, type_number
from granularity import granular_shapes
from hypothesis import given, settings
from hypothesis import strategies as st
from quantize_calls import VERSIONS, assert_spreads, legal_types, quantize
from quantize_oracle import FLOATS

SINCE_13, SINCE_19, SINCE_21, SINCE_23 = VERSIONS[1:], VERSIONS[2:], VERSIONS[3:], VERSIONS[4:]
FLOAT = np.float32


@st.composite
def calls(draw: st.DrawFn) -> dict[str, Any]:
    """A version, types, shapes and attributes that break no rule and raise no question."""
    version = draw(st.sampled_from(VERSIONS))
    legal = legal_types(version)
    decided = [p for p in legal.pairs if version < 23 or p[1] in FLOATS]
    x_type, scale_type = draw(st.sampled_from(decided))
    output = draw(st.sampled_from(legal.outputs))
    return {
        "version": version,
        **draw(granular_shapes(version)),
        "types": (x_type, scale_type, output),
        "zero_points": draw(st.booleans()) or not legal.has_output_dtype,
    }


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(calls())
def test_any_shape_and_granularity_agrees_with_a_loop_over_indices(call: dict[str, Any]) -> None:
    assert_spreads(**call)


def check(
    versions: tuple[int, ...], x: Any, scale: Any, zero_point: Any, answer: Any, **attributes: int
) -> None:
    """The one permitted answer of every version named, in the type of ``answer``."""
    for version in versions:
        expected = quantize(version, x, scale, zero_point, **attributes)
        np.testing.assert_array_equal(expected.value, answer, strict=True)
        assert expected.is_single


def test_a_scalar_input_gives_a_scalar() -> None:
    check(VERSIONS, FLOAT(5), FLOAT(2), np.int8(1), np.array(3, np.int8))


@pytest.mark.parametrize(
    ("axis", "answer"),
    [
        (-1, [[[0, 1], [20, 1], [40, 1]], [[60, 2], [80, 2], [100, 2]]]),
        (0, [[[0, 10], [20, 30], [40, 50]], [[2, 2], [2, 2], [2, 2]]]),
    ],
)
def test_equal_dimensions_do_not_hide_which_axis_is_meant(axis: int, answer: Any) -> None:
    x = np.arange(0, 120, 10, dtype=FLOAT).reshape(2, 3, 2)
    # 50 / 100 is a tie that goes to 0; from 60 on the quotient rounds to 1.
    check(SINCE_13, x, FLOAT([1, 100]), np.uint8([0, 1]), np.uint8(answer), axis=axis)


def test_each_channel_has_its_own_parameters() -> None:
    x, scale, zero_point = FLOAT([[1, 1, 1], [4, 4, 4]]), FLOAT([0.5, 2, 10]), np.int8([0, 1, -1])
    # 1 / 2 is a tie that goes to 0.
    check(SINCE_13, x, scale, zero_point, np.int8([[2, 1, -1], [8, 3, -1]]), axis=1)


def test_blocks_are_repeated_and_not_interleaved() -> None:
    x, scale = np.full((1, 8), 12, FLOAT), FLOAT([[1, 2, 3, 4]])
    zero_point = np.uint8([[0, 1, 2, 3]])
    answer = np.uint8([[12, 12, 7, 7, 6, 6, 6, 6]])
    check(SINCE_21, x, scale, zero_point, answer, axis=1, block_size=2)


def test_rank_1_may_be_blocked() -> None:
    x, zero_point = np.arange(10, 81, 10).astype(FLOAT), np.int8([0, 10])
    answer = np.int8([20, 40, 60, 80, 35, 40, 45, 50])
    check(SINCE_21, x, FLOAT([0.5, 2]), zero_point, answer, axis=0, block_size=4)


def test_a_tail_block_is_shorter() -> None:
    x, scale = FLOAT([[10, 11, 12, 13, 14]]), FLOAT([[1, 10, 100]])
    zero_point = np.uint8([[0, 1, 2]])
    answer = np.uint8([[10, 11, 2, 2, 2]])
    check(SINCE_21, x, scale, zero_point, answer, axis=1, block_size=2)


def test_y_is_uint8_where_nothing_says_otherwise() -> None:
    for version in VERSIONS:
        left_out = quantize(version, FLOAT([-1, 2.5]), FLOAT(1))
        none = quantize(version, FLOAT([-1, 2.5]), FLOAT(1), None)
        for expected in (left_out, none):
            np.testing.assert_array_equal(expected.value, np.uint8([0, 2]), strict=True)


@pytest.mark.parametrize("version", VERSIONS)
def test_y_has_the_type_of_the_zero_point_or_that_of_output_dtype(version: int) -> None:
    legal = legal_types(version)
    for output in legal.outputs:
        wanted = array(output, 0).dtype
        given_zero = array(output, 0)
        assert quantize(version, FLOAT(1), FLOAT(1), given_zero).value.dtype == wanted
        if legal.has_output_dtype:
            chosen = {"output_dtype": type_number(output)}
            assert quantize(version, FLOAT(1), FLOAT(1), **chosen).value.dtype == wanted
            both = quantize(version, FLOAT(1), FLOAT(1), given_zero, **chosen)
            assert both.value.dtype == wanted
            none = quantize(version, FLOAT(1), FLOAT(1), given_zero, output_dtype=0)
            assert none.value.dtype == wanted


def test_saturate_says_nothing_to_types_other_than_float8() -> None:
    xs = FLOAT([-1e9, 1e9])
    for version in SINCE_19:
        assert quantize(version, xs, FLOAT(1), np.int8(0), saturate=0).value.tolist() == [-128, 127]
    for version in SINCE_23:
        six = quantize(version, xs, FLOAT(1), array("float4e2m1", 0), saturate=0).value
        assert six.astype(FLOAT).tolist() == [-6, 6]


def test_the_precision_named_is_that_of_the_division() -> None:
    xs = FLOAT([2049, 2051])
    for version in SINCE_23:
        for named in ({"precision": 10}, {}):
            scale = FLOAT(1) if named else np.float16(1)
            check((version,), xs, scale, np.uint16(0), np.uint16([2048, 2052]), **named)
        check((version,), xs, np.float16(1), np.uint16(0), np.uint16([2049, 2051]), precision=1)


def test_a_float8e8m0_scale_divides_in_the_precision_named() -> None:
    scale = array("float8e8m0", [126, 127, 134])
    for version in VERSIONS[5:]:
        answer = np.int8([127, 64, 0])
        check(
            (version,),
            FLOAT([64, 64, 64]),
            scale,
            np.int8(0).repeat(3),
            answer,
            axis=0,
            precision=1,
        )
