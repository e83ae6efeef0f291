"""Calls that the text leaves open: the readings that can be defended, and what each computes."""

from typing import Any

import numpy as np
import pytest
from code_arrays import array, type_number
from dequantize_calls import VERSIONS, dequantize

from onnx_cts_reference import BrokenRuleError, OpenQuestionError, RefusedError

X = np.arange(6, dtype=np.int8).reshape(2, 3)
LINE = np.arange(3, dtype=np.int8)
TWO = np.float32(2)
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


AS_SCALAR = {"per-tensor": (X - 1.0) * 2}
OPEN = [
    *opened(
        "both-of-one-element-in-version-10",
        (10,),
        "one-element-parameters",
        AS_SCALAR,
        X,
        floats(2),
        int8s(1),
    ),
    *opened(
        "a-scale-of-one-element",
        (10,),
        "one-element-parameters",
        AS_SCALAR,
        X,
        floats(2),
        np.int8(1),
    ),
    *opened(
        "a-zero-point-of-one-element", (10,), "one-element-parameters", AS_SCALAR, X, TWO, int8s(1)
    ),
    *opened(
        "a-lone-scale-of-one-element",
        VERSIONS,
        "one-element-parameters",
        {"per-tensor": X * 2.0},
        X,
        floats(2),
    ),
    *opened(
        "a-zero-point-of-one-element-beside-a-scalar",
        SINCE_13,
        "scalar-beside-one-element",
        AS_SCALAR,
        X,
        TWO,
        int8s(1),
    ),
    *opened(
        "a-scalar-zero-point-beside-one-element",
        SINCE_13,
        "scalar-beside-one-element",
        AS_SCALAR,
        X,
        floats(2),
        np.int8(1),
    ),
    *opened(
        "both-of-one-element",
        SINCE_13,
        "one-element-parameters",
        AS_SCALAR,
        X,
        floats(2),
        int8s(1),
    ),
    *opened(
        "both-of-one-element-on-rank-0",
        SINCE_13,
        "one-element-parameters",
        {"per-tensor": 8.0},
        np.int8(5),
        floats(2),
        int8s(1),
    ),
    *opened(
        "rank-1-and-the-default-axis",
        SINCE_13,
        "default-axis-on-rank-1",
        {"axis-0": [0, 20, 400]},
        LINE,
        floats(1, 20, 200),
    ),
    *opened(
        "rank-1-and-axis-1",
        SINCE_13,
        "default-axis-on-rank-1",
        {"axis-0": [-1, 0, 200]},
        LINE,
        floats(1, 20, 200),
        int8s(1, 1, 1),
        axis=1,
    ),
    *opened(
        "rank-1-blocked-and-the-default-axis",
        SINCE_21,
        "default-axis-on-rank-1",
        {"axis-0": [0, 1, 40]},
        LINE,
        floats(1, 20),
        block_size=2,
    ),
    *(
        param
        for axis in (2, -3, 100)
        for param in opened(
            f"axis-{axis}-beside-a-scalar",
            SINCE_13,
            "unused-axis-out-of-range",
            {"ignored": X * 2.0},
            X,
            TWO,
            axis=axis,
        )
    ),
    *(
        param
        for axis in (2, -2)
        for param in opened(
            f"axis-{axis}-beside-a-scalar-on-rank-1",
            SINCE_13,
            "unused-axis-out-of-range",
            {"ignored": LINE * 2.0},
            LINE,
            TWO,
            axis=axis,
        )
    ),
    *opened(
        "int32-with-a-zero-point",
        VERSIONS,
        "int32-zero-point",
        {
            "subtracted-exactly": [-(2.0**32), 8],
            "subtracted-with-wrap-around": [2.0**32, 8],
            "ignored": [-(2.0**32), 10],
        },
        np.array([-(2**31), 5], np.int32),
        TWO,
        np.int32(1),
    ),
    *opened(
        "float8-with-a-zero-point",
        SINCE_19,
        "float-zero-point",
        {"subtracted": [0, 4], "ignored": [2, 6]},
        array("float8e4m3fn", [0x38, 0x44]),  # 1 and 3
        TWO,
        array("float8e4m3fn", 0x38),
    ),
    *opened(
        "float8-with-a-zero-point-of-minus-zero",
        SINCE_19,
        "float-zero-point",
        {"subtracted": [0.0], "ignored": [-0.0]},
        array("float8e5m2", [0x80]),
        TWO,
        array("float8e5m2", 0x80),
    ),
    *opened(
        "float4-with-a-zero-point",
        SINCE_23,
        "float-zero-point",
        {"subtracted": [1, -13], "ignored": [2, -12]},
        array("float4e2m1", [2, 15]),  # 1 and -6
        TWO,
        array("float4e2m1", 1),  # 0.5
    ),
    *opened(
        "float6-with-a-zero-point",
        (28,),
        "float-zero-point",
        {"subtracted": [0.25], "ignored": [2]},
        array("float6e2m3", [8]),  # 1
        TWO,
        array("float6e2m3", 7),  # 0.875
    ),
    *opened(
        "a-block-size-beside-a-scalar",
        SINCE_21,
        "unused-block-size",
        {"ignored": X * 2.0},
        X,
        TWO,
        block_size=2,
    ),
    *opened(
        "a-block-size-beside-a-vector",
        SINCE_21,
        "unused-block-size",
        {"ignored": X * np.array([1.0, 2.0, 3.0])},
        X,
        floats(1, 2, 3),
        block_size=2,
    ),
]


