"""Bring the records of several backends together, and the shards of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.record import Record, label_of, read_as_far, title_of
from onnx_cts_harness.record_line import result_of
from onnx_cts_harness.shard import WHOLE, Shard, parse_shard
from onnx_cts_harness.text import cleaned
from onnx_cts_harness.verify import Result


@dataclass(frozen=True)
class Ran:
    """What was run on one backend.

    Every text is one printable line.

    Attributes:
        backend: Name, variant (or None) and version, as the record's header has them.
        environment: Where it ran: of several shards, where the first did.
        selection: What the run was of, if not of the whole suite, but for its shard.
        results: By domain, operator, version and case.
        lacks: One line for each way in which the records are not whole.
    """

    backend: Mapping[str, Any]
    environment: Mapping[str, Any]
    selection: Mapping[str, Any]
    results: tuple[Result, ...]
    lacks: tuple[str, ...]

    @property
    def label(self) -> str:
        """Name and variant."""
        return label_of(self.backend)

    @property
    def title(self) -> str:
        """Name, variant and version."""
        return title_of(self.backend)

    @property
    def chosen(self) -> str:
        """What the run was of, in words; "" for the whole suite."""
        parts = (f"{key} {', '.join(map(str, values))}" for key, values in self.selection.items())
        return "; ".join(parts)


@dataclass(frozen=True)
class Gathered:
    """Records of one suite.

    Attributes:
        suite: Hash, number of cases and levels, as each header has them.
        backends: Each once, by title.
    """

    suite: Mapping[str, Any]
    backends: tuple[Ran, ...]

    def only(self, operators: Sequence[str]) -> Gathered:
        """What concerns these operators; () is all.

        Raises:
            RecordError: There is no case of one of them.
        """
        if not operators:
            return self
        found = {result.operator for ran in self.backends for result in ran.results}
        for operator in operators:
            if operator not in found:
                known = ", ".join(sorted(found)) or "none"
                raise RecordError(
                    f"the records have no case of operator {operator}; they have {known}"
                )
        return Gathered(self.suite, tuple(_only(ran, operators) for ran in self.backends))


@dataclass(frozen=True)
class _Part:
    """One record, with the file that it is in."""

    file: Path
    record: Record
    complete: bool
    shard: Shard
    selection: Mapping[str, Any]


def gather(files: Sequence[Path]) -> Gathered:
    """Read records and bring them together.

    A record that was cut off, and a run that lacks a shard, are marked by ``lacks``.

    Args:
        files: Records of one suite. Records of one backend are the shards of one run.

    Raises:
        RecordError: A file is no record, is of another suite than the first, or is of a backend
            and shard that another is of.
    """
    parts = [_part(file) for file in files]
    first = parts[0]
    for part in parts:
        if (ours := _hash(part)) != (theirs := _hash(first)):
            raise RecordError(
                f"{part.file}: it is of the suite {ours[:12]}, and {first.file} of {theirs[:12]}; "
                "report on each suite by itself"
            )
    backends: dict[str, list[_Part]] = {}
    for part in parts:
        backends.setdefault(title_of(part.record.header["backend"]), []).append(part)
    ran = tuple(_ran(title, backends[title]) for title in sorted(backends))
    return Gathered(cleaned(first.record.header["suite"]), ran)


def _part(file: Path) -> _Part:
    record, complete = read_as_far(file)
    selection = dict(record.header.get("selection", {}))
    text = selection.pop("shard", None)
    try:
        shard = WHOLE if text is None else parse_shard(text)
    except ValueError as error:
        raise RecordError(f"{file}: line 1: at $.selection.shard: {error}") from None
    return _Part(file, record, complete, shard, selection)


def _hash(part: _Part) -> str:
    digest: str = part.record.header["suite"]["hash"]
    return digest


def _ran(title: str, parts: Sequence[_Part]) -> Ran:
    first = parts[0]
    seen: dict[Shard, _Part] = {}
    cases: dict[str, _Part] = {}
    for part in parts:
        if (other := seen.setdefault(part.shard, part)) is not part:
            raise RecordError(
                f"{part.file}: {title} is in {other.file} already; name one record of each "
                "backend, or the shards of one run"
            )
        if (part.shard.count, part.selection) != (first.shard.count, first.selection):
            raise RecordError(
                f"{part.file}: it is of {title} as {first.file} is, but not a shard of the same "
                "run; name one record of each backend, or the shards of one run"
            )
        for line in part.record.cases:
            if (other := cases.setdefault(line["case"], part)) is not part:
                raise RecordError(
                    f"{part.file}: the case {cleaned(line['case'])} is in {other.file} already; "
                    "run the shards again"
                )
    lines = (line for part in parts for line in part.record.cases)
    results = sorted((result_of(cleaned(line)) for line in lines), key=_order)
    header = min(parts, key=lambda part: part.shard.number).record.header
    return Ran(
        cleaned(header["backend"]),
        cleaned(header["environment"]),
        cleaned(first.selection),
        tuple(results),
        _lacks(seen),
    )


def _lacks(parts: Mapping[Shard, _Part]) -> tuple[str, ...]:
    count = next(iter(parts)).count
    of_shard = {shard.number: part for shard, part in parts.items()}
    lacks = []
    for number in range(1, count + 1):
        name = f"shard {number}/{count}" if count > 1 else "the record"
        part = of_shard.get(number)
        if part is None:
            lacks.append(f"{name} is missing")
        elif not part.complete:
            lacks.append(f"{name} is cut off after {len(part.record.cases)} cases")
    return tuple(lacks)


def _only(ran: Ran, operators: Sequence[str]) -> Ran:
    results = tuple(result for result in ran.results if result.operator in operators)
    return Ran(ran.backend, ran.environment, ran.selection, results, ran.lacks)


def _order(result: Result) -> tuple[str, str, int, str]:
    return result.domain, result.operator, result.version, result.case
