"""Calls of QuantizeLinear that the text forbids: each error names what is at fault."""

from typing import Any

import numpy as np
import pytest
from code_arrays import array, type_number
from quantize_calls import VERSIONS, legal_types, quantize

from onnx_cts_reference import BrokenRuleError, CallError, evaluate
from onnx_cts_specs import spec_for

X = np.arange(6, dtype=np.float32).reshape(2, 3)
LINE = np.arange(3, dtype=np.float32)
LONG = np.arange(14, dtype=np.float32).reshape(2, 7)
ONE, NIL = np.float32(1), np.int8(0)
UNTIL_13, UNTIL_19, UNTIL_21 = VERSIONS[:2], VERSIONS[:3], VERSIONS[:4]
SINCE_13, SINCE_19, SINCE_21, SINCE_23 = VERSIONS[1:], VERSIONS[2:], VERSIONS[3:], VERSIONS[4:]


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def nils(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.int8)


def broken(
    statement: str, versions: tuple[int, ...], rule: str, *inputs: Any, **attributes: Any
) -> list[Any]:
    return [
        pytest.param(version, rule, inputs, attributes, id=f"v{version}-{statement}")
        for version in versions
    ]


REJECTED = [
    *broken("a-scale-of-rank-1-in-version-10", (10,), "scalar-scale", X, ones(3)),
    *broken("a-zero-point-of-rank-1-in-version-10", (10,), "scalar-zero-point", X, ONE, nils(3)),
    *broken("an-axis-in-version-10", (10,), "known-attributes", X, ONE, axis=0),
    *broken("saturate-too-early", UNTIL_13, "known-attributes", X, ONE, saturate=1),
    *broken("block-size-too-early", UNTIL_19, "known-attributes", X, ONE, block_size=0),
    *broken("output-dtype-too-early", UNTIL_19, "known-attributes", X, ONE, output_dtype=2),
    *broken("precision-too-early", UNTIL_21, "known-attributes", X, ONE, precision=1),
    *broken("no-inputs", VERSIONS, "required-inputs"),
    *broken("no-scale", VERSIONS, "required-inputs", X),
    *broken("no-x", VERSIONS, "required-inputs", None, ONE),
    *broken("an-axis-that-is-no-int", SINCE_13, "attribute-types", X, ONE, axis=1.0),
    *broken("a-saturate-that-is-no-int", SINCE_19, "attribute-types", X, ONE, saturate=1.0),
    *broken("a-precision-that-is-no-int", SINCE_23, "attribute-types", X, ONE, precision="float"),
    *(
        param
        for versions in ((10, 13), SINCE_23)
        for param in [
            *broken("x-of-double", versions, "x-type", X.astype(np.float64), ONE),
            *broken("x-of-int8", versions, "x-type", X.astype(np.int8), ONE),
        ]
    ),
    *broken("both-of-double", (19, 21), "x-type", X.astype(np.float64), np.float64(1)),
    *broken("both-of-int8", (19, 21), "x-type", X.astype(np.int8), np.int8(1)),
    *broken("x-of-float16-too-early", UNTIL_13, "x-type", X.astype(np.float16), ONE),
    *broken("a-scale-of-double", VERSIONS, "scale-type", X, np.float64(1)),
    *broken("a-scale-of-int32-too-early", UNTIL_13, "scale-type", X, np.int32(1)),
    *broken("a-scale-of-another-type-than-x", (19, 21), "scale-type", X, np.float16(1)),
    *broken("a-scale-of-float8e8m0-too-early", (23,), "scale-type", X, array("float8e8m0", 127)),
    *broken("a-zero-point-of-int32", VERSIONS, "zero-point-type", X, ONE, np.int32(0)),
    *broken("a-zero-point-of-int16-too-early", UNTIL_19, "zero-point-type", X, ONE, np.int16(0)),
    *broken(
        "a-zero-point-of-float8-too-early",
        UNTIL_13,
        "zero-point-type",
        X,
        ONE,
        array("float8e5m2", 0),
    ),
    *broken(
        "a-zero-point-of-float4-too-early",
        (19, 21),
        "zero-point-type",
        X,
        ONE,
        array("float4e2m1", 0),
    ),
    *broken(
        "a-zero-point-of-int2-too-early", (23, 24), "zero-point-type", X, ONE, array("int2", 0)
    ),
    *broken(
        "a-zero-point-of-float6-too-early",
        (23, 25),
        "zero-point-type",
        X,
        ONE,
        array("float6e2m3", 0),
    ),
    *broken(
        "an-output-dtype-that-differs",
        SINCE_21,
        "output-dtype-of-zero-point",
        X,
        ONE,
        NIL,
        output_dtype=2,
    ),
    *(
        param
        for name in ("float", "int32", "double", "string")
        for param in broken(
            f"output-dtype-{name}", SINCE_21, "output-dtype", X, ONE, output_dtype=type_number(name)
        )
    ),
    *broken("output-dtype-of-no-type", SINCE_21, "output-dtype", X, ONE, output_dtype=99),
    *broken("a-scale-of-rank-2", (13, 19), "scale-rank", X, ones(2, 3)),
    *broken("a-scale-of-another-rank", SINCE_21, "scale-rank", X, ones(1, 2, 3), block_size=1),
    *broken("a-zero-point-of-another-shape", SINCE_13, "zero-point-shape", X, ones(3), nils(2)),
    *broken("a-zero-point-beside-a-scalar", SINCE_13, "zero-point-shape", X, ONE, nils(3)),
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
    *broken("a-scale-of-xs-rank-without-a-block", SINCE_21, "block-size-positive", X, ones(2, 3)),
]


