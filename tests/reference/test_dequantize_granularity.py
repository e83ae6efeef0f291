"""Which parameter belongs to which element: per tensor, per axis and blocked."""

from typing import Any

import numpy as np
import pytest
from code_arrays import array, random_codes, type_number
from dequantize_calls import VERSIONS, Elements, assert_agrees, dequantize, reading_for
from granularity import Attributes, granular_shapes, spread
from hypothesis import given, settings
from hypothesis import strategies as st

SINCE_13, SINCE_21 = VERSIONS[1:], VERSIONS[3:]


def assert_spreads(
    version: int,
    shape: tuple[int, ...],
    parameters: tuple[int, ...],
    attributes: Attributes,
    *,
    types: tuple[str, str, str] = ("uint8", "float", "float"),
    zero_points: bool = True,
) -> None:
    """A call with drawn values agrees with the oracle, element by element."""
    x_type, scale_type, output = types
    x = np.array(random_codes(x_type, int(np.prod(shape)), 1), np.int64)
    count = int(np.prod(parameters))
    scale, zero = (
        np.array(random_codes(name, count, seed), np.int64).reshape(parameters)
        for name, seed in ((scale_type, 2), (x_type, 3))
    )
    scales = tuple(spread(scale, shape, attributes).reshape(-1).tolist())
    zeros = tuple(spread(zero, shape, attributes).reshape(-1).tolist()) if zero_points else None
    elements = Elements(x_type, tuple(x.tolist()), scale_type, scales, zeros)
    expected = dequantize(
        version,
        array(x_type, x).reshape(shape),
        array(scale_type, scale),
        array(x_type, zero) if zero_points else None,
        reading=reading_for(x_type, zero.reshape(-1)) if zero_points else None,
        **attributes,
        **({} if output == scale_type else {"output_dtype": type_number(output)}),
    )
    assert expected.value.shape == expected.lower.shape == expected.upper.shape == shape
    assert_agrees(expected, elements.answers(output))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (2, 1, 3, 2), (0,), (2, 0, 3)])
def test_a_scalar_serves_every_element(version: int, shape: tuple[int, ...]) -> None:
    assert_spreads(version, shape, (), {})


@pytest.mark.parametrize("version", SINCE_13)
@pytest.mark.parametrize("axis", [*range(4), *range(-4, 0)])
def test_a_vector_runs_along_its_axis_counted_from_either_end(version: int, axis: int) -> None:
    shape = (2, 3, 4, 5)
    assert_spreads(version, shape, (shape[axis],), {"axis": axis})


@pytest.mark.parametrize("version", SINCE_13)
def test_a_vector_runs_along_axis_1_where_none_is_given(version: int) -> None:
    assert_spreads(version, (2, 3, 4), (3,), {})


@pytest.mark.parametrize("version", SINCE_13)
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("length", [0, 1, 4])
def test_rank_1_has_a_parameter_for_each_element(version: int, axis: int, length: int) -> None:
    assert_spreads(version, (length,), (length,), {"axis": axis})


@pytest.mark.parametrize("version", SINCE_13)
def test_an_empty_axis_takes_an_empty_scale(version: int) -> None:
    assert_spreads(version, (3, 0, 2), (0,), {"axis": 1})
    assert_spreads(version, (3, 0, 2), (2,), {"axis": 2})


@pytest.mark.parametrize("version", SINCE_21)
@pytest.mark.parametrize("axis", [*range(3), *range(-3, 0)])
@pytest.mark.parametrize("zero_points", [True, False])
@pytest.mark.parametrize(
    ("block_size", "blocks"),
    [
        pytest.param(3, 2, id="whole-blocks"),
        pytest.param(4, 2, id="tail-block"),
        pytest.param(5, 2, id="tail-block-of-one"),
        pytest.param(1, 6, id="block-size-1"),
        pytest.param(6, 1, id="one-block"),
        pytest.param(100, 1, id="one-block-longer-than-the-axis"),
    ],
)
def test_blocks_repeat_along_their_axis(
    version: int, axis: int, zero_points: bool, block_size: int, blocks: int
) -> None:
    shape, parameters = [2, 3, 2], [2, 3, 2]
    shape[axis], parameters[axis] = 6, blocks
    attributes = {"axis": axis, "block_size": block_size}
    assert_spreads(version, tuple(shape), tuple(parameters), attributes, zero_points=zero_points)


@pytest.mark.parametrize("version", SINCE_21)
@pytest.mark.parametrize(
    ("shape", "parameters", "axis"),
    [((0,), (0,), 0), ((2, 0), (2, 0), 1), ((0, 4), (0, 2), 1), ((4, 0, 3), (2, 0, 3), -3)],
)
def test_empty_tensors_may_be_blocked(
    version: int, shape: tuple[int, ...], parameters: tuple[int, ...], axis: int
) -> None:
    assert_spreads(version, shape, parameters, {"axis": axis, "block_size": 2})


def test_a_block_may_be_longer_than_memory() -> None:
    assert_spreads(21, (2, 3), (2, 1), {"axis": 1, "block_size": 2**62})


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
