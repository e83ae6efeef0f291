"""What is possible, found by small tables, is what a plan of the whole row finds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from onnx_cts_generator.constraints import prohibitions
from onnx_cts_generator.factors import PRESENTATION, Factors, factors_of
from onnx_cts_generator.groups import Group, groups_of
from onnx_cts_generator.plans import ImpossibleError, plan
from onnx_cts_specs import Spec, spec_for

SPECS = [
    ("DequantizeLinear", 13),
    ("DequantizeLinear", 24),
    ("QuantizeLinear", 10),
    ("QuantizeLinear", 19),
    ("QuantizeLinear", 23),
    ("QuantizeLinear", 28),
    ("DynamicQuantizeLinear", 11),
]
STRIDE = 97
"""Every so many of the assignments of a group are tried: a prime, so that all values occur."""


def groups(spec: Spec, factors: Factors) -> list[Group]:
    return groups_of(spec, factors, list(prohibitions(spec, factors)))


def assignments(group: Group, factors: Factors) -> Iterator[dict[str, str]]:
    """Some assignments of the factors of a group that change the node."""
    names = [name for name in group.names if name not in PRESENTATION]
    every = itertools.product(*(factors.values[name] for name in names))
    for values in itertools.islice(every, 0, None, STRIDE):
        yield dict(zip(names, values, strict=True))


def is_planned(spec: Spec, row: dict[str, str]) -> bool:
    try:
        plan(spec, row)
    except ImpossibleError:
        return False
    return True


@pytest.mark.parametrize(("operator", "version"), SPECS)
def test_a_group_admits_what_can_be_planned(operator: str, version: int) -> None:
    spec = spec_for(operator, version)
    factors = factors_of(spec)
    plain = factors.plain()
    tried = 0
    for group in groups(spec, factors):
        for chosen in assignments(group, factors):
            assert group.admits(chosen) == is_planned(spec, plain | chosen), chosen
            tried += 1
    assert tried


@pytest.mark.parametrize(("operator", "version"), SPECS)
def test_the_reason_for_an_impossible_tuple_is_a_rule_or_question_where_one_stands_against_it(
    operator: str, version: int
) -> None:
    spec = spec_for(operator, version)
    factors = factors_of(spec)
    plain = factors.plain()
    ids = {r.id for r in spec.rules} | {q.id for q in spec.open_questions}
    for group in groups(spec, factors):
        for pair, reason in group.impossible(2):
            chosen = dict(pair)
            assert not group.admits(chosen)
            if reason in ids and chosen.keys().isdisjoint(PRESENTATION):
                assert not is_planned(spec, plain | chosen)


def test_constants_hold_no_type_that_the_opset_has_not() -> None:
    spec = spec_for("QuantizeLinear", 28)
    factors = factors_of(spec)
    chosen = {"parameters": "constants", "y_zero_point": "zero", "opset": "28"}
    admits = {
        t: any(g.admits(chosen | {"T3": t}) for g in groups(spec, factors) if "T3" in g.names)
        for t in ("int8", "float6e2m3")
    }
    assert admits == {"int8": True, "float6e2m3": False}
