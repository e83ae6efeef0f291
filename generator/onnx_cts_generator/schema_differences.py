"""A schema diff in words, and as the document that ``spec diff --json`` prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from onnx_cts_specs.op_schema import Constraint, Formal, FormalAttribute
from onnx_cts_specs.schema_diff import Change, PartDiff, SchemaDiff

_PARTS = ("inputs", "outputs", "attributes", "type_constraints")


def document(diff: SchemaDiff) -> dict[str, Any]:
    """A schema diff as plain data that JSON holds."""
    found: dict[str, Any] = {
        "operator": diff.operator,
        "domain": diff.domain,
        "old_version": diff.old_version,
        "new_version": diff.new_version,
        "breaking": diff.breaking,
        "breaking_reasons": list(diff.breaking_reasons),
    }
    for part in _PARTS:
        differences = asdict(getattr(diff, part))
        del differences["reasons"]
        for change in differences["changed"]:
            change["breaking"] = bool(change.pop("reason"))
        found[part] = differences
    text = diff.description
    found["description"] = {
        "similarity": text.similarity,
        "added_lines": text.added,
        "removed_lines": text.removed,
        "diff": list(text.lines),
    }
    return found


def sections(diff: SchemaDiff) -> list[tuple[str, list[str]]]:
    """Each part that differs, and a line for each of its differences."""
    said = [
        (part.capitalize().replace("_", " "), list(_differences(getattr(diff, part))))
        for part in _PARTS
    ]
    return [(title, lines) for title, lines in said if lines]


def _differences(part: PartDiff[Any]) -> Iterator[str]:
    for word, entries in (("added", part.added), ("removed", part.removed)):
        for entry in entries:
            yield f"{word} '{entry.name}': {entry_line(entry)}"
    for change in part.changed:
        yield f"changed '{change.name}': {_change(change)}"
    for text in part.reworded:
        yield f'reworded \'{text.name}\': "{text.old}" → "{text.new}"'


def entry_line(entry: Formal | FormalAttribute | Constraint) -> str:
    """What a formal part is, in a few words."""
    if isinstance(entry, Constraint):
        return f"{len(entry.types)} types: {', '.join(entry.types)}"
    if isinstance(entry, FormalAttribute):
        if entry.required:
            return f"{entry.type}, required"
        default = "" if entry.default is None else f", default {entry.default!r}"
        return f"{entry.type}, optional{default}"
    return entry.type_str if entry.option == "single" else f"{entry.type_str}, {entry.option}"


def _change(change: Change) -> str:
    if change.field != "types":
        return f"{change.field} {change.old!r} → {change.new!r}"
    moves = {
        "types added": [t for t in change.new if t not in change.old],
        "types removed": [t for t in change.old if t not in change.new],
    }
    return "; ".join(f"{word}: {', '.join(types)}" for word, types in moves.items() if types)
