"""Data checked against a JSON Schema, and made into objects of the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from onnx_cts_specs import source

T = TypeVar("T")


@cache
def _holds(schema: Path) -> Callable[[object], bool]:
    from jsonschema_rs import Draft202012Validator

    is_valid: Callable[[object], bool] = Draft202012Validator(_loaded(schema)).is_valid
    return is_valid


def _loaded(schema: Path) -> Any:
    return json.loads(schema.read_text("utf-8"))


def follows(schema: Path, data: object) -> bool:
    """Whether data follows a schema."""
    # A compiled validator looks at what is right, in a twentieth of the time; the other has the
    # words and the place of what is wrong, and knows of data that JSON does not have.
    try:
        return _holds(schema)(data)
    except (TypeError, ValueError):
        return next(errors(schema, data), None) is None


def errors(schema: Path, data: object) -> Iterator[Any]:
    """What is wrong with data by a schema, as jsonschema says it."""
    from jsonschema import Draft202012Validator

    found: Iterator[Any] = Draft202012Validator(_loaded(schema)).iter_errors(data)
    return found


def check_schema(origin: source.Source, schema: Path) -> None:
    """Check a file's data against a schema.

    Raises:
        SpecError: It does not follow the schema; the error names file, line, entry and remedy.
    """
    if follows(schema, origin.data):
        return
    from jsonschema.exceptions import best_match

    worst = best_match(errors(schema, origin.data))
    if worst is not None:
        raise _error(origin, worst, schema.name)


def _error(origin: source.Source, error: Any, schema: str) -> Exception:
    place = tuple(error.absolute_path)
    if error.validator == "additionalProperties":
        unknown = [key for key in error.instance if key not in error.schema["properties"]]
        known = ", ".join(error.schema["properties"])
        problem = f"the key `{unknown[0]}` is unknown here"
        return origin.error((*place, unknown[0]), problem, f"use one of {known}")
    if error.validator == "anyOf":
        keys = ", ".join(option["required"][0] for option in error.validator_value)
        return origin.error(place, "this entry does not say what it does", f"add one of {keys}")
    remedies = {"required": "add it", "enum": "use one of those"}
    message = str(error.message)
    if error.validator == "enum":
        message = f"{error.instance!r} is none of {', '.join(map(str, error.validator_value))}"
    elif len(message) > 200:
        message = f"this does not follow the schema ({error.validator})"
    remedy = remedies.get(error.validator, f"see {schema} for what belongs here")
    return origin.error(place, message, remedy)


def made(kind: type[T], entry: Mapping[str, Any]) -> T:
    """An object of the model from a mapping with the same keys; lists become tuples."""
    values = {
        f.name: frozen(entry[f.name])
        for f in fields(kind)  # type: ignore[arg-type]
        if f.name in entry
    }
    return kind(**values)


def frozen(value: Any) -> Any:
    """A value of YAML with tuples in place of lists."""
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    return value
