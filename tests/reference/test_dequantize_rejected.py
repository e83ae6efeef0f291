"""Calls that the text forbids, and calls that spell none: each error names what is at fault."""

from typing import Any

import numpy as np
import pytest
from code_arrays import array
from dequantize_calls import VERSIONS, dequantize
from onnx import TensorProto

from onnx_cts_reference import BrokenRuleError, CallError, EvaluationError, evaluate
from onnx_cts_specs import UnknownOperatorError, spec_for

X = np.arange(6, dtype=np.int8).reshape(2, 3)
LINE = np.arange(3, dtype=np.int8)
LONG = np.arange(14, dtype=np.int8).reshape(2, 7)
ONE = np.float32(1)
SINCE_13, SINCE_21, SINCE_23, SINCE_24 = (
    tuple(v for v in VERSIONS if v >= first) for first in (13, 21, 23, 24)
)


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def broken(
    statement: str, versions: tuple[int, ...], rule: str, *inputs: Any, **attributes: Any
) -> list[Any]:
    return [
        pytest.param(version, rule, inputs, attributes, id=f"v{version}-{statement}")
        for version in versions
    ]


REJECTED = [
    *broken("a-scale-of-rank-1-in-version-10", (10,), "scalar-scale", X, ones(3)),
    *broken("a-zero-point-of-rank-1-in-version-10", (10,), "scalar-zero-point", X, ONE, LINE),
    *broken("an-axis-in-version-10", (10,), "known-attributes", X, ONE, axis=0),
    *broken("block-size-too-early", (10, 13, 19), "known-attributes", X, ONE, block_size=0),
    *broken("output-dtype-too-early", VERSIONS[:4], "known-attributes", X, ONE, output_dtype=1),
    *broken("no-inputs", VERSIONS, "required-inputs"),
    *broken("no-scale", VERSIONS, "required-inputs", X),
    *broken("no-x", VERSIONS, "required-inputs", None, ONE),
    *broken("an-axis-that-is-no-int", SINCE_13, "attribute-types", X, ONE, axis=1.0),
    *broken("an-axis-that-is-a-list", SINCE_13, "attribute-types", X, ONE, axis=[1]),
    *broken("x-of-int64", VERSIONS, "x-type", X.astype(np.int64), ONE),
    *broken("x-of-float", VERSIONS, "x-type", ones(2), ONE),
    *broken("x-of-int16-too-early", (10, 13, 19), "x-type", X.astype(np.int16), ONE),
    *broken("x-of-float8-too-early", (10, 13), "x-type", array("float8e5m2", [1]), ONE),
    *broken("x-of-int2-too-early", (23, 24), "x-type", array("int2", [1]), ONE),
    *broken("x-of-float6-too-early", (23, 25), "x-type", array("float6e2m3", [1]), ONE),
    *broken("a-scale-of-double", VERSIONS, "scale-type", X, np.float64(1)),
    *broken("a-scale-of-float16-too-early", (10, 13), "scale-type", X, np.float16(1)),
    *broken("a-scale-of-float8e8m0-too-early", (23,), "scale-type", X, array("float8e8m0", 127)),
    *broken("a-zero-point-of-another-type", VERSIONS, "zero-point-type", X, ONE, np.uint8(0)),
    *broken("a-scale-of-rank-2", (13, 19), "scale-rank", X, ones(2, 3)),
    *broken("a-scale-of-another-rank", SINCE_21, "scale-rank", X, ones(1, 2, 3), block_size=1),
    *broken(
        "a-zero-point-of-another-shape", SINCE_13, "zero-point-shape", X, ones(3), LINE[:2], axis=1
    ),
    *broken("a-zero-point-of-rank-1-beside-a-scalar", SINCE_13, "zero-point-shape", X, ONE, LINE),
    *broken("an-axis-past-the-last", SINCE_13, "axis-range", X, ones(3), axis=2),
    *broken("an-axis-before-the-first", SINCE_13, "axis-range", X, ones(3), axis=-3),
    *broken("axis-2-on-rank-1", SINCE_13, "axis-range", LINE, ones(3), axis=2),
    *broken("axis-minus-2-on-rank-1", SINCE_13, "axis-range", LINE, ones(3), axis=-2),
    *broken("another-length-than-the-axis", SINCE_13, "per-axis-length", X, ones(2), axis=1),
    *broken("another-length-on-axis-0", SINCE_13, "per-axis-length", X, ones(3), axis=0),
    *broken(
        "a-blocked-axis-out-of-range", SINCE_21, "axis-range", X, ones(2, 2), axis=2, block_size=2
    ),
    *broken(
        "blocks-in-two-dimensions", SINCE_21, "blocked-shape", X, ones(1, 2), axis=1, block_size=2
    ),
    *broken(
        "a-block-below-the-range", SINCE_21, "block-size-range", LONG, ones(2, 3), block_size=2
    ),
    *broken(
        "a-block-above-the-range", SINCE_21, "block-size-range", LONG, ones(2, 3), block_size=4
    ),
    *broken(
        "one-block-shorter-than-the-axis",
        SINCE_21,
        "block-size-range",
        LONG,
        ones(2, 1),
        block_size=6,
    ),
    *broken("a-negative-block", SINCE_21, "block-size-positive", X, ones(2, 2), block_size=-2),
    *broken(
        "a-negative-block-beside-a-scalar", SINCE_21, "block-size-positive", X, ONE, block_size=-1
    ),
    *broken("a-scale-of-xs-rank-without-a-block", SINCE_21, "block-size-positive", X, ones(2, 3)),
    *broken(
        "a-scale-of-xs-rank-and-block-0",
        SINCE_21,
        "block-size-positive",
        X,
        ones(2, 3),
        block_size=0,
    ),
    *broken(
        "a-float8e8m0-scale-and-no-output-dtype",
        SINCE_24,
        "output-type",
        X,
        array("float8e8m0", 127),
    ),
    *(
        param
        for dtype in ("DOUBLE", "INT8", "FLOAT8E4M3FN", "FLOAT8E8M0", "STRING")
        for param in broken(
            f"output-dtype-{dtype.lower()}",
            SINCE_23,
            "output-dtype",
            X,
            ONE,
            output_dtype=TensorProto.DataType.Value(dtype),
        )
    ),
    *broken("output-dtype-of-no-type", SINCE_23, "output-dtype", X, ONE, output_dtype=99),
    *broken("a-negative-output-dtype", SINCE_23, "output-dtype", X, ONE, output_dtype=-1),
]


