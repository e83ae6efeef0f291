"""A comparison in lines for people, and as one document for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from onnx_cts_generator.upstream.finding import Comparison, FileDifference, Finding
from onnx_cts_harness import layout
from onnx_cts_harness.text import clean

_LONG = 1000


def lines(comparison: Comparison) -> Iterator[str]:
    """One line a case added or removed, and one for each respect in which a file differs."""
    for name in comparison.removed:
        yield f"removed: {clean(name)}"
    for name in comparison.added:
        yield f"added: {clean(name)}"
    for difference in comparison.differing:
        for finding in difference.found:
            at = f" {finding.at}" if finding.at else ""
            text = f"{difference.case}: {difference.file}{at}: {finding.what}: {finding.says}"
            yield clean(text, _LONG)


def total(comparison: Comparison) -> str:
    """The whole in one line."""
    counts = totals(comparison)
    shared = f"{counts['equal']} cases equal, {counts['differing']} differ"
    parts = [f"{shared}, {counts['added']} added, {counts['removed']} removed"]
    if counts["models"]:
        parts.append(f"{counts['models']} models differ ({counts['stamps']} in stamps alone)")
    if counts["values"]:
        worst = []
        if counts["max_ulp"] is not None:
            worst.append(f"at most {counts['max_ulp']} ULP")
        if counts["max_relative"] is not None:
            worst.append(f"{counts['max_relative']:.3g} relative")
        parts.append(f"{counts['values']} value files differ" + _bracketed(worst))
    if counts["troubles"]:
        parts.append(f"{counts['troubles']} could not be compared")
    return "; ".join(parts)


def _bracketed(parts: list[str]) -> str:
    return f" ({', '.join(parts)})" if parts else ""


def totals(comparison: Comparison) -> dict[str, Any]:
    """The counts of a comparison, and the worst measures of any tensor."""
    models = [d for d in comparison.differing if d.file == layout.MODEL]
    values = [d for d in comparison.differing if d.file.endswith(".pb")]
    measures = [f.measure for d in values for f in d.found if f.measure]
    return {
        "equal": comparison.equal,
        "differing": len({d.case for d in comparison.differing}),
        "added": len(comparison.added),
        "removed": len(comparison.removed),
        "models": len(models),
        "stamps": sum(_whats(d) == {"stamps"} for d in models),
        "values": len(values),
        "respects": dict(sorted(Counter(w for d in values for w in _whats(d)).items())),
        "max_ulp": max((m.ulp for m in measures if m.ulp is not None), default=None),
        "max_relative": max((m.relative for m in measures if m.relative is not None), default=None),
        "troubles": len(comparison.troubles),
    }


def _whats(difference: FileDifference) -> set[str]:
    return {finding.what for finding in difference.found}


def document(comparison: Comparison, first: Path, second: Path) -> dict[str, Any]:
    """All of it, as data for JSON."""
    return {
        "first": str(first),
        "second": str(second),
        "same": comparison.same,
        "total": totals(comparison),
        "added": list(comparison.added),
        "removed": list(comparison.removed),
        "differing": [
            {"case": d.case, "file": d.file, "found": [_entry(f) for f in d.found]}
            for d in comparison.differing
        ],
        "troubles": comparison.troubles,
    }


def _entry(finding: Finding) -> dict[str, Any]:
    return {name: value for name, value in asdict(finding).items() if value not in ("", None)}