@pytest.mark.parametrize(("version", "rule", "inputs", "attributes"), REJECTED)
def test_a_call_that_breaks_a_rule_is_refused_in_its_name(
    version: int, rule: str, inputs: tuple[Any, ...], attributes: dict[str, Any]
) -> None:
    with pytest.raises(BrokenRuleError) as caught:
        quantize(version, *inputs, **attributes)
    assert (caught.value.rule, caught.value.rules) == (rule, (rule,))
    says = " ".join(spec_for("QuantizeLinear", version).rule(rule).says.split())
    assert f"QuantizeLinear {version}: the call breaks the rule {rule}: {says}" in str(caught.value)


@pytest.mark.parametrize("version", VERSIONS)
def test_each_type_that_a_version_lacks_is_refused(version: int) -> None:
    every = {name for v in VERSIONS for name in legal_types(v).outputs}
    for name in every - set(legal_types(version).outputs):
        with pytest.raises(BrokenRuleError, match="zero-point-type"):
            quantize(version, X, ONE, array(name, 0))


def test_a_reading_that_the_call_does_not_have_is_refused() -> None:
    for version, reading in ((13, "division-precision"), (23, "float32"), (28, "input-precision")):
        with pytest.raises(CallError, match=f"has the reading {reading}"):
            quantize(version, X, ONE, reading=reading)


REJECTED_DYNAMIC = [
    pytest.param("required-inputs", [None], {}, id="no-x"),
    pytest.param("x-type", [X.astype(np.float16)], {}, id="x-of-float16"),
    pytest.param("x-type", [X.astype(np.int32)], {}, id="x-of-int32"),
    pytest.param("known-attributes", [X], {"axis": 1}, id="an-attribute"),
]


@pytest.mark.parametrize(("rule", "inputs", "attributes"), REJECTED_DYNAMIC)
def test_a_call_of_dynamic_quantize_linear_that_breaks_a_rule_is_refused_in_its_name(
    rule: str, inputs: list[Any], attributes: dict[str, Any]
) -> None:
    with pytest.raises(BrokenRuleError) as caught:
        evaluate("DynamicQuantizeLinear", 11, inputs, attributes)
    assert (caught.value.rule, caught.value.rules) == (rule, (rule,))
