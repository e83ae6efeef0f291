"""What specs say of calls: each rule can be broken alone, and each question raised."""

from dataclasses import replace
from typing import Any

import pytest
from spec_files import VERSIONS

from onnx_cts_specs import Call, Judgement, SpecError, Tensor, judge, output_types, spec_for
from onnx_cts_specs.judge import answered_call, attribute_values

SPECS = {version: spec_for("DequantizeLinear", version) for version in VERSIONS}
X = Tensor("int8", (2, 4))
SCALAR = Tensor("float", ())


def call(
    x: Tensor | None = X,
    scale: Tensor | None = SCALAR,
    zero_point: Tensor | None = None,
    **attributes: Any,
) -> Call:
    return Call({"x": x, "x_scale": scale, "x_zero_point": zero_point}, attributes)


def scale(*shape: int, dtype: str = "float") -> Tensor:
    return Tensor(dtype, shape)


def zero(*shape: int, dtype: str = "int8") -> Tensor:
    return Tensor(dtype, shape)


BREAKING = {
    "required-inputs": call(scale=None),
    "known-attributes": call(colour=1),
    "attribute-types": call(axis=0.5),
    "x-type": call(Tensor("float", (2, 4))),
    "scale-type": call(scale=scale(dtype="int8")),
    "zero-point-type": call(zero_point=zero(dtype="uint8")),
    "scalar-scale": call(scale=scale(4)),
    "scalar-zero-point": call(zero_point=zero(4)),
    "output-dtype": call(output_dtype=3),
    "output-type": call(scale=scale(dtype="float8e8m0")),
    "scale-rank": call(scale=scale(2, 2, 4)),
    "zero-point-shape": call(scale=scale(4), zero_point=zero(2), axis=1),
    "axis-range": call(scale=scale(4), axis=2),
    "per-axis-length": call(scale=scale(3), axis=1),
    "blocked-shape": call(scale=scale(1, 2), axis=1, block_size=2),
    "block-size-positive": call(block_size=-1),
    "block-size-range": call(scale=scale(2, 2), axis=1, block_size=1),
}
RULES = [(version, rule.id) for version, spec in SPECS.items() for rule in spec.rules]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_plainest_call_breaks_nothing_and_asks_nothing(version: int) -> None:
    judgement = judge(SPECS[version], call(zero_point=zero()))
    assert judgement.valid
    assert (judgement.granularity, judgement.broken, judgement.questions) == ("per-tensor", (), ())


@pytest.mark.parametrize(
    ("version", "rule"),
    [
        *RULES,
    ],
)
def test_each_rule_is_broken_alone_by_some_call(version: int, rule: str) -> None:
    judgement = judge(SPECS[version], BREAKING[rule])
    assert [broken.id for broken in judgement.broken] == [rule]
    assert not judgement.valid


OPENING = {
    "scalar-beside-one-element": call(zero_point=zero(1)),
    "one-element-parameters": call(scale=scale(1)),
    "default-axis-on-rank-1": call(Tensor("int8", (3,)), scale(3)),
    "unused-axis-out-of-range": call(axis=5),
    "unused-block-size": call(block_size=2),
    "int32-zero-point": call(Tensor("int32", (2, 4)), zero_point=Tensor("int32", (), nonzero=True)),
    "float-zero-point": call(
        Tensor("float8e5m2", (2, 4)), zero_point=Tensor("float8e5m2", (), nonzero=True)
    ),
}


@pytest.mark.parametrize(
    ("version", "question"),
    [(version, q.id) for version, spec in SPECS.items() for q in spec.open_questions],
)
def test_each_question_is_raised_alone_by_some_call(version: int, question: str) -> None:
    judgement = judge(SPECS[version], OPENING[question])
    assert [q.id for q in judgement.questions] == [question]
    assert judgement.broken == ()
    assert not judgement.valid


@pytest.mark.parametrize("version", VERSIONS)
def test_every_answer_to_a_question_settles_it(version: int) -> None:
    spec = SPECS[version]
    for question in spec.open_questions:
        opening = OPENING[question.id]
        for answer in question.readings:
            after = judge(spec, answered_call(opening, answer), frozenset({question.id}))
            assert answer.refuse or after.valid
        assert judge(spec, opening).questions == (question,)


def of(version: int, *arguments: Any, **attributes: Any) -> Judgement:
    return judge(SPECS[version], call(*arguments, **attributes))


