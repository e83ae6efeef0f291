from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from onnx_cts_specs import Spec, all_specs, spec_for
from onnx_cts_specs.op_schema import (
    Constraint,
    Formal,
    FormalAttribute,
    OperatorSchema,
    schema_in_onnx,
    schema_of,
)
from onnx_cts_specs.schema_diff import SchemaDiff, TextDiff, compare

X = Formal("x", "T", "single", "Data.")
SCALE = Formal("scale", "T", "optional", "Scale.")
Y = Formal("y", "T", "single", "Result.")
AXIS = FormalAttribute("axis", "int", required=False, default=1, says="Axis.")
T = Constraint("T", ("tensor(int8)", "tensor(uint8)"), "Types.")
OLD = OperatorSchema("", "Op", 1, False, "It computes.", (X, SCALE), (Y,), (AXIS,), (T,))


def changed(**parts: Any) -> SchemaDiff:
    """The diff to a version with other parts."""
    return compare(OLD, replace(OLD, since_version=2, **parts))


def dequantize_diff(old: int, new: int) -> SchemaDiff:
    return compare(*(schema_of(spec_for("DequantizeLinear", v)) for v in (old, new)))


def ordered(schema: OperatorSchema) -> OperatorSchema:
    """A schema with what has no order in one order, and its description without outer space."""
    return replace(
        schema,
        description=schema.description.strip(),
        attributes=tuple(sorted(schema.attributes, key=lambda a: a.name)),
        type_constraints=tuple(
            replace(c, types=tuple(sorted(c.types)))
            for c in sorted(schema.type_constraints, key=lambda c: c.name)
        ),
    )


@pytest.mark.parametrize("spec", all_specs(), ids=lambda s: f"{s.operator}-{s.since_version}")
def test_a_spec_has_the_same_schema_as_onnx_defs(spec: Spec) -> None:
    in_onnx = schema_in_onnx(spec.operator, spec.since_version, spec.domain)
    assert ordered(schema_of(spec)) == ordered(in_onnx)


def test_13_to_19_of_dequantize_linear_breaks_for_the_published_reasons() -> None:
    diff = dequantize_diff(13, 19)
    assert (diff.old_version, diff.new_version, diff.breaking) == (13, 19, True)
    assert diff.breaking_reasons == (
        "input 'x': type_str changed 'T' → 'T1'",
        "input 'x_scale': type_str changed 'tensor(float)' → 'T2'",
        "input 'x_zero_point': type_str changed 'T' → 'T1'",
        "output 'y': type_str changed 'tensor(float)' → 'T2'",
        "type constraint 'T' removed",
    )
    added = {c.name: len(c.types) for c in diff.type_constraints.added}
    assert added == {"T1": 7, "T2": 3}
    assert [c.name for c in diff.type_constraints.removed] == ["T"]
    text = diff.description
    assert (text.similarity, text.added, text.removed) == (0.86, 2, 0)
    assert not any((diff.attributes.added, diff.attributes.removed, diff.attributes.changed))


def test_10_to_13_of_dequantize_linear_adds_an_attribute_and_does_not_break() -> None:
    diff = dequantize_diff(10, 13)
    assert (diff.breaking, diff.breaking_reasons) == (False, ())
    assert [(a.name, a.default) for a in diff.attributes.added] == [("axis", 1)]
    assert not diff.inputs.changed
    assert [text.name for text in diff.inputs.reworded] == ["x_scale", "x_zero_point"]
    text = diff.description
    assert (text.similarity, text.added, text.removed) == (0.36, 4, 3)


@pytest.mark.parametrize(("old", "new"), [(10, 13), (13, 19), (19, 28), (28, 10)])
def test_specs_and_onnx_defs_give_the_same_diff(old: int, new: int) -> None:
    ours = dequantize_diff(old, new)
    theirs = compare(*(schema_in_onnx("DequantizeLinear", v) for v in (old, new)))
    assert sorted(ours.breaking_reasons) == sorted(theirs.breaking_reasons)
    assert ours.description.lines == theirs.description.lines
    assert ours.description.similarity == theirs.description.similarity


