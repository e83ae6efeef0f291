"""A spec file turned into a Spec, checked on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

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
    Term,
    TypeConstraint,
)
from onnx_cts_specs.schema import check_schema, frozen, made

_NAMES = {
    "rules": "id",
    "open_questions": "id",
    "inputs": "name",
    "outputs": "name",
    "attributes": "name",
    "type_constraints": "name",
    "granularities": "name",
    "terms": "name",
    "readings": "name",
}
"""The key by which the entries of each part are told apart."""

Place = tuple[str | int, ...]


def load(path: Path) -> Spec:
    """Read one spec file.

    Raises:
        SpecError: The file does not follow the schema, an expression names what does not exist,
            or two entries contradict each other. It names the file, line, entry and remedy.
    """
    origin = source.read(path)
    check_schema(origin, schema_path())
    spec = _build(path, origin.data)
    _check_names(origin, spec)
    _check_answers(origin, spec)
    _check_expressions(origin, spec)
    return spec


def _build(path: Path, data: Mapping[str, Any]) -> Spec:
    questions = tuple(
        made(OpenQuestion, q | {"readings": [made(Answer, a) for a in q["readings"]]})
        for q in data["open_questions"]
    )
    parts: dict[str, type] = {
        "inputs": Input,
        "outputs": Output,
        "attributes": Attribute,
        "type_constraints": TypeConstraint,
        "granularities": Granularity,
        "terms": Term,
        "rules": Rule,
        "readings": Reading,
        "errata": Erratum,
    }
    built: dict[str, Any] = {
        key: tuple(made(kind, e) for e in data.get(key, ())) for key, kind in parts.items()
    }
    plain = {k: frozen(v) for k, v in data.items() if k not in parts}
    return Spec(**(plain | built | {"path": path, "open_questions": questions}))


def _check_names(origin: source.Source, spec: Spec) -> None:
    for part, key in _NAMES.items():
        names = [getattr(entry, key) for entry in getattr(spec, part)]
        for index, name in enumerate(names):
            if name in names[:index]:
                problem = f"the {key} `{name}` is used twice"
                raise origin.error((part, index, key), problem, "rename one")
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


def _check_answers(origin: source.Source, spec: Spec) -> None:
    """Check that answers to open questions change inputs and attributes that there are."""
    inputs = {i.name for i in spec.inputs}
    attributes = {a.name for a in spec.attributes}
    for at, question in enumerate(spec.open_questions):
        for index, answer in enumerate(question.readings):
            changed = {"reshape": inputs, "omit": inputs, "attributes": attributes}
            for key, known in changed.items():
                for name in getattr(answer, key) or ():
                    if name not in known:
                        raise origin.error(
                            ("open_questions", at, "readings", index, key),
                            f"there is no `{name}`",
                            f"name one of {', '.join(sorted(known)) or 'nothing: there are none'}",
                        )


def _check_expressions(origin: source.Source, spec: Spec) -> None:
    given = {e.name for p in (spec.inputs, spec.attributes, spec.type_constraints) for e in p}
    derived = [output.name for output in spec.outputs]
    terms = [term.name for term in spec.terms]
    for place, expression in _expressions(spec):
        names = given
        if place[0] == "terms":
            names = given.union(derived, terms[: int(place[1])])
        elif place[0] not in {"outputs", "granularities"}:
            names = given.union(derived, terms)
        try:
            expressions.check(expression, frozenset(names))
        except ExpressionError as error:
            raise origin.error(place, str(error), "correct the expression") from None


def _expressions(spec: Spec) -> Iterator[tuple[Place, str]]:
    keys = {
        "outputs": ("dtype", "shape"),
        "granularities": ("when", "shape"),
        "terms": ("value",),
        "rules": ("when", "require"),
        "readings": ("when",),
        "open_questions": ("when",),
    }
    for part, wanted in keys.items():
        for index, entry in enumerate(getattr(spec, part)):
            for key in wanted:
                if expression := getattr(entry, key):
                    yield (part, index, key), expression
