"""Calls of QuantizeLinear that the text leaves open, and the answers that can be defended."""

from typing import Any

import numpy as np
import pytest
from quantize_calls import VERSIONS, quantize

from onnx_cts_reference import OpenQuestionError, RefusedError

X = np.arange(0, 12, 2, dtype=np.float32).reshape(2, 3)
LINE = np.arange(3, dtype=np.float32)
HALF, NIL = np.float32(0.5), np.int8(0)
SINCE_13, SINCE_19, SINCE_21, SINCE_23, SINCE_24 = (
    tuple(v for v in VERSIONS if v >= first) for first in (13, 19, 21, 23, 24)
)
NAN, INF = np.float32(np.nan), np.float32(np.inf)
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
        np.testing.assert_array_equal(value, answer, strict=True)
    with pytest.raises(RefusedError, match=rf"under the reading refused of {question}"):
        quantize(version, *inputs, reading="refused", **attributes)
