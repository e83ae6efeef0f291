"""Which wrong implementation is caught in which version: in each that can show it."""

from __future__ import annotations

import pytest
from emitted import OPERATOR, VERSIONS, EmittedSuite

from onnx_cts_generator.mutation import Finding, score, suite_trials

SINCE = {
    # Scalar parameters; integers of 8 and 32 bits; float32 scales and outputs.
    10: """
        refuses-absent-zero-point refuses-rank-zero refuses-empty
        rank-zero-becomes-one empty-loses-shape length-one-axes-dropped
        unsigned-taken-for-signed signed-taken-for-unsigned unsigned-zero-point-taken-for-signed
        negative-scale-without-sign zero-scale-taken-for-one nan-scale-taken-for-zero
        infinite-scale-taken-for-greatest subnormal-scale-flushed zero-difference-gives-zero
        zero-point-ignored zero-point-added zero-point-subtracted-from-product
        difference-reversed absent-zero-point-taken-for-middle zero-point-left-out-without-axis
        difference-wraps difference-saturates unsigned-difference-clamped-at-zero
        wide-integers-through-int16 negative-difference-taken-for-unsigned difference-through-int8
        float16-arithmetic bfloat16-arithmetic scale-through-float16 scale-through-bfloat16
        wide-data-through-float16 zero-point-scaled-apart divided-by-reciprocal divided-by-scale
        output-truncated ties-away overflow-saturates subnormals-flushed
        accepts-broken-required-inputs accepts-broken-known-attributes accepts-broken-x-type
        accepts-broken-scale-type accepts-broken-zero-point-type
    """,
    # The first attribute, axis; parameters per axis; a version before.
    13: """
        axis-always-first axis-always-last axis-always-default axis-counted-from-back
        axis-off-by-one negative-axis-off-by-one negative-axis-without-sign
        negative-axis-taken-for-first default-axis-taken-for-first default-axis-taken-for-last
        trailing-broadcast transposed-by-inverse-permutation
        first-parameters-for-all last-parameters-for-all first-scale-for-all
        first-zero-point-for-all parameters-reversed parameters-cycled parameters-in-runs
        refuses-negative-axis accepts-broken-attribute-types accepts-broken-scale-rank
        accepts-broken-zero-point-shape accepts-broken-axis-range accepts-broken-per-axis-length
        behaves-as-version-before
    """,
    # Data of float8, so NaN and infinities in data; scales and outputs of 16 bits.
    19: """
        nan-data-taken-for-number infinite-data-taken-for-number zero-scale-gives-zero
        fnuz-taken-for-plain plain-taken-for-fnuz float8-fields-swapped
        small-float-subnormals-flushed bfloat16-taken-for-float16 bfloat16-output-truncated
        output-always-float32
    """,
    # Blocks; integers of 4 and 16 bits, so wide types with a zero point.
    21: """
        blocks-interleaved blocks-of-equal-length tail-takes-full-block tail-takes-first-block
        block-size-one-too-large blocks-taken-for-per-axis blocked-zero-point-not-spread
        blocks-of-storage-order refuses-tail-block refuses-block-longer-than-axis
        packed-elements-swapped rows-padded-to-bytes odd-element-lost
        packed-bytes-taken-for-elements zero-point-through-int8
        accepts-broken-blocked-shape accepts-broken-block-size-positive
        accepts-broken-block-size-range
    """,
    # float4; outputs of another type than the scale.
    23: """
        small-floats-taken-for-integers scale-type-arithmetic output-type-of-scale
        accepts-broken-output-dtype
    """,
    # Scales of float8e8m0, which no output has.
    24: """
        power-scale-off-by-one power-scale-taken-for-integer least-power-scale-taken-for-zero
        nan-power-scale-taken-for-number accepts-broken-output-type
    """,
    28: "float6-fields-swapped",
}
UNTIL = {
    "accepts-broken-scalar-scale": 10,
    "accepts-broken-scalar-zero-point": 10,
    "behaves-as-version-after": 25,
}
"""What begins with version 10 and ends: rules of scalar parameters, and a version after."""

POSSIBLE = {
    name: {version for version in VERSIONS if version >= first}
    for first, names in SINCE.items()
    for name in names.split()
} | {name: {v for v in VERSIONS if v <= last} for name, last in UNTIL.items()}
"""The versions in which each deviation can change an answer."""


@pytest.fixture(scope="module")
def findings(suite: EmittedSuite) -> dict[str, Finding]:
    found = score(OPERATOR, suite_trials(OPERATOR, suite.folder))
    return {finding.deviation.name: finding for finding in found}


def test_every_deviation_of_the_catalogue_has_its_versions(findings: dict[str, Finding]) -> None:
    assert findings.keys() == POSSIBLE.keys()


@pytest.mark.parametrize(
    "name",
    [
        *POSSIBLE,
    ],
)
def test_a_deviation_is_caught_in_every_version_that_can_show_it(
    findings: dict[str, Finding], name: str
) -> None:
    caught = {version for version, case in findings[name].caught.items() if case}
    assert caught == POSSIBLE[name]


def test_the_case_that_catches_a_deviation_is_of_the_version(findings: dict[str, Finding]) -> None:
    for finding in findings.values():
        assert list(finding.caught) == list(VERSIONS)
        for version, case in finding.caught.items():
            assert case is None or f"/v{version}/" in case
