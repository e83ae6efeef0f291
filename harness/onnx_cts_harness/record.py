"""The run record: JSON Lines that say what was run on what, and what each case showed."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Self

from onnx_cts_harness.compare import Number
from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.run import Run
from onnx_cts_harness.schema import fault
from onnx_cts_harness.text import clean
from onnx_cts_harness.verify import Result

FORMAT_VERSION = 1


class RecordWriter:
    """Writes the record of a run; a context manager.

    The lines go to ``<file>.part``, which takes the place of the file when the run ends well. A
    run that ends early leaves the part, without the closing line.
    """

    def __init__(self, file: Path, run: Run) -> None:
        """Start the record.

        Args:
            file: Where the record is to be; its folder is made if need be.
            run: The run that the record is of.

        Raises:
            RecordError: The file cannot be written.
        """
        self._file = file
        self._part = file.with_name(f"{file.name}.part")
        self._verdicts: Counter[str] = Counter()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            # Line by line, so that a killed run leaves what it knew.
            self._stream = self._part.open("w", 1, encoding="utf-8", newline="\n")
        except OSError as error:
            raise RecordError(f"{self._part}: cannot be written: {error.strerror}") from None
        self._write(_header(run))

    def add(self, result: Result) -> None:
        """Write the line of one case."""
        self._verdicts[result.verdict] += 1
        self._write(case_line(result))

    def __enter__(self) -> Self:
        """The writer itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the record: complete if no exception ends the run."""
        if kind is None:
            count = self._verdicts.total()
            self._write({"kind": "end", "cases": count, "verdicts": dict(self._verdicts)})
        self._stream.close()
        if kind is None:
            os.replace(self._part, self._file)  # noqa: PTH105 - atomic on every system

    def _write(self, line: Mapping[str, Any]) -> None:
        self._stream.write(json.dumps(line, allow_nan=False, ensure_ascii=False) + "\n")


@dataclass(frozen=True)
class Record:
    """A complete record, each line as the schema ``record`` has it.

    Attributes:
        header: What was run on what.
        cases: One for each case, in the order of the run.
        verdicts: Number of cases by verdict.
    """

    header: Mapping[str, Any]
    cases: tuple[Mapping[str, Any], ...]
    verdicts: Mapping[str, int]


def read_record(file: Path) -> Record:
    """Read a record.

    Raises:
        RecordError: The file is no record, or the record is incomplete.
    """
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{file}: cannot be read: {error}") from None
    # What follows the last line's end is empty, or a line that was cut short.
    *rows, rest = text.split("\n")
    lines = [_parse(file, number, row) for number, row in enumerate(rows, 1)]
    if lines and lines[0]["kind"] != "header":
        raise RecordError(f"{file}: no run record: the first line is not a header")
    end = lines[-1] if lines else {}
    if rest or end.get("kind") != "end" or end["cases"] != len(lines) - 2:
        raise RecordError(
            f"{file}: incomplete: the run ended before its closing line; run it again"
        )
    return Record(lines[0], tuple(lines[1:-1]), end["verdicts"])


def case_line(result: Result) -> dict[str, Any]:
    """The line of one case, without what the result leaves empty."""
    worst = result.difference
    optional = {
        "domain": result.domain,
        "dtypes": dict(result.dtypes),
        "rule": result.rule,
        "stage": result.stage,
        "reading": result.reading,
        "output": result.output,
        "presents": result.presents,
        "answer": result.answer,
        "judged_by": result.judged_by,
        "disagreement": clean(result.disagreement),
        "message": clean(result.message),
        "stderr": list(result.stderr),
    }
    line: dict[str, Any] = {
        "kind": "case",
        "case": result.case,
        "operator": result.operator,
        "version": result.version,
        "expectation": result.expectation,
        "verdict": str(result.verdict),
        **{key: value for key, value in optional.items() if value},
    }
    if result.diagnosis is not None:
        line["diagnosis"] = list(result.diagnosis)
    if worst is not None:
        line |= {
            "element": list(worst.index),
            "expected": _number(worst.expected),
            "got": _number(worst.got),
            "wrong": worst.wrong,
            "elements": worst.elements,
        }
        if worst.permitted:
            line["permitted"] = [_number(value) for value in worst.permitted]
        if worst.ulp is not None:
            line["ulp"] = worst.ulp
    return line


def _parse(file: Path, number: int, row: str) -> dict[str, Any]:
    try:
        line = json.loads(row)
    except ValueError as error:
        raise RecordError(f"{file}: line {number}: not valid JSON: {error}") from None
    wrong = fault("record", line)
    if wrong is not None:
        raise RecordError(f"{file}: line {number}: {wrong}")
    parsed: dict[str, Any] = line
    return parsed


def _header(run: Run) -> dict[str, Any]:
    suite, backend = run.suite, run.backend
    identity = backend.identity
    return {
        "kind": "header",
        "format": FORMAT_VERSION,
        "suite": {"hash": suite.hash, "cases": len(suite.entries), "levels": list(suite.levels)},
        "backend": {
            "name": backend.spec.name,
            "variant": backend.spec.variant,
            "version": clean(identity.version),
        },
        "environment": {
            "python": identity.python,
            "platform": identity.platform,
            "machine": identity.machine,
            "packages": dict(identity.packages),
        },
        "harness": {"version": _harness_version()},
    }


def _harness_version() -> str:
    try:
        return metadata.version("onnx-cts")
    except metadata.PackageNotFoundError:
        return "unknown"


def _number(value: Number) -> Number | str:
    # Strict JSON has no NaN and no infinities.
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