@pytest.mark.parametrize("version", [v for v in VERSIONS if v >= 21])
@pytest.mark.parametrize(
    ("x", "of_scale", "attributes", "granularity"),
    [
        ((2, 4), (), {}, "per-tensor"),
        ((), (), {}, "per-tensor"),
        ((2, 4), (4,), {}, "per-axis"),
        ((4,), (4,), {"axis": 0}, "per-axis"),
        ((4,), (2,), {"axis": 0, "block_size": 2}, "blocked"),
        ((2, 4), (2, 2), {"block_size": 2}, "blocked"),
        ((2, 4), (2, 4), {"block_size": 1}, "blocked"),
        ((2, 4), (2, 1), {"block_size": 9}, "blocked"),
        ((2, 4), (1, 2, 4), {}, ""),
        ((2, 4, 3), (2, 4), {}, ""),
    ],
)
def test_the_shape_of_the_scale_selects_the_granularity(
    version: int,
    x: tuple[int, ...],
    of_scale: tuple[int, ...],
    attributes: dict[str, int],
    granularity: str,
) -> None:
    judgement = of(version, Tensor("int8", x), scale(*of_scale), **attributes)
    assert judgement.granularity == granularity
    assert judgement.valid == bool(granularity)


def test_the_range_of_the_block_size_is_that_of_the_page() -> None:
    for length in range(1, 12):
        for blocks in range(2, length + 1):
            low, high = -(-length // blocks), -(-length // (blocks - 1)) - 1
            accepted = [
                size
                for size in range(1, 14)
                if of(21, Tensor("int8", (2, length)), scale(2, blocks), block_size=size).valid
            ]
            assert accepted == list(range(low, high + 1))


def test_one_block_may_be_any_longer_than_the_axis() -> None:
    accepted = [n for n in range(1, 20) if of(28, scale=scale(2, 1), block_size=n).valid]
    assert accepted == list(range(4, 20))


def test_rules_with_a_condition_that_holds_are_told() -> None:
    plain = {rule.id for rule in of(28).applied}
    assert plain == {"output-type", "scale-rank"}
    assert {rule.id for rule in of(28, X, scale(4), zero(4)).applied} == plain | {
        "zero-point-type",
        "zero-point-shape",
        "axis-range",
        "per-axis-length",
    }


def test_a_question_whose_every_answer_breaks_a_rule_is_no_question() -> None:
    # Along axis 0, the only one that can be meant, one block of 5 is enough and two are given.
    judgement = of(21, Tensor("int8", (3,)), scale(2), block_size=5)
    assert [question.id for question in judgement.questions] == ["default-axis-on-rank-1"]
    assert [rule.id for rule in judgement.broken] == ["block-size-range"]


def test_an_answer_changes_only_what_it_names() -> None:
    spec = SPECS[21]
    answers = {q.id: q.readings[0] for q in spec.open_questions}
    asked = call(X, scale(1), zero(1), axis=1)
    answered = answered_call(asked, answers["one-element-parameters"])
    assert answered.inputs == {"x": X, "x_scale": scale(), "x_zero_point": zero()}
    assert answered.attributes == {"axis": 1}
    assert answered_call(call(), answers["one-element-parameters"]).inputs["x_zero_point"] is None
    assert answered_call(call(), answers["default-axis-on-rank-1"]).attributes == {"axis": 0}


def test_attributes_have_their_defaults_where_none_is_given() -> None:
    values = attribute_values(SPECS[28], call(block_size=4))
    assert values == {"axis": 1, "block_size": 4, "output_dtype": 0}
    assert attribute_values(SPECS[10], call()) == {}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_output_has_xs_shape(version: int) -> None:
    (output,) = output_types(SPECS[version], call())
    assert (output.name, output.dtype, output.shape) == ("y", "float", (2, 4))


def test_the_output_type_is_that_of_the_version() -> None:
    half = call(scale=scale(dtype="float16"))
    assert output_types(SPECS[19], half)[0].dtype == "float16"
    assert output_types(SPECS[28], half)[0].dtype == "float16"
    chosen = call(scale=scale(dtype="float16"), output_dtype=16)
    assert output_types(SPECS[28], chosen)[0].dtype == "bfloat16"


def test_a_rule_that_has_no_value_for_an_unbroken_call_is_the_specs_fault() -> None:
    spec = SPECS[10]
    unguarded = replace(spec, rules=(replace(spec.rules[0], require="rank(x_zero_point) == 0"),))
    with pytest.raises(SpecError, match=r"rule required-inputs has no value .*guard it"):
        judge(unguarded, call())


def test_absent_inputs_may_be_left_out_of_a_call() -> None:
    assert judge(SPECS[13], Call({"x": X, "x_scale": SCALAR})).valid
    assert Call({"x": X, "x_scale": None}).present() == {"x": X}
