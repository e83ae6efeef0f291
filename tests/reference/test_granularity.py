"""Which parameter belongs to which element, of quantizing as of its inverse."""

from collections.abc import Callable

import dequantize_calls
import pytest
import quantize_calls
from dequantize_calls import VERSIONS

SINCE_13, SINCE_21 = VERSIONS[1:], VERSIONS[3:]

Spreads = Callable[..., None]


@pytest.fixture(params=[dequantize_calls, quantize_calls], ids=["dequantize", "quantize"])
def spreads(request: pytest.FixtureRequest) -> Spreads:
    """What asserts that a call with drawn values agrees with the oracle, element by element."""
    found: Spreads = request.param.assert_spreads
    return found


def test_both_operators_have_the_same_versions() -> None:
    assert dequantize_calls.VERSIONS == quantize_calls.VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (2, 1, 3, 2), (0,), (2, 0, 3)])
def test_a_scalar_serves_every_element(
    spreads: Spreads, version: int, shape: tuple[int, ...]
) -> None:
    spreads(version, shape, (), {})


@pytest.mark.parametrize("version", SINCE_13)
@pytest.mark.parametrize("axis", [*range(4), *range(-4, 0)])
def test_a_vector_runs_along_its_axis_counted_from_either_end(
    spreads: Spreads, version: int, axis: int
) -> None:
    shape = (2, 3, 4, 5)
    spreads(version, shape, (shape[axis],), {"axis": axis})


@pytest.mark.parametrize("version", SINCE_13)
def test_a_vector_runs_along_axis_1_where_none_is_given(spreads: Spreads, version: int) -> None:
    spreads(version, (2, 3, 4), (3,), {})


@pytest.mark.parametrize("version", SINCE_13)
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("length", [0, 1, 4])
def test_rank_1_has_a_parameter_for_each_element(
    spreads: Spreads, version: int, axis: int, length: int
) -> None:
    spreads(version, (length,), (length,), {"axis": axis})


@pytest.mark.parametrize("version", SINCE_13)
def test_an_empty_axis_takes_an_empty_scale(spreads: Spreads, version: int) -> None:
    spreads(version, (3, 0, 2), (0,), {"axis": 1})
    spreads(version, (3, 0, 2), (2,), {"axis": 2})


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
    spreads: Spreads, version: int, axis: int, *, zero_points: bool, block_size: int, blocks: int
) -> None:
    shape, parameters = [2, 3, 2], [2, 3, 2]
    shape[axis], parameters[axis] = 6, blocks
    attributes = {"axis": axis, "block_size": block_size}
    spreads(version, tuple(shape), tuple(parameters), attributes, zero_points=zero_points)


@pytest.mark.parametrize("version", SINCE_21)
@pytest.mark.parametrize(
    ("shape", "parameters", "axis"),
    [((0,), (0,), 0), ((2, 0), (2, 0), 1), ((0, 4), (0, 2), 1), ((4, 0, 3), (2, 0, 3), -3)],
)
def test_empty_tensors_may_be_blocked(
    spreads: Spreads, version: int, shape: tuple[int, ...], parameters: tuple[int, ...], axis: int
) -> None:
    spreads(version, shape, parameters, {"axis": axis, "block_size": 2})


def test_a_block_may_be_longer_than_memory(spreads: Spreads) -> None:
    spreads(21, (2, 3), (2, 1), {"axis": 1, "block_size": 2**62})
