"""Calls of QuantizeLinear that the text leaves open, and the answers that can be defended."""

from typing import Any

import numpy as np
import pytest
from code_arrays import array, codes_of, type_number
from quantize_calls import VERSIONS, legal_types, quantize

from onnx_cts_reference import OpenQuestionError, RefusedError

X = np.arange(0, 12, 2, dtype=np.float32).reshape(2, 3)
LINE = np.arange(3, dtype=np.float32)
HALF = np.float32(0.5)
SINCE_13, SINCE_19, SINCE_21, SINCE_23, SINCE_24 = (
    tuple(v for v in VERSIONS if v >= first) for first in (13, 19, 21, 23, 24)
)
Answers = dict[str, Any]


def floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def int8s(*values: int) -> np.ndarray:
    return np.array(values, np.int8)


def opened(
    statement: str,
    versions: tuple[int, ...],
    question: str,
    answers: Answers,
    *inputs: Any,
    **attributes: Any,
) -> list[Any]:
    return [
        pytest.param(v, question, answers, inputs, attributes, id=f"v{v}-{statement}")
        for v in versions
    ]


AS_SCALAR = {"per-tensor": np.int8(X * 2 + 1)}
OPEN = [
    *opened(
        "both-of-one-element-in-version-10",
        (10,),
        "one-element-parameters",
        AS_SCALAR,
        X,
        floats(0.5),
        int8s(1),
    ),
    *opened(
        "a-scale-of-one-element",
        (10,),
        "one-element-parameters",
        AS_SCALAR,
        X,
        floats(0.5),
        np.int8(1),
    ),
    *opened(
        "a-lone-scale-of-one-element",
        VERSIONS,
        "one-element-parameters",
        {"per-tensor": np.uint8(X * 2)},
        X,
        floats(0.5),
    ),
    *opened(
        "a-zero-point-of-one-element-beside-a-scalar",
        SINCE_13,
        "scalar-beside-one-element",
        AS_SCALAR,
        X,
        HALF,
        int8s(1),
    ),
    *opened(
        "a-scalar-zero-point-beside-one-element",
        SINCE_13,
        "scalar-beside-one-element",
        AS_SCALAR,
        X,
        floats(0.5),
        np.int8(1),
    ),
    *opened(
        "both-of-one-element",
        SINCE_13,
        "one-element-parameters",
        AS_SCALAR,
        X,
        floats(0.5),
        int8s(1),
    ),
    *opened(
        "rank-1-and-the-default-axis",
        SINCE_13,
        "default-axis-on-rank-1",
        {"axis-0": np.uint8([0, 2, 4])},
        LINE,
        floats(1, 0.5, 0.5),
    ),
    *opened(
        "rank-1-blocked-and-the-default-axis",
        SINCE_21,
        "default-axis-on-rank-1",
        {"axis-0": np.uint8([0, 1, 4])},
        LINE,
        floats(1, 0.5),
        block_size=2,
    ),
    *opened(
        "an-axis-out-of-range-beside-a-scalar",
        SINCE_13,
        "unused-axis-out-of-range",
        {"ignored": np.uint8(X * 2)},
        X,
        HALF,
        axis=2,
    ),
    *opened(
        "a-block-size-beside-a-scalar",
        SINCE_21,
        "unused-block-size",
        {"ignored": np.uint8(X * 2)},
        X,
        HALF,
        block_size=2,
    ),
    *opened(
        "a-block-size-beside-a-vector",
        SINCE_21,
        "unused-block-size",
        {"ignored": np.uint8(X * [1, 2, 4])},
        X,
        floats(1, 0.5, 0.25),
        block_size=2,
    ),
    *opened(
        "nan-to-an-integer",
        VERSIONS,
        "nan-to-type-without-nan",
        {
            "zero": int8s(0, 7),
            "zero-point": int8s(5, 7),
            "least": int8s(-128, 7),
            "greatest": int8s(127, 7),
        },
        floats(np.nan, 3),
        np.float32(2),
        np.int8(5),
    ),
    *opened(
        "nothing-over-nothing",
        VERSIONS,
        "nan-to-type-without-nan",
        {
            "zero": np.uint8([0, 255]),
            "zero-point": np.uint8([0, 255]),
            "least": np.uint8([0, 255]),
            "greatest": np.uint8([255, 255]),
        },
        floats(0, 1),
        np.float32(0),
    ),
    *opened(
        "infinity-over-infinity",
        VERSIONS,
        "nan-to-type-without-nan",
        {
            "zero": int8s(0, 9),
            "zero-point": int8s(9, 9),
            "least": int8s(-128, 9),
            "greatest": int8s(127, 9),
        },
        floats(np.inf, 1),
        np.float32(-np.inf),
        np.int8(9),
    ),
    *opened(
        "nothing-over-nothing-in-the-width-of-the-division",
        SINCE_23,
        "nan-to-type-without-nan",
        {
            "zero": np.uint8(0),
            "zero-point": np.uint8(3),
            "least": np.uint8(0),
            "greatest": np.uint8(255),
        },
        np.float32(1e-30),
        np.float32(1e-20),
        np.uint8(3),
        precision=type_number("float16"),
    ),
    *opened(
        "nan-to-float4",
        SINCE_23,
        "nan-to-type-without-nan",
        {
            "zero": array("float4e2m1", [0, 2]),
            "zero-point": array("float4e2m1", [0, 2]),
            "least": array("float4e2m1", [15, 2]),  # -6 and 1
            "greatest": array("float4e2m1", [7, 2]),
        },
        floats(np.nan, 2),
        np.float32(2),
        array("float4e2m1", 0),
    ),
    *opened(
        "integers-by-integers",
        SINCE_23,
        "integer-division",
        {"exact-quotient": int8s(4, -4, 2), "truncated-quotient": int8s(3, -3, 2)},
        np.int32([7, -7, 5]),
        np.int32(2),
        np.int8(0),
    ),
    *opened(
        "a-float8e8m0-scale",
        SINCE_24,
        "power-of-two-division",
        {"exact-quotient": np.uint8([2, 4, 128])},
        floats(5, 7, 256),
        array("float8e8m0", 128),
    ),
    *opened(
        "a-precision-of-int8",
        SINCE_23,
        "precision-of-another-type",
        {"exact-quotient": np.uint16(2049)},
        np.float32(2049),
        np.float32(1),
        np.uint16(0),
        precision=type_number("int8"),
    ),
    *opened(
        "float8-with-a-zero-point",
        SINCE_19,
        "float-zero-point",
        {"added": array("float8e5m2", [0x42, 0x40]), "ignored": array("float8e5m2", [0x40, 0x3C])},
        floats(2, 1),
        np.float32(1),
        array("float8e5m2", 0x3C),  # 1
    ),
    *opened(
        "float4-with-a-zero-point",
        SINCE_23,
        "float-zero-point",
        {"added": array("float4e2m1", [5, 7]), "ignored": array("float4e2m1", [4, 7])},
        floats(2, 9),  # 2 + 1 = 3
        np.float32(1),
        array("float4e2m1", 2),  # 1
    ),
    *opened(
        "infinity-to-float8e4m3fnuz",
        (19, 21, 23),
        "infinity-to-fnuz",
        {
            "saturated": array("float8e4m3fnuz", [0x7F, 0xFF, 0x40]),
            "nan": array("float8e4m3fnuz", [0x80, 0x80, 0x40]),
        },
        floats(np.inf, -np.inf, 1),
        np.float32(1),
        array("float8e4m3fnuz", 0),
    ),
]