@pytest.mark.parametrize(("version", "question", "answers", "inputs", "attributes"), OPEN)
def test_an_open_call_names_its_readings_and_each_computes(
    version: int, question: str, answers: Answers, inputs: Any, attributes: dict[str, int]
) -> None:
    with pytest.raises(OpenQuestionError) as caught:
        dequantize(version, *inputs, **attributes)
    assert caught.value.question == question
    assert caught.value.readings == (*answers, "refused")
    assert question in str(caught.value)
    assert ", ".join(caught.value.readings) in str(caught.value)
    for reading, answer in answers.items():
        value = dequantize(version, *inputs, reading=reading, **attributes).value
        np.testing.assert_array_equal(value, np.array(answer, np.float32), strict=True)
        np.testing.assert_array_equal(np.signbit(value), np.signbit(answer))
    with pytest.raises(RefusedError, match=rf"under the reading refused of {question}"):
        dequantize(version, *inputs, reading="refused", **attributes)


@pytest.mark.parametrize("version", SINCE_21)
def test_a_call_with_two_questions_takes_two_readings(version: int) -> None:
    attributes = {"axis": 9, "block_size": 4}
    with pytest.raises(OpenQuestionError) as caught:
        dequantize(version, X, floats(2), reading="per-tensor", **attributes)
    assert caught.value.question == "unused-axis-out-of-range"
    both = dequantize(version, X, floats(2), reading=("per-tensor", "ignored"), **attributes)
    np.testing.assert_array_equal(both.value, X * np.float32(2))


def test_an_answer_and_a_way_of_computing_can_be_named_together() -> None:
    x, zero_point = np.array([2**24 + 2], np.int32), np.int32(1)
    one = dequantize(13, x, np.float32(3), zero_point, reading=("subtracted-exactly", "float32"))
    assert list(one.readings) == ["float32"]
    assert one.value.tolist() == [3 * 2.0**24]


