"""The right implementations of quantization are right by the oracle of its arithmetic."""

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import right_dynamic_quantizers
import right_quantizers
from code_arrays import array, codes_of, type_number
from dynamic_quantize_draws import plain_tensors, tensors_of_ties
from dynamic_quantize_oracle import OUTPUT_TYPES, READINGS
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper
from quantize_calls import VERSIONS, Elements, decoded
from quantize_draws import boundaries
from quantize_oracle import UndecidedError
from right_calls import Array


def dtype_of(name: str) -> np.dtype[Any]:
    return np.dtype(helper.tensor_dtype_to_np_dtype(type_number(name)))


def call_of(elements: Elements, version: int) -> right_quantizers.Call:
    """The call on all elements, per axis or per tensor."""
    zero = elements.zero_point
    count = len(elements.scale)
    return right_quantizers.Call(
        array(elements.x_type, elements.x),
        array(elements.scale_type, elements.scale if count > 1 else elements.scale[0]),
        None if zero is None else array(elements.output, zero if count > 1 else zero[0]),
        axis=0,
        block_size=0,
        output=dtype_of(elements.output),
        version=version,
        precision=dtype_of(elements.precision) if elements.precision else None,
        saturate=elements.saturate,
    )


def numbers(codes: np.ndarray, name: str) -> list[Any]:
    """The numbers of codes, None for NaN."""
    return [None if n.is_nan else n.value for n in decoded(name, codes.reshape(-1).tolist())]


def beyond(codes: np.ndarray, ends: tuple[np.ndarray, np.ndarray], name: str) -> list[Any]:
    """What is given and not permitted, with the ends of what is."""
    rows = zip(numbers(codes, name), *(numbers(end, name) for end in ends), strict=True)
    return [row for row in rows if not is_permitted(*row)]


def is_permitted(value: Any, lower: Any, upper: Any) -> bool:
    if None in (value, lower, upper):
        return value in (lower, upper)
    return bool(lower <= value <= upper)


def disagreement(
    implementation: Callable[[right_quantizers.Call], Array], elements: Elements, version: int
) -> list[Any]:
    answers = elements.answers(version)
    with np.errstate(all="ignore"):
        y = np.asarray(implementation(call_of(elements, version)))
    assert y.dtype == dtype_of(elements.output)
    return beyond(codes_of(y), (answers["lower"], answers["upper"]), elements.output)


@pytest.mark.parametrize("version", VERSIONS)
def test_each_quantizer_stays_within_what_is_permitted(version: int) -> None:
    @settings(max_examples=150, deadline=None, derandomize=True, database=None)
    @given(boundaries(version))
    def stays_within(elements: Elements) -> None:
        with contextlib.suppress(UndecidedError):
            for implementation in right_quantizers.IMPLEMENTATIONS:
                assert disagreement(implementation, elements, version) == []

    stays_within()


def test_a_wrong_quantizer_does_not() -> None:
    elements = Elements("float", (0x3F800000,), "float", (0x3F800000,), "uint8", (1,))
    assert disagreement(right_quantizers.without_the_zero_point, elements, 10) == [(1, 2, 2)]


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.one_of(plain_tensors(), tensors_of_ties()))
def test_each_dynamic_quantizer_stays_within_what_is_permitted(x_codes: list[int]) -> None:
    try:
        answers = [compute(decoded("float", x_codes)) for compute in READINGS.values()]
    except UndecidedError:
        return
    call = right_dynamic_quantizers.Call(array("float", x_codes))
    for implementation in right_dynamic_quantizers.IMPLEMENTATIONS:
        with np.errstate(all="ignore"):
            outputs = implementation(call)
        for place, (output, name) in enumerate(zip(outputs, OUTPUT_TYPES, strict=True)):
            readings = np.array([np.atleast_1d(answer[place]) for answer in answers])
            # Codes of scales are in the order of the scales, all of which are positive.
            ends = readings.min(axis=0), readings.max(axis=0)
            assert beyond(codes_of(output), ends, name) == []
