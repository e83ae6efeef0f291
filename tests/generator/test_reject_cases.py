"""Reject and open cases, judged again from their models alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from emitted import OPERATOR, VERSIONS, EmittedCase, EmittedSuite
from onnx import helper

from onnx_cts_specs import Call, Tensor, judge, spec_for

Aspects = dict[str, object]


def call_of(case: EmittedCase) -> Call:
    """The call that a model makes, as rules see it."""
    tensors = {
        name: Tensor(tensor.type, tensor.shape, bool(tensor.codes.any()))
        for name, tensor in case.inputs.items()
    }
    return Call(tensors, {name: plain(value) for name, value in case.attributes.items()})


def plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def aspects(case: EmittedCase) -> Aspects:
    """All that a call can be changed in, each by a name of its own."""
    found: Aspects = {}
    for name, tensor in case.inputs.items():
        found |= {f"type of {name}": tensor.type, f"shape of {name}": tensor.shape}
        if name == "x_zero_point":
            found["zero point is zero"] = not tensor.codes.any()
    defaults = {
        name: helper.get_attribute_value(attribute.default_value)
        for name, attribute in case.schema.attributes.items()
    }
    values = defaults | case.attributes
    return found | {f"attribute {name}": (type(v), v) for name, v in values.items()}


SINGLE_CHANGES: tuple[set[str], ...] = (
    {"type of x", "type of x_zero_point"},
    {"shape of x_scale", "shape of x_zero_point"},
    {"type of x_scale", "shape of x_scale"},
    {"zero point is zero"},
)
"""What one change alters together: a type variable, both parameters, an input that is left out."""


def is_single(changed: set[str]) -> bool:
    if len(changed) == 1:
        return True
    return any(changed <= together for together in SINGLE_CHANGES)


def changes(case: EmittedCase, other: EmittedCase) -> set[str]:
    mine, theirs = aspects(case), aspects(other)
    missing = object()
    return {
        name
        for name in mine.keys() | theirs.keys()
        if mine.get(name, missing) != theirs.get(name, missing)
    }


def without_neighbour(suite: EmittedSuite, version: int, expectation: str) -> Iterator[str]:
    valid = suite.of(version, "value")
    for case in suite.of(version, expectation):
        # Those are calls of the version beside as they are.
        if "version-difference" in case.document["features"]:
            continue
        if not any(is_single(changes(case, other)) for other in valid):
            yield case.name


@pytest.mark.parametrize("version", VERSIONS)
def test_a_reject_case_breaks_the_rule_that_it_names_and_no_other(
    suite: EmittedSuite, version: int
) -> None:
    spec = spec_for(OPERATOR, version)
    for case in suite.of(version, "reject"):
        judgement = judge(spec, call_of(case))
        (rule,) = judgement.broken
        assert [rule.id] == case.document["rules"], case
        assert judgement.questions == (), case
        assert list(rule.stage) == case.document["stage"], case


@pytest.mark.parametrize("version", VERSIONS)
def test_an_open_case_raises_the_question_that_it_names_and_no_other(
    suite: EmittedSuite, version: int
) -> None:
    spec = spec_for(OPERATOR, version)
    for case in suite.of(version, "open"):
        judgement = judge(spec, call_of(case))
        (question,) = judgement.questions
        assert [question.id] == case.document["rules"], case
        assert judgement.broken == (), case
        answers = [answer.name for answer in question.readings]
        assert answers == case.document["reading"], case


@pytest.mark.parametrize("version", VERSIONS)
def test_a_value_case_breaks_no_rule_and_raises_no_question(
    suite: EmittedSuite, version: int
) -> None:
    spec = spec_for(OPERATOR, version)
    for case in suite.of(version, "value"):
        judgement = judge(spec, call_of(case))
        assert judgement.valid, f"{case}: {judgement.broken or judgement.questions}"
        assert [rule.id for rule in judgement.applied] == case.document["rules"], case


@pytest.mark.parametrize("expectation", ["reject", "open"])
@pytest.mark.parametrize("version", VERSIONS)
def test_each_is_one_change_away_from_a_value_case_of_the_suite(
    suite: EmittedSuite, version: int, expectation: str
) -> None:
    assert list(without_neighbour(suite, version, expectation)) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_no_two_cases_have_the_same_model_and_inputs(suite: EmittedSuite, version: int) -> None:
    contents: dict[tuple[bytes, ...], str] = {}
    for case in suite.of(version):
        files = [
            case.path,
            *sorted(case.folder.glob("*.bin")),
            *sorted(case.folder.glob("*_0/in*")),
        ]
        content = tuple(path.read_bytes() for path in files)
        assert content not in contents, f"{case} is {contents.get(content)} once more"
        contents[content] = case.name


RANGES = {
    "axis-range": {"past the first", "past the last"},
    "block-size-range": {"too small", "too large"},
}


@pytest.mark.parametrize("version", [v for v in VERSIONS if v >= 21])
def test_ranges_are_broken_on_both_sides(suite: EmittedSuite, version: int) -> None:
    sides = dict.fromkeys(RANGES, frozenset())
    for case in suite.of(version, "reject"):
        (rule,) = case.document["rules"]
        if rule in RANGES:
            sides[rule] |= side(case, rule)
    assert sides == RANGES


def side(case: EmittedCase, rule: str) -> set[str]:
    shape, axis = case.inputs["x"].shape, case.attribute("axis")
    if rule == "axis-range":
        return {"past the first" if axis < -len(shape) else "past the last"}
    blocks = case.inputs["x_scale"].shape[axis]
    return {"too small" if case.attribute("block_size") * blocks < shape[axis] else "too large"}
