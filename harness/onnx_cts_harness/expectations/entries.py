"""Read a file of expectations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx_cts_harness.errors import ExpectationError
from onnx_cts_harness.schema import schema_path
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_specs import SpecError
from onnx_cts_specs.schema import check_schema
from onnx_cts_specs.source import read

#: The version of the format.
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Entry:
    """Cases that are expected to fail or to be refused.

    Attributes:
        place: The file, and the line of the entry in it.
        reason: Why.
        issue: The address of an issue; "" for none.
        verdicts: What each case may show.
        cases: Ids and patterns of ids, any of which fits; () for all cases.
        features: What each case has; () for anything.
    """

    place: str
    reason: str
    issue: str
    verdicts: frozenset[Verdict]
    cases: tuple[str, ...]
    features: tuple[str, ...]


def load_expectations(file: Path) -> tuple[Entry, ...]:
    """Read a file, as the schema ``expectations`` has it.

    Raises:
        ExpectationError: It cannot be read, is no YAML, or does not follow the schema.
    """
    try:
        origin = read(file)
        check_schema(origin, schema_path("expectations"))
    except SpecError as error:
        raise ExpectationError(str(error)) from None
    return tuple(
        _entry(f"{file}:{origin.line(('expected', index))}", entry)
        for index, entry in enumerate(origin.data["expected"])
    )


def _entry(place: str, entry: Mapping[str, Any]) -> Entry:
    return Entry(
        place,
        entry["reason"],
        entry.get("issue", ""),
        frozenset(map(Verdict, entry["verdicts"])),
        tuple(entry.get("cases", ())),
        tuple(entry.get("features", ())),
    )
