"""The factors that follow from a spec."""

from __future__ import annotations

import pytest
from dequantize_calls import legal_types
from emitted import OPERATOR, VERSIONS

from onnx_cts_generator.factors import factors_of
from onnx_cts_specs import spec_for

EVERYWHERE = {
    "x": ("range", "edges", "near-zero"),
    "x_scale": ("ordinary", "ties", "limits", "special"),
    "x_zero_point": ("extreme", "zero", "absent"),
    "absence": ("left-out", "unnamed"),
    "rank": ("2", "4", "1", "0"),
    "size": ("small", "vector", "one", "empty"),
    "parameters": ("inputs", "initializers", "constants"),
    "storage": ("raw", "typed", "external"),
    "shapes": ("static", "symbolic", "unknown"),
}
SINCE = {
    13: {
        "axis": ("omitted", "first", "middle", "last"),
        "axis-sign": ("from-front", "from-back"),
        "lengths": ("distinct", "equal"),
        "attributes": ("omitted", "spelled"),
    },
    21: {"block": ("none", "even", "tail", "single")},
    23: {"output_dtype": ("omitted", "float", "float16", "bfloat16")},
}
"""The factors that come with the attributes axis, block_size and output_dtype."""
GRANULARITIES = {10: "per-tensor", 13: "per-axis", 21: "blocked"}
OPSETS = {10: 3, 13: 6, 19: 2, 21: 2, 23: 1, 24: 1, 25: 3, 28: 1}
"""How many opsets each version is current in, as far as is known."""


def types_of(version: int) -> dict[str, set[str]]:
    """The element types, by the type variables of the version."""
    of_x, of_scale_and_y = legal_types(version)
    scales = {scale for scale, _ in of_scale_and_y}
    return {"T": set(of_x)} if version < 19 else {"T1": set(of_x), "T2": scales}


@pytest.mark.parametrize("version", VERSIONS)
def test_factors_and_their_values_are_those_of_the_version(version: int) -> None:
    found = dict(factors_of(spec_for(OPERATOR, version)).values)
    for name, types in types_of(version).items():
        options = found.pop(name)
        assert len(options) == len(set(options))
        assert set(options) == types
    expected = dict(EVERYWHERE)
    for first, added in SINCE.items():
        expected |= added if version >= first else {}
    expected["granularity"] = tuple(n for first, n in GRANULARITIES.items() if version >= first)
    expected["opset"] = tuple(str(version + step) for step in range(OPSETS[version]))
    assert found == expected


@pytest.mark.parametrize("version", VERSIONS)
def test_each_factor_has_its_plain_value_first(version: int) -> None:
    factors = factors_of(spec_for(OPERATOR, version))
    plain = factors.plain()
    assert plain.keys() == factors.values.keys()
    assert all(factors.values[name][0] == value for name, value in plain.items())


@pytest.mark.parametrize("version", VERSIONS)
def test_special_scales_and_empty_data_mask_the_rest(version: int) -> None:
    factors = factors_of(spec_for(OPERATOR, version))
    assert factors.masking == (("x_scale", "special"), ("size", "empty"))
    telling = factors.without(factors.masking)
    assert telling.values["x_scale"] == ("ordinary", "ties", "limits")
    assert telling.values["size"] == ("small", "vector", "one")
    untouched = factors.values.keys() - {"x_scale", "size"}
    assert all(telling.values[name] == factors.values[name] for name in untouched)
