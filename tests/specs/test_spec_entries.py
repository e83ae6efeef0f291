"""Entries of spec files at fault: each is named with its place, and what would be right."""

from pathlib import Path

import pytest
from spec_files import edited, error_of, original


def line_of_change(path: Path) -> int:
    """The first line that is not as in the spec that was changed."""
    lines = zip(original(13).splitlines(), path.read_text("utf-8").splitlines(), strict=False)
    return next(i for i, (before, after) in enumerate(lines, start=1) if before != after)


MISTAKES = [
    (
        "int8, uint8, int32]",
        "int8, unit8, int32]",
        "type_constraints[0].types[1]",
        "'unit8' is none of float, uint8, int8",
    ),
    ("type: T\n", "type: T9\n", "inputs[0].type", "`T9` is no type constraint of this spec"),
    ("type: tensor(float)", "type: tensor(flaot)", "inputs[1].type", "`tensor(flaot)` is no type"),
    ("role: data", "role: date", "inputs[0].role", "'date' is none of data, scale, zero-point"),
    ("type: int\n", "type: integer\n", "attributes[0].type", "'integer' is none of float, int"),
    ("load, run]", "load, walk]", "rules[0].stage[3]", "'walk' is none of check, inference"),
    ("load, run]", "load, load]", "rules[0].stage", "has non-unique elements"),
    (
        "since_version: 13",
        "since_version: soon",
        "since_version",
        "'soon' is not of type 'integer'",
    ),
    ("since_version: 13", "since_version: 0", "since_version", "less than the minimum of 1"),
    ("id: x-type", "id: x type", "rules[3].id", "'x type' does not match"),
    (
        "optional: true",
        "optional: perhaps",
        "inputs[2].optional",
        "'perhaps' is not of type 'boolean'",
    ),
    (
        "dtype(x) in T\n",
        "type(x) in T\n",
        "rules[3].require",
        "unknown function `type` (known: at, ",
    ),
    ("dtype(x) in T\n", "dtype(z) in T\n", "rules[3].require", "unknown name `z` (known: "),
    ("dtype(x) in T\n", "dtype(x) in T9\n", "rules[3].require", "unknown name `T9` (known: "),
    ("dtype(x) in T\n", "dtype(x in T\n", "rules[3].require", "`dtype(x in T` is no expression"),
    ("dtype(x) in T\n", "' '\n", "rules[3].require", "` ` is no expression"),
    (
        "when: has(x_zero_point)\n",
        "when: had(x_zero_point)\n",
        "rules[5].when",
        "unknown function `had`",
    ),
    ("dtype: \"'float'\"", "dtype: float", "outputs[0].dtype", "unknown name `float`"),
    ("shape: shape(x)", "shape: shape(z)", "outputs[0].shape", "unknown name `z`"),
    (
        "when: rank(x_scale) == 0",
        "when: rank(x_scale) = 0",
        "granularities[0].when",
        "is no expression",
    ),
    (
        "shape: at(shape(x), axis)",
        "shape: at(shape(x), axes)",
        "granularities[1].shape",
        "unknown name `axes`",
    ),
    ("id: zero-point-type", "id: x-type", "rules[5].id", "the id `x-type` is used twice"),
    ("id: int32-zero-point", "id: default-axis-on-rank-1", "open_questions[4].id", "is used twice"),
    (
        "excuses: [axis-range]",
        "excuses: [axes-range]",
        "open_questions[2].excuses[0]",
        "there is no rule `axes-range`",
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"), MISTAKES, ids=[mistake[3] for mistake in MISTAKES]
)
def test_a_wrong_entry_is_named_with_its_line(
    old: str, new: str, key: str, problem: str, tmp_path: Path
) -> None:
    path = edited(tmp_path, old, new)
    error = error_of(path)
    assert error.key == key
    assert problem in error.problem
    assert error.line == line_of_change(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("name: per-axis", "name: per-tensor", id="granularity-twice"),
        pytest.param("  - name: float32", "  - name: exact", id="reading-twice"),
        pytest.param("reshape: {x_scale: []", "reshape: {x_sale: []", id="reshape-of-no-input"),
        pytest.param("attributes: {axis: 0}", "attributes: {axes: 0}", id="no-such-attribute"),
        pytest.param("omit: [x_zero_point]", "omit: [zero_point]", id="omission-of-no-input"),
    ],
)
def test_entries_that_contradict_each_other_are_refused(old: str, new: str, tmp_path: Path) -> None:
    assert error_of(edited(tmp_path, old, new)).problem
