"""Parts of a call."""

from __future__ import annotations

import pytest
from drawing import drawn

from onnx_cts_generator.case import Case
from onnx_cts_generator.strategies import models
from onnx_cts_generator.strategies.smaller import one_element, smaller_cases
from onnx_cts_specs import Spec, all_specs

NEWEST = {spec.operator: spec for spec in all_specs()}.values()
EACH_OPERATOR = pytest.mark.parametrize("spec", NEWEST, ids=lambda spec: spec.operator)


def value_cases(spec: Spec) -> list[Case]:
    cases = drawn(models(spec), 60)
    return [c for c in cases if c.expectation == "value" and data(c).size]


def data(case: Case):  # type: ignore[no-untyped-def]
    return case.node.inputs[case.node.spec.data.name].codes


@EACH_OPERATOR
def test_one_element_gets_the_parameters_that_apply_to_it(spec: Spec) -> None:
    """Of an operator that computes each element by itself, so that the output is a part too."""
    if not spec.parameters:
        pytest.skip("each element depends on all others")
    for case in value_cases(spec):
        index = tuple(length // 2 for length in data(case).shape)
        alone = one_element(case, index)
        assert alone is not None
        assert data(alone).tolist() == data(case)[index].reshape(data(alone).shape).tolist()
        (part, *_), (whole, *_) = alone.expected["value"], case.expected["value"]
        assert part is not None
        assert whole is not None
        assert part.codes.item() == whole.codes[index]


@EACH_OPERATOR
def test_parts_are_value_cases_that_are_no_larger(spec: Spec) -> None:
    for case in value_cases(spec)[:10]:
        index = tuple(length - 1 for length in data(case).shape)
        parts = drawn(smaller_cases(case, index), 30)
        assert parts
        for part in parts:
            assert part.expectation == "value"
            assert data(part).size <= data(case).size
            assert data(part).ndim <= data(case).ndim