@pytest.mark.parametrize(("version", "question", "answers", "inputs", "attributes"), OPEN)
def test_an_open_call_names_its_readings_and_each_computes(
    version: int, question: str, answers: Answers, inputs: Any, attributes: dict[str, int]
) -> None:
    with pytest.raises(OpenQuestionError) as caught:
        quantize(version, *inputs, **attributes)
    assert caught.value.question == question
    assert caught.value.readings == (*answers, "refused")
    for reading, answer in answers.items():
        value = quantize(version, *inputs, reading=reading, **attributes).value
        assert (value.dtype, value.shape) == (answer.dtype, answer.shape)
        np.testing.assert_array_equal(codes_of(value), codes_of(answer))
    with pytest.raises(RefusedError, match=rf"under the reading refused of {question}"):
        quantize(version, *inputs, reading="refused", **attributes)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_no_nan_can_come_of_has_one_value(version: int) -> None:
    """Scales of 0 and infinity, infinite x: IEEE 754 says what their quotients are."""
    x = floats(np.inf, -np.inf, 1, -1)
    for scale, wanted in (
        (floats(0), [255, 0, 255, 0]),
        (floats(-0.0), [0, 255, 0, 255]),
        (floats(-2), [0, 255, 0, 0]),
        (floats(1e-45), [255, 0, 255, 0]),
    ):
        expected = quantize(version, x, scale[0])
        assert expected.value.tolist() == wanted
        assert expected.is_single
    expected = quantize(version, floats(1, -1, 0), np.float32(np.inf), np.int8(3))
    assert expected.value.tolist() == [3, 3, 3]


@pytest.mark.parametrize("version", SINCE_19)
def test_nan_is_decided_where_the_type_has_it(version: int) -> None:
    for name in (n for n in legal_types(version).outputs if n.startswith("float8")):
        value = quantize(version, floats(np.nan, 1), np.float32(1), array(name, 0)).value
        assert np.isnan(value.astype(np.float32)).tolist() == [True, False]


@pytest.mark.parametrize("version", SINCE_24)
@pytest.mark.parametrize("name", ["float8e4m3fnuz", "float8e5m2fnuz"])
def test_infinity_to_fnuz_is_the_greatest_number_since_cast_24(version: int, name: str) -> None:
    value = quantize(version, floats(np.inf, -np.inf), np.float32(1), array(name, 0)).value
    assert codes_of(value).tolist() == [0x7F, 0xFF]