def test_a_version_does_not_differ_from_itself() -> None:
    diff = changed()
    assert not diff.breaking
    for part in (diff.inputs, diff.outputs, diff.attributes, diff.type_constraints):
        assert not any((part.added, part.removed, part.changed, part.reworded))
    assert (diff.description.similarity, diff.description.lines) == (1.0, ())


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"inputs": (X,)}, "input 'scale' removed"),
        ({"inputs": (X, SCALE, Formal("z", "T", "single", ""))}, "required input 'z' added"),
        ({"inputs": (SCALE, X)}, "input 'x': position changed 0 → 1"),
        (
            {"inputs": (X, replace(SCALE, option="single"))},
            "input 'scale': option changed optional → single",
        ),
        ({"outputs": ()}, "output 'y' removed"),
        ({"outputs": (replace(Y, type_str="T2"),)}, "output 'y': type_str changed 'T' → 'T2'"),
        ({"attributes": ()}, "attribute 'axis' removed"),
        (
            {"attributes": (AXIS, FormalAttribute("to", "int", True, None, ""))},
            "required attribute 'to' added",
        ),
        (
            {"attributes": (replace(AXIS, type="ints"),)},
            "attribute 'axis': type changed int → ints",
        ),
        ({"attributes": (replace(AXIS, default=-1),)}, "attribute 'axis': default changed 1 → -1"),
        (
            {"attributes": (replace(AXIS, required=True, default=None),)},
            "attribute 'axis': now required",
        ),
        ({"type_constraints": ()}, "type constraint 'T' removed"),
        (
            {"type_constraints": (replace(T, types=("tensor(uint8)",)),)},
            "type constraint 'T': types removed tensor(int8)",
        ),
        ({"deprecated": True}, "the operator is deprecated"),
    ],
)
def test_what_takes_something_from_models_breaks(parts: dict[str, Any], reason: str) -> None:
    reasons = changed(**parts).breaking_reasons
    assert reason in reasons


def variadic(min_arity: int = 1, homogeneous: bool = True) -> Formal:
    return Formal("x", "T", "variadic", "Data.", min_arity, homogeneous)


@pytest.mark.parametrize(
    ("old", "new", "breaks"),
    [
        (X, variadic(), False),
        (X, variadic(2), True),
        (variadic(), X, True),
        (variadic(1), variadic(2), True),
        (variadic(2), variadic(1), False),
        (variadic(homogeneous=False), variadic(), True),
        (variadic(), variadic(homogeneous=False), False),
    ],
)
def test_a_variadic_input_breaks_where_it_asks_for_more(
    old: Formal, new: Formal, breaks: bool
) -> None:
    diff = compare(replace(OLD, inputs=(old,)), replace(OLD, inputs=(new,)))
    assert diff.inputs.changed
    assert diff.breaking is breaks


@pytest.mark.parametrize(
    "parts",
    [
        {"inputs": (X, SCALE, Formal("z", "T", "optional", ""))},
        {"inputs": (X, replace(SCALE, name="factor"))},
        {"inputs": (replace(X, option="optional"), SCALE)},
        {"attributes": (AXIS, FormalAttribute("block_size", "int", False, 0, ""))},
        {"attributes": (AXIS, FormalAttribute("name", "string", False, None, ""))},
        {"type_constraints": (replace(T, types=(*T.types, "tensor(int4)")),)},
        {"type_constraints": (T, replace(T, name="T2"))},
        {"description": "It computes.\nIn float32."},
    ],
)
def test_what_admits_more_or_says_it_otherwise_does_not_break(parts: dict[str, Any]) -> None:
    assert changed(**parts).breaking_reasons == ()


def test_an_input_with_a_new_name_at_its_old_place_is_changed_and_not_removed() -> None:
    diff = changed(inputs=(X, replace(SCALE, name="factor"))).inputs
    assert (diff.added, diff.removed) == ((), ())
    (change,) = diff.changed
    assert (change.name, change.field, change.old, change.new) == (
        "scale",
        "name",
        "scale",
        "factor",
    )


def test_lines_that_begin_with_dashes_are_counted_as_text() -> None:
    diff = TextDiff("one\n-- two", "one\n++ two")
    assert (diff.added, diff.removed) == (1, 1)


def test_an_operator_without_a_description_can_be_compared() -> None:
    diff = TextDiff("", "It computes.")
    assert (diff.similarity, diff.added, diff.removed) == (0.67, 1, 0)