@pytest.mark.parametrize(("version", "rule", "inputs", "attributes"), REJECTED)
def test_a_call_that_breaks_a_rule_is_refused_in_its_name(
    version: int, rule: str, inputs: tuple[Any, ...], attributes: dict[str, Any]
) -> None:
    with pytest.raises(BrokenRuleError) as caught:
        dequantize(version, *inputs, **attributes)
    assert (caught.value.rule, caught.value.rules) == (rule, (rule,))
    says = " ".join(spec_for("DequantizeLinear", version).rule(rule).says.split())
    assert f"DequantizeLinear {version}: the call breaks the rule {rule}: {says}" in str(
        caught.value
    )


def test_every_broken_rule_is_named() -> None:
    with pytest.raises(BrokenRuleError) as caught:
        dequantize(13, X.astype(np.int64), np.float64(1), axis=1.5)
    assert caught.value.rule == "attribute-types"
    assert caught.value.rules == ("attribute-types", "x-type", "scale-type")


def test_a_reading_does_not_mend_a_broken_rule() -> None:
    with pytest.raises(BrokenRuleError, match="breaks the rule per-axis-length"):
        dequantize(13, X, ones(2), axis=1, reading="per-tensor")


def test_a_fourth_input_is_no_call() -> None:
    with pytest.raises(CallError, match="DequantizeLinear 13 has 3 inputs, and 4 were given"):
        dequantize(13, X, ONE, np.int8(0), None)


@pytest.mark.parametrize("reading", ["nearest", "per-tensor", "refused", ("exact", "nearest")])
def test_a_reading_that_the_call_does_not_have_is_refused(reading: Any) -> None:
    name = reading if isinstance(reading, str) else reading[-1]
    with pytest.raises(CallError, match=rf"has the reading {name} .*exact, float32"):
        dequantize(13, X, ONE, reading=reading)


def test_an_operator_without_a_spec_is_unknown() -> None:
    with pytest.raises(UnknownOperatorError, match=r"no spec for Elephant; there are: .*Dequant"):
        evaluate("Elephant", 13, [X, ONE], {})


@pytest.mark.parametrize("version", [1, 11, 14, 99])
def test_a_version_without_a_spec_is_unknown(version: int) -> None:
    with pytest.raises(UnknownOperatorError, match=rf"version {version} of .* 10, 13, 19, .* 28"):
        evaluate("DequantizeLinear", version, [X, ONE], {})


def test_a_domain_without_specs_is_unknown() -> None:
    with pytest.raises(UnknownOperatorError):
        evaluate("DequantizeLinear", 13, [X, ONE], {}, "com.example")


def test_the_errors_of_evaluation_are_one_family_of_value_errors() -> None:
    assert issubclass(BrokenRuleError, EvaluationError)
    assert issubclass(CallError, EvaluationError)
    assert issubclass(EvaluationError, ValueError)
