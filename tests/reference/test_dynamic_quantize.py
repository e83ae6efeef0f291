"""DynamicQuantizeLinear: three outputs, each under every reading, and what the text leaves open."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import oracle
import pytest
from code_arrays import array, assert_codes
from dynamic_quantize_draws import (
    plain_tensors,
    tensors_of_any_codes,
    tensors_of_subnormals,
    tensors_of_ties,
)
from dynamic_quantize_oracle import OUTPUT_TYPES, READINGS, Outputs
from hypothesis import given, settings
from hypothesis import strategies as st
from quantize_calls import decoded
from quantize_oracle import UndecidedError

from onnx_cts_reference import Expected, OpenQuestionError, evaluate

NAMES = ("y", "y_scale", "y_zero_point")
FLOAT = np.float32


def dynamic_quantize(x: Any, reading: str | None = None) -> dict[str, Expected]:
    """The outputs of a call by name."""
    outputs = evaluate("DynamicQuantizeLinear", 11, [x], {}, reading=reading)
    return dict(zip(NAMES, outputs, strict=True))


def codes(answer: Outputs, name: str) -> np.ndarray:
    return np.atleast_1d(np.array(getattr(answer, name), np.int64))


def assert_is_the_oracles(x_codes: Sequence[int]) -> None:
    """Each output agrees under each reading, or the call is open where the oracle is undecided."""
    x = array("float", x_codes)
    try:
        answers = {name: compute(decoded("float", x_codes)) for name, compute in READINGS.items()}
    except UndecidedError:
        with pytest.raises(OpenQuestionError):
            dynamic_quantize(x)
        return
    outputs = dynamic_quantize(x).items()
    for (name, expected), type_of_output in zip(outputs, OUTPUT_TYPES, strict=True):
        assert list(expected.readings) == list(READINGS)
        for reading, answer in answers.items():
            assert_codes(expected.readings[reading], codes(answer, name), f"{name}, {reading}")
        rows = zip(*(codes(answer, name).tolist() for answer in answers.values()), strict=True)
        lower, upper = np.array([oracle.ends(row, type_of_output) for row in rows], np.int64).T
        assert_codes(expected.lower, lower, f"lower {name}")
        assert_codes(expected.upper, upper, f"upper {name}")


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(
    st.one_of(plain_tensors(), tensors_of_ties(), tensors_of_any_codes(), tensors_of_subnormals())
)
def test_drawn_tensors_are_the_oracles(x_codes: list[int]) -> None:
    assert_is_the_oracles(x_codes)


@pytest.mark.parametrize("shape", [(6,), (2, 3), (1, 6, 1), (3, 1, 2)])
def test_one_range_serves_every_element_of_any_shape(shape: tuple[int, ...]) -> None:
    x = FLOAT([-254, 256, 1, 3, 5, 0]).reshape(shape)
    outputs = dynamic_quantize(x)
    y = np.uint8([0, 255, 127, 129, 129, 127]).reshape(shape)
    np.testing.assert_array_equal(outputs["y"].value, y, strict=True)
    np.testing.assert_array_equal(outputs["y_scale"].value, np.array(2, FLOAT), strict=True)
    np.testing.assert_array_equal(
        outputs["y_zero_point"].value, np.array(127, np.uint8), strict=True
    )
    assert all(output.is_single for output in outputs.values())


def test_a_scalar_is_its_own_range() -> None:
    outputs = dynamic_quantize(FLOAT(-255))
    assert [outputs[name].value.tolist() for name in NAMES] == [0, 1, 255]


@pytest.mark.parametrize("reading", READINGS)
def test_a_named_reading_is_all_that_is_permitted(reading: str) -> None:
    # In real numbers 0.5 is a tie; float32 holds a little more than 1 / 255.
    y = dynamic_quantize(FLOAT([1, 0.5]), reading)["y"]
    wanted = [255, 128] if reading == "exact" else [255, 127]
    assert y.value.tolist() == y.lower.tolist() == y.upper.tolist() == wanted
    assert list(y.readings) == [reading]


def test_each_output_has_its_own_permitted_values() -> None:
    outputs = dynamic_quantize(FLOAT([1, 0.5]))
    assert outputs["y"].lower.tolist() == [255, 127]
    assert outputs["y"].upper.tolist() == [255, 128]
    assert outputs["y_scale"].is_single
    assert outputs["y_zero_point"].is_single


@pytest.mark.parametrize(
    "xs",
    [
        pytest.param([], id="empty"),
        pytest.param([0, -0.0], id="zeros"),
        pytest.param([1, np.nan], id="nan"),
        pytest.param([1, np.inf], id="infinity"),
        pytest.param([1, -np.inf], id="minus-infinity"),
        pytest.param([3e38, -3e38], id="range-past-float32"),
        pytest.param([1e-45, 0], id="scale-of-zero-by-underflow"),
    ],
)
def test_a_range_that_is_no_positive_number_is_open(xs: list[float]) -> None:
    with pytest.raises(OpenQuestionError) as caught:
        dynamic_quantize(FLOAT(xs))
    assert len(caught.value.readings) > 1
