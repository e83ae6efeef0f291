"""The JSON Schemas of the contract, published in this package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from onnx_cts_harness.text import clean
from onnx_cts_specs.schema import errors, follows


@cache
def schema_path(name: str) -> Path:
    """The file of a published schema.

    Args:
        name: ``manifest``, ``case``, ``record``, ``sweep`` or ``expectations``.
    """
    return Path(str(files(__package__).joinpath("schemas", f"{name}.schema.json")))


def fault(name: str, document: object) -> str | None:
    """What is wrong with a document by a schema, in one line with the place; None if nothing."""
    schema = schema_path(name)
    if follows(schema, document):
        return None
    error = next(errors(schema, document), None)
    return None if error is None else clean(f"at {error.json_path}: {error.message}")
