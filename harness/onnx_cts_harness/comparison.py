"""Compare two runs: what got better, what got worse, what is new and what is gone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from onnx_cts_harness.lines import finding
from onnx_cts_harness.record import Record, read_record, title_of
from onnx_cts_harness.record_line import result_of
from onnx_cts_harness.report.counting import cases
from onnx_cts_harness.text import cleaned
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result

Change = Literal["worse", "better", "other", "unjudged", "new", "gone"]

#: The kinds of change, in the order in which they are shown, with what each means.
CHANGES: Mapping[Change, str] = {
    "worse": "worse",
    "better": "better",
    "other": "changed, neither better nor worse",
    "unjudged": "not comparable, since one of the runs could not judge them",
    "new": "new",
    "gone": "gone",
}


@dataclass(frozen=True)
class Changed:
    """One case that is not as it was.

    Attributes:
        change: How it differs.
        base: What it showed; None for a new case.
        head: What it shows; None for one that is gone.
    """

    change: Change
    base: Result | None
    head: Result | None

    @property
    def case(self) -> str:
        """The case's id."""
        return self.shown.case

    @property
    def shown(self) -> Result:
        """What it shows, or showed last."""
        result = self.head or self.base
        assert result is not None  # noqa: S101 - for the type checker
        return result


@dataclass(frozen=True)
class Comparison:
    """Two runs beside each other. Every text is one printable line.

    Attributes:
        base: Backend, variant and version of the first record.
        head: Those of the second.
        notes: What there is to know before the changes are read, one line each.
        shared: Number of cases that are in both.
        changes: What is not as it was, by change and case.
    """

    base: str
    head: str
    notes: tuple[str, ...]
    shared: int
    changes: tuple[Changed, ...]

    def of(self, change: Change) -> tuple[Changed, ...]:
        """The cases of one kind of change."""
        return tuple(changed for changed in self.changes if changed.change == change)

    @property
    def is_worse(self) -> bool:
        """Whether conformance got worse in a case that both runs had."""
        return bool(self.of("worse"))

    @property
    def has_errors(self) -> bool:
        """Whether the second run had cases that it could not judge."""
        heads = (changed.head for changed in self.changes)
        return any(head is not None and head.verdict.is_error for head in heads)


def compare(base: Path, head: Path) -> Comparison:
    """Compare two complete records, of whatever suites and backends.

    Raises:
        RecordError: One of them is no record, or is incomplete.
    """
    before, after = read_record(base), read_record(head)
    old, new = _results(before), _results(after)
    changes = (_changed(old.get(case), new.get(case)) for case in sorted(old.keys() | new.keys()))
    order = list(CHANGES)
    return Comparison(
        title_of(before.header["backend"]),
        title_of(after.header["backend"]),
        tuple(_notes(before.header, after.header, len(old.keys() & new.keys()))),
        len(old.keys() & new.keys()),
        tuple(sorted(filter(None, changes), key=lambda changed: order.index(changed.change))),
    )


def _results(record: Record) -> dict[str, Result]:
    results = (result_of(cleaned(line)) for line in record.cases)
    return {result.case: result for result in results}


def _changed(base: Result | None, head: Result | None) -> Changed | None:
    if base is None:
        return Changed("new", base, head)
    if head is None:
        return Changed("gone", base, head)
    if base.verdict.is_error or head.verdict.is_error:
        return Changed("unjudged", base, head)
    before, after = _standing(base.verdict), _standing(head.verdict)
    if before != after:
        return Changed("better" if after > before else "worse", base, head)
    if _said(base) != _said(head):
        return Changed("other", base, head)
    return None


def _standing(verdict: Verdict) -> int:
    """A wrong answer is worse than none, and no answer worse than one that is not wrong."""
    if verdict.is_failure:
        return 0
    return 1 if verdict.is_unsupported else 2


def _said(result: Result) -> tuple[object, ...]:
    """What tells two results of one standing apart: a new wording of a refusal is no change."""
    if not result.verdict.is_failure:
        return result.verdict, result.reading
    return result.verdict, result.reading, result.diagnosis, finding(result)


def _notes(before: Mapping[str, Any], after: Mapping[str, Any], shared: int) -> list[str]:
    notes = []
    old, new = before["suite"]["hash"], after["suite"]["hash"]
    if old != new:
        notes.append(
            f"the suites differ ({old[:12]} and {new[:12]}): compared is what both have, "
            f"{cases(shared)}, and a case may itself have changed"
        )
    if before.get("selection") != after.get("selection"):
        notes.append("the runs are not of the same selection of cases")
    names = [(h["backend"]["name"], h["backend"]["variant"]) for h in (before, after)]
    if names[0] != names[1]:
        notes.append("the runs are of different backends")
    opsets = [h["backend"].get("conversion", {}).get("opset") for h in (before, after)]
    if opsets[0] != opsets[1]:
        notes.append("the models were not converted to the same opset")
    return notes
