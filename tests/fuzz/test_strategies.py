"""What the strategies of a spec draw, as the rules of the spec see it."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from drawing import drawn
from hypothesis import strategies as st

from onnx_cts_generator.case import Case, Node, Value
from onnx_cts_generator.judged import loaded_case
from onnx_cts_generator.strategies import broken_calls, calls, models, open_calls
from onnx_cts_harness.diagnosis import loaded_situation
from onnx_cts_reference.tensors import call_from, kinds_of
from onnx_cts_specs import Judgement, Spec, all_specs, judge, spec_for

EACH_SPEC = pytest.mark.parametrize(
    "spec", all_specs(), ids=lambda spec: f"{spec.operator}-{spec.since_version}"
)
FEW = 15
MANY = 200


def judged(node: Node) -> Judgement:
    arrays = {name: value.array for name, value in node.inputs.items()}
    return judge(node.spec, call_from(arrays, node.attributes))


@EACH_SPEC
def test_calls_break_no_rule_and_raise_no_question(spec: Spec) -> None:
    assert all(judged(node).valid for node in drawn(calls(spec), FEW))


@EACH_SPEC
def test_broken_calls_break_one_rule_and_raise_no_question(spec: Spec) -> None:
    for node in drawn(broken_calls(spec), FEW):
        judgement = judged(node)
        assert (len(judgement.broken), judgement.questions) == (1, ())


@EACH_SPEC
def test_open_calls_raise_one_question_and_break_no_rule(spec: Spec) -> None:
    for node in drawn(open_calls(spec), FEW):
        judgement = judged(node)
        assert (len(judgement.questions), judgement.broken) == (1, ())


@pytest.fixture(scope="module")
def nodes() -> list[Node]:
    return drawn(calls(spec_for("QuantizeLinear", 28)), MANY)


def test_nearly_each_type_of_each_variable_is_drawn(nodes: list[Node]) -> None:
    spec = nodes[0].spec
    for formal in spec.inputs:
        given = {
            node.inputs[formal.name].format.name for node in nodes if formal.name in node.inputs
        }
        assert given <= set(spec.types(formal.type))
        assert len(given) > 0.8 * len(spec.types(formal.type))


def test_each_granularity_is_drawn_from_the_least_rank_that_it_can_have(nodes: list[Node]) -> None:
    found = {(judged(node).granularity, node.inputs["x"].codes.ndim) for node in nodes}
    for granularity, least in (("per-tensor", 0), ("per-axis", 1), ("blocked", 1)):
        ranks = {rank for name, rank in found if name == granularity}
        assert min(ranks) == least
        assert max(ranks) >= 4


def test_shapes_are_empty_long_and_of_one_element_too(nodes: list[Node]) -> None:
    sizes = {node.inputs["x"].codes.size for node in nodes}
    assert {0, 1} < sizes
    assert max(sizes) > 1 << 8


def test_axes_have_both_signs_and_blocks_have_tails(nodes: list[Node]) -> None:
    blocked = [node for node in nodes if judged(node).granularity == "blocked"]
    tails = [
        node.inputs["x"].shape[int(str(node.attributes["axis"]))]
        % int(str(node.attributes["block_size"]))
        for node in blocked
    ]
    assert 0 in tails
    assert max(tails) > 0
    assert {int(str(node.attributes["axis"])) < 0 for node in blocked} == {True, False}


def test_an_optional_input_is_there_or_not(nodes: list[Node]) -> None:
    assert {"y_zero_point" in node.inputs for node in nodes} == {True, False}


def test_values_have_every_kind_that_their_type_has(nodes: list[Node]) -> None:
    kinds: set[str] = set()
    for value in (value for node in nodes for value in node.inputs.values()):
        if value.format.infinity:
            kinds |= kinds_of(value.numbers, value.format.name)
            small = np.abs(value.numbers) < 2.0**value.format.least_exponent
            kinds |= {"subnormal"} if (small & (value.numbers != 0)).any() else set()
    assert kinds == {"nan", "infinity", "zero", "number", "subnormal"}


@pytest.mark.parametrize(
    ("operator", "version"), [("DequantizeLinear", 10), ("DynamicQuantizeLinear", 11)]
)
def test_every_rule_and_nearly_every_question_is_drawn(operator: str, version: int) -> None:
    spec = spec_for(operator, version)
    rules = {judged(node).broken[0].id for node in drawn(broken_calls(spec), MANY)}
    asked = {judged(node).questions[0].id for node in drawn(open_calls(spec), MANY)}
    assert rules == {rule.id for rule in spec.rules}
    assert len(asked) > 0.7 * len(spec.open_questions)


@pytest.mark.parametrize("strategy", [calls, broken_calls, open_calls, models])
def test_few_draws_are_thrown_away(strategy: object) -> None:
    drawn_from = strategy(spec_for("QuantizeLinear", 28))  # type: ignore[operator]
    begun = 0

    @st.composite
    def counted(draw: st.DrawFn) -> object:
        nonlocal begun
        begun += 1
        return draw(drawn_from)

    assert len(drawn(counted(), 4 * FEW)) > 0.8 * begun


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return drawn(models(spec_for("QuantizeLinear", 25)), MANY)


def test_models_are_to_be_computed_refused_or_left_open(cases: list[Case]) -> None:
    counts = {
        kind: sum(case.expectation == kind for case in cases)
        for kind in ("value", "reject", "open")
    }
    assert counts["value"] > MANY / 2
    assert min(counts.values()) > MANY / 40


def test_models_have_every_presentation(cases: list[Case]) -> None:
    ways = [case.presentation for case in cases if case.expectation == "value"]
    assert {way.parameters for way in ways} == {"inputs", "initializers", "constants"}
    assert {way.storage for way in ways} == {"raw", "typed", "external"}
    assert {way.shapes for way in ways} == {"static", "symbolic", "unknown"}
    assert {way.opset for way in ways} == {25, 26, 27}
    assert {way.spelled for way in ways} == {True, False}
    assert {bool(way.empty_names) for way in ways} == {True, False}


def test_a_model_makes_the_call_that_was_drawn(cases: list[Case]) -> None:
    for case in cases:
        _, loaded = loaded_case(case)
        at = loaded_situation(loaded)
        assert (at.spec.operator, at.spec.since_version) == ("QuantizeLinear", 25)
        given = dict(zip((i.name for i in at.spec.inputs), at.inputs, strict=False))
        for name, value in case.node.inputs.items():
            array = given[name]
            assert array is not None
            assert np.array_equal(Value.of(array).codes, value.codes)


def test_onnx_checks_the_models_that_are_to_be_computed(cases: list[Case]) -> None:
    for case in cases:
        _, loaded = loaded_case(case)
        if case.expectation == "value" and not loaded.files:
            onnx.checker.check_model(onnx.ModelProto.FromString(loaded.model))


def test_the_same_seed_draws_the_same_models() -> None:
    strategy = models(spec_for("DequantizeLinear", 21))
    first, second = (
        [loaded_case(case)[1].model for case in drawn(strategy, FEW)] for _ in range(2)
    )
    assert first == second
