"""Show a comparison: as text, as Markdown, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onnx_cts_harness.comparison import CHANGES, Changed, Comparison
from onnx_cts_harness.lines import finding
from onnx_cts_harness.markup import escaped
from onnx_cts_harness.report.counting import cases, tally
from onnx_cts_harness.report.tables import fitted
from onnx_cts_harness.verify import Result

#: The version of the format of the JSON.
FORMAT_VERSION = 1
#: Kinds of change of which there may be thousands, with nothing to see in most.
COUNTED = frozenset({"new", "gone"})


def comparison_text(comparison: Comparison) -> str:
    """One line for each case that changed, and a total; of those new or gone mostly the number."""
    lines = [f"base  {comparison.base}", f"head  {comparison.head}"]
    lines += [f"note  {note}" for note in comparison.notes]
    for change in CHANGES:
        found = comparison.of(change)
        if change in COUNTED and found:
            lines.append(f"{change}  {_counted(found)}")
        lines += [f"{change}  {changed.case}  {_step(changed)}" for changed in _listed(found)]
    return "\n".join([*lines, total(comparison)]) + "\n"


def total(comparison: Comparison) -> str:
    """The counts in one line."""
    counts = ", ".join(f"{len(comparison.of(change))} {change}" for change in CHANGES)
    return f"{cases(comparison.shared)} in both: {counts}"


def comparison_markdown(comparison: Comparison) -> str:
    """The changes for the summary of a CI job, as many as GitHub takes for one step."""
    return fitted(_pieces(comparison))


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """The changes as JSON has them."""
    return {
        "format": FORMAT_VERSION,
        "base": comparison.base,
        "head": comparison.head,
        "notes": list(comparison.notes),
        "shared": comparison.shared,
        "worse": comparison.is_worse,
        "counts": {change: len(comparison.of(change)) for change in CHANGES},
        "changes": [
            {
                "change": changed.change,
                "case": changed.case,
                "base": changed.base and _result(changed.base),
                "head": changed.head and _result(changed.head),
            }
            for changed in comparison.changes
        ],
    }


def _pieces(comparison: Comparison) -> Iterator[str]:
    yield "# Conformance, compared\n\n"
    yield f"From {escaped(comparison.base)} to {escaped(comparison.head)}. {total(comparison)}.\n"
    yield from (f"\nNote: {escaped(note)}.\n" for note in comparison.notes)
    for change, meaning in CHANGES.items():
        found = comparison.of(change)
        if found:
            yield f"\n## {meaning.capitalize()}\n\n"
        if found and change in COUNTED:
            yield f"{escaped(_counted(found))}.\n\n"
        for changed in _listed(found):
            yield f"- {escaped(changed.case)}: {escaped(_step(changed))}\n"


def _listed(found: tuple[Changed, ...]) -> Iterator[Changed]:
    """Those that get a line: of cases that are new or gone, only the new ones that fail."""
    for changed in found:
        fails = changed.head is not None and changed.shown.verdict.is_failure
        if changed.change not in COUNTED or fails:
            yield changed


def _step(changed: Changed) -> str:
    verdicts = [_verdict(r) for r in (changed.base, changed.head) if r is not None]
    said = finding(changed.shown)
    step = " -> ".join(dict.fromkeys(verdicts))
    return f"{step}  {said}" if said else step


def _verdict(result: Result) -> str:
    reading = f" ({result.reading})" if result.reading else ""
    return f"{result.verdict}{reading}"


def _counted(found: tuple[Changed, ...]) -> str:
    counts = tally(changed.shown for changed in found).named
    each = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return f"{cases(len(found))}: {each}"


def _result(result: Result) -> dict[str, Any]:
    said = finding(result)
    return {
        "verdict": str(result.verdict),
        **({"reading": result.reading} if result.reading else {}),
        **({"said": said} if said else {}),
    }
