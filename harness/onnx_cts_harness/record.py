"""Read a run record: JSON Lines that say what was run on what, and what each case showed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.schema import fault
from onnx_cts_harness.text import clean

#: The version of the record's format.
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Form:
    """What the lines of a record are.

    Attributes:
        schema: The schema of each line.
        item: The kind of the lines between the ends; each says under this key what it is of.
        name: What people call such a record.
    """

    schema: str
    item: str
    name: str


RUN = Form("record", "case", "run record")
SWEEP = Form("sweep", "block", "record of a sweep")


@dataclass(frozen=True)
class Record:
    """A record, each line as the schema ``record`` has it.

    Attributes:
        header: What was run on what.
        cases: One for each case, in the order of the run.
        verdicts: Number of cases by verdict; empty if the record is incomplete.
    """

    header: Mapping[str, Any]
    cases: tuple[Mapping[str, Any], ...]
    verdicts: Mapping[str, int]


@dataclass(frozen=True)
class Begun:
    """A record that a run began.

    Attributes:
        record: What there is of it.
        size: Bytes of the file up to the end of the last case.
    """

    record: Record
    size: int


def part_of(file: Path) -> Path:
    """Where a record is until its run has ended well."""
    return file.with_name(f"{file.name}.part")


def label_of(backend: Mapping[str, Any]) -> str:
    """The backend of a record's header with its variant, as one printable line.

    What gets converted models is another backend than what gets them as they are.
    """
    converted = backend.get("conversion")
    after = f", models converted to opset {converted['opset']}" if converted else ""
    return clean(f"{_named(backend)}{after}")


def title_of(backend: Mapping[str, Any]) -> str:
    """The same with its version, and that of the converter."""
    converted = backend.get("conversion")
    after = (
        f", models converted to opset {converted['opset']} by {converted['by']} "
        f"{converted['version']}"
        if converted
        else ""
    )
    return clean(f"{_named(backend)} {backend['version']}{after}")


def _named(backend: Mapping[str, Any]) -> str:
    variant = f":{backend['variant']}" if backend["variant"] else ""
    return f"{backend['name']}{variant}"


def read_record(file: Path) -> Record:
    """Read a complete record.

    Raises:
        RecordError: The file is no record, or the record is incomplete.
    """
    record, complete = read_as_far(file)
    if not complete:
        raise RecordError(
            f"{file}: incomplete: the run ended before its closing line; run it again, or go on "
            "with it by --resume"
        )
    return record


def read_as_far(file: Path) -> tuple[Record, bool]:
    """Read a record, or as much as a run that ended early left of it.

    Args:
        file: The record; where there is none but a part of it, that is read.

    Returns:
        The record, and whether it is complete.

    Raises:
        RecordError: The file is no record, not even its header is whole, or lines are missing
            before its closing line.
    """
    part = part_of(file)
    if not file.exists() and part.exists():
        file = part
    lines, _, rest = _lines(file, RUN)
    if not lines:
        raise RecordError(f"{file}: incomplete: there is no whole line in it; run it again")
    end = lines[-1] if lines[-1]["kind"] == "end" else None
    cases = tuple(lines[1:-1] if end else lines[1:])
    if end is None:
        return Record(lines[0], cases, {}), False
    if rest:
        raise RecordError(f"{file}: no run record: there is something after its closing line")
    if end["cases"] != len(cases) or end["verdicts"] != Counter(c["verdict"] for c in cases):
        raise RecordError(
            f"{file}: incomplete: its {len(cases)} cases are not the {end['cases']} that its "
            "closing line counts; run it again"
        )
    return Record(lines[0], cases, end["verdicts"]), True


def read_begun(file: Path, form: Form = RUN) -> Begun:
    """Read a record that may be incomplete, but for a last line that was cut short.

    Raises:
        RecordError: The file is no record, or not even its header is whole.
    """
    lines, rows, _ = _lines(file, form)
    if not lines:
        raise RecordError(f"{file}: there is nothing in it to resume; run it again")
    if lines[-1]["kind"] == "end":
        lines, rows = lines[:-1], rows[:-1]
    size = sum(len(row) + 1 for row in rows)
    return Begun(Record(lines[0], tuple(lines[1:]), {}), size)


def _lines(file: Path, form: Form) -> tuple[list[dict[str, Any]], list[bytes], bytes]:
    """The whole lines of a record, their bytes, and the line after them that was cut short."""
    try:
        *rows, rest = file.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"{file}: cannot be read: {error.strerror}") from None
    lines = [_parse(file, number, row, form) for number, row in enumerate(rows, 1)]
    _check_kinds(file, lines, form)
    _check_once(file, lines, form)
    return lines, rows, rest


def _check_kinds(file: Path, lines: list[dict[str, Any]], form: Form) -> None:
    kinds = [line["kind"] for line in lines]
    if kinds and kinds[0] != "header":
        raise RecordError(f"{file}: no {form.name}: the first line is not a header")
    middle = kinds[1:-1] if kinds[-1:] == ["end"] else kinds[1:]
    if any(kind != form.item for kind in middle):
        raise RecordError(f"{file}: no {form.name}: a line between its ends is not a {form.item}")


def _check_once(file: Path, lines: list[dict[str, Any]], form: Form) -> None:
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if line["kind"] == form.item and seen.setdefault(line[form.item], number) != number:
            raise RecordError(
                f"{file}: line {number}: the {form.item} {clean(line[form.item])} is in line "
                f"{seen[line[form.item]]} already; run it again"
            )


def _parse(file: Path, number: int, row: bytes, form: Form) -> dict[str, Any]:
    try:
        line = json.loads(row.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{file}: line {number}: not valid JSON: {clean(str(error))}") from None
    _check_format(file, line)
    wrong = fault(form.schema, line)
    if wrong is not None:
        raise RecordError(f"{file}: line {number}: {wrong}")
    parsed: dict[str, Any] = line
    return parsed


def _check_format(file: Path, line: object) -> None:
    if isinstance(line, dict) and line.get("kind") == "header":
        found = line.get("format")
        if isinstance(found, int) and found != FORMAT_VERSION:
            raise RecordError(
                f"{file}: it is a record of format {found}, and this onnx-cts reads format "
                f"{FORMAT_VERSION}; use the onnx-cts that wrote it, or run it again"
            )


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON; the record's schema has it as a string")
