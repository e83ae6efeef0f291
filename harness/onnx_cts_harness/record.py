"""Read a run record: JSON Lines that say what was run on what, and what each case showed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.schema import fault


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


def read_record(file: Path) -> Record:
    """Read a complete record.

    Raises:
        RecordError: The file is no record, or the record is incomplete.
    """
    incomplete = RecordError(
        f"{file}: incomplete: the run ended before its closing line; run it again, or go on with "
        "it by --resume"
    )
    if not file.exists() and part_of(file).exists():
        raise incomplete
    rows, rest = _rows(file)
    lines = [_parse(file, number, row) for number, row in enumerate(rows, 1)]
    _check_header(file, lines)
    end = lines[-1] if lines else {}
    if rest or end.get("kind") != "end" or end["cases"] != len(lines) - 2:
        raise incomplete
    return Record(lines[0], tuple(lines[1:-1]), end["verdicts"])


def read_begun(file: Path) -> Begun:
    """Read a record that may be incomplete, but for a last line that was cut short.

    Raises:
        RecordError: The file is no record, or not even its header is whole.
    """
    rows, _ = _rows(file)
    lines = [_parse(file, number, row) for number, row in enumerate(rows, 1)]
    _check_header(file, lines)
    if not lines:
        raise RecordError(f"{file}: there is nothing in it to resume; run it again")
    if lines[-1]["kind"] == "end":
        lines, rows = lines[:-1], rows[:-1]
    size = sum(len(row) + 1 for row in rows)
    return Begun(Record(lines[0], tuple(lines[1:]), {}), size)


def _rows(file: Path) -> tuple[list[bytes], bytes]:
    """The whole lines of a file, and what follows them: nothing, or a line that was cut short."""
    try:
        *rows, rest = file.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"{file}: cannot be read: {error.strerror}") from None
    return rows, rest


def _check_header(file: Path, lines: list[dict[str, Any]]) -> None:
    kinds = [line["kind"] for line in lines]
    if kinds and kinds[0] != "header":
        raise RecordError(f"{file}: no run record: the first line is not a header")
    middle = kinds[1:-1] if kinds[-1:] == ["end"] else kinds[1:]
    if any(kind != "case" for kind in middle):
        raise RecordError(f"{file}: no run record: a line between its ends is not a case")


def _parse(file: Path, number: int, row: bytes) -> dict[str, Any]:
    try:
        line = json.loads(row)
    except ValueError as error:
        raise RecordError(f"{file}: line {number}: not valid JSON: {error}") from None
    wrong = fault("record", line)
    if wrong is not None:
        raise RecordError(f"{file}: line {number}: {wrong}")
    parsed: dict[str, Any] = line
    return parsed
