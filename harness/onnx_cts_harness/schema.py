"""The JSON Schemas of the contract, published in this package."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from onnx_cts_harness.text import clean


@cache
def schema(name: str) -> dict[str, Any]:
    """One of the published schemas.

    Args:
        name: ``manifest``, ``case``, ``record``, ``sweep`` or ``expectations``.
    """
    loaded: dict[str, Any] = json.loads(schema_path(name).read_text("utf-8"))
    return loaded


def schema_path(name: str) -> Path:
    """The file of one of the published schemas."""
    return Path(str(files(__package__).joinpath("schemas", f"{name}.schema.json")))


@cache
def _holds(name: str) -> Callable[[object], bool]:
    from jsonschema_rs import Draft202012Validator

    is_valid: Callable[[object], bool] = Draft202012Validator(schema(name)).is_valid
    return is_valid


def fault(name: str, document: object) -> str | None:
    """What is wrong with a document by a schema, in one line with the place; None if nothing."""
    # A compiled validator looks at what is right, in a twentieth of the time; the other has the
    # words and the place of what is wrong.
    if _holds(name)(document):
        return None
    from jsonschema import Draft202012Validator

    error = next(Draft202012Validator(schema(name)).iter_errors(document), None)
    return None if error is None else clean(f"at {error.json_path}: {error.message}")
