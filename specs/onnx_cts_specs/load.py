"""A spec file turned into a Spec, checked on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import jsonschema

from onnx_cts_specs import expressions, source
from onnx_cts_specs.errors import ExpressionError
from onnx_cts_specs.locations import schema_path
from onnx_cts_specs.model import (
    Answer,
    Attribute,
    Erratum,
    Granularity,
    Input,
    OpenQuestion,
    Output,
    Reading,
    Rule,
    Spec,
    TypeConstraint,
)

T = TypeVar("T")
Place = tuple[str | int, ...]


@cache
def _validator() -> Any:
    schema = json.loads(schema_path().read_text("utf-8"))
    return jsonschema.Draft202012Validator(schema)


def load(path: Path) -> Spec:
    """Read one spec file.

    Raises:
        SpecError: The file does not follow the schema, an expression names what does not exist,
            or two entries contradict each other. It names the file, line, entry and remedy.
    """
    origin = source.read(path)
    worst = jsonschema.exceptions.best_match(_validator().iter_errors(origin.data))
    if worst is not None:
        raise _schema_error(origin, worst)
    spec = _build(path, origin.data)
    _check_names(origin, spec)
    _check_expressions(origin, spec)
    return spec


def _schema_error(origin: source.Source, error: Any) -> Exception:
    place = tuple(error.absolute_path)
    remedies = {
        "additionalProperties": "remove it, or correct its spelling",
        "required": "add it",
        "enum": "use one of those",
    }
    message = str(error.message)
    if error.validator == "enum":
        message = f"{error.instance!r} is none of {', '.join(map(str, error.validator_value))}"
    elif len(message) > 200:
        message = f"this does not follow the schema ({error.validator})"
    remedy = remedies.get(error.validator, "see specs/spec.schema.json for what belongs here")
    return origin.error(place, message, remedy)


def _make(kind: type[T], entry: Mapping[str, Any]) -> T:
    """An object of the model from a mapping with the same keys; lists become tuples."""
    values = {
        f.name: _frozen(entry[f.name])
        for f in fields(kind)  # type: ignore[arg-type]
        if f.name in entry
    }
    return kind(**values)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return value


def _build(path: Path, data: Mapping[str, Any]) -> Spec:
    questions = tuple(
        _make(OpenQuestion, q | {"readings": [_make(Answer, a) for a in q["readings"]]})
        for q in data["open_questions"]
    )
    parts: dict[str, type] = {
        "inputs": Input,
        "outputs": Output,
        "attributes": Attribute,
        "type_constraints": TypeConstraint,
        "granularities": Granularity,
        "rules": Rule,
        "readings": Reading,
        "errata": Erratum,
    }
    built: dict[str, Any] = {
        key: tuple(_make(kind, e) for e in data[key]) for key, kind in parts.items()
    }
    plain = {k: _frozen(v) for k, v in data.items() if k not in parts}
    return Spec(**(plain | built | {"path": path, "open_questions": questions}))


def _check_names(origin: source.Source, spec: Spec) -> None:
    _check_unique(origin, "rules", [r.id for r in spec.rules])
    _check_unique(origin, "open_questions", [q.id for q in spec.open_questions])
    variables = {c.name for c in spec.type_constraints}
    literal = {f"tensor({t})" for c in spec.type_constraints for t in c.types} | {"tensor(float)"}
    for part in ("inputs", "outputs"):
        for index, formal in enumerate(getattr(spec, part)):
            if formal.type not in variables | literal:
                raise origin.error(
                    (part, index, "type"),
                    f"`{formal.type}` is no type constraint of this spec",
                    f"use one of {', '.join(sorted(variables))}, or add it to type_constraints",
                )
    rule_ids = {r.id for r in spec.rules}
    for index, question in enumerate(spec.open_questions):
        for at, excused in enumerate(question.excuses):
            if excused not in rule_ids:
                raise origin.error(
                    ("open_questions", index, "excuses", at),
                    f"there is no rule `{excused}`",
                    "name a rule of this spec",
                )


def _check_unique(origin: source.Source, part: str, ids: Sequence[str]) -> None:
    for index, name in enumerate(ids):
        if name in ids[:index]:
            raise origin.error((part, index, "id"), f"the id `{name}` is used twice", "rename one")


def _check_expressions(origin: source.Source, spec: Spec) -> None:
    names = frozenset(
        entry.name
        for part in (spec.inputs, spec.attributes, spec.type_constraints)
        for entry in part
    )
    for place, expression in _expressions(spec):
        try:
            expressions.check(expression, names)
        except ExpressionError as error:
            raise origin.error(place, str(error), "correct the expression") from None


def _expressions(spec: Spec) -> Iterator[tuple[Place, str]]:
    keys = {
        "outputs": ("dtype", "shape"),
        "granularities": ("when", "shape"),
        "rules": ("when", "require"),
        "open_questions": ("when",),
    }
    for part, wanted in keys.items():
        for index, entry in enumerate(getattr(spec, part)):
            for key in wanted:
                if expression := getattr(entry, key):
                    yield (part, index, key), expression