VALUES = [
    pytest.param(SINCE_13, (LINE, TWO), {}, LINE * 2, id="rank-1-scalar-default-axis"),
    pytest.param(SINCE_13, (LINE, TWO), {"axis": 1}, LINE * 2, id="rank-1-scalar-axis-1"),
    pytest.param(SINCE_13, (np.int8(3), TWO), {}, 6, id="rank-0-default-axis"),
    pytest.param(SINCE_13, (LINE, floats(1, 2, 3)), {"axis": 0}, [0, 2, 6], id="rank-1-axis-0"),
    pytest.param(
        SINCE_13,
        (LINE[:1], floats(4)),
        {"axis": -1},
        [0],
        id="one-element-parameter-of-one-element",
    ),
    pytest.param(
        SINCE_13,
        (X[:, :1], floats(4), int8s(0)),
        {"axis": 1},
        [[0], [12]],
        id="one-element-parameter-of-an-axis-of-length-1",
    ),
    pytest.param(VERSIONS, (np.int32([5]), TWO), {}, [10], id="int32-without-a-zero-point"),
    pytest.param(VERSIONS, (np.int32([5]), TWO, np.int32(0)), {}, [10], id="int32-zero-point-0"),
    pytest.param(
        SINCE_19,
        (array("float8e4m3fn", [0x38]), TWO, array("float8e4m3fn", 0)),
        {},
        [2],
        id="float8-zero-point-0",
    ),
    pytest.param(
        SINCE_23,
        (array("float4e2m1", [2]), TWO, array("float4e2m1", 0)),
        {},
        [2],
        id="float4-zero-point-0",
    ),
    pytest.param(
        SINCE_24,
        (LINE, array("float8e8m0", 128)),
        {"output_dtype": 1},
        LINE * 2,
        id="float8e8m0-scale-with-output-dtype",
    ),
    pytest.param(SINCE_23, (LINE, TWO), {"output_dtype": 0}, LINE * 2, id="output-dtype-0"),
    pytest.param(SINCE_21, (X, floats(1, 2, 3)), {"block_size": 0}, X * [1, 2, 3], id="block-0"),
    pytest.param(
        SINCE_21,
        (LINE, floats(1, 10)),
        {"block_size": 2, "axis": 0},
        [0, 1, 20],
        id="rank-1-is-blocked-by-its-block-size",
    ),
]


@pytest.mark.parametrize(("versions", "inputs", "attributes", "answer"), VALUES)
def test_what_the_text_decides_has_one_value(
    versions: tuple[int, ...], inputs: Any, attributes: dict[str, int], answer: Any
) -> None:
    for version in versions:
        expected = dequantize(version, *inputs, **attributes)
        np.testing.assert_array_equal(expected.value, np.array(answer, np.float32), strict=True)
        assert expected.is_single


@pytest.mark.parametrize("scale", [0.0, -0.0, -2.0, np.inf, -np.inf, np.nan, 1e-45, 1e-38])
def test_no_scale_is_forbidden(scale: float) -> None:
    x = int8s(-3, 0, 3)
    for version in VERSIONS:
        value = dequantize(version, x, np.float32(scale)).value
        with np.errstate(invalid="ignore"):
            plain = x.astype(np.float32) * np.float32(scale)
        np.testing.assert_array_equal(value, plain)
        numbers = ~np.isnan(plain)
        np.testing.assert_array_equal(np.signbit(value[numbers]), np.signbit(plain[numbers]))


@pytest.mark.parametrize("output", ["float", "float16", "bfloat16"])
def test_the_output_type_is_output_dtype_or_else_the_scales(output: str) -> None:
    scale = array(output, 0x3F80 if output == "bfloat16" else 0)
    assert dequantize(19, LINE, scale).value.dtype == scale.dtype
    for version in SINCE_23:
        assert dequantize(version, LINE, scale).value.dtype == scale.dtype
        chosen = dequantize(version, LINE, TWO, output_dtype=type_number(output))
        assert chosen.value.dtype == scale.dtype


def test_an_open_question_does_not_excuse_other_rules() -> None:
    with pytest.raises(BrokenRuleError) as caught:
        dequantize(13, X.astype(np.int64), floats(2))
    assert caught.value.rule == "x-type"
