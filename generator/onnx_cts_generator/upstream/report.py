"""A comparison in lines for people, and as one document for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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
        parts.append(f"{counts['values']} value files differ{_worst(counts)}")
    if counts["troubles"]:
        parts.append(f"{counts['troubles']} could not be compared")
    return "; ".join(parts)


def _worst(counts: dict[str, Any]) -> str:
    if counts["max_ulp"] is None:
        return ""
    said = [f"at most {counts['max_ulp']} ULP"]
    if counts["max_relative"] is not None:
        said += [f"{counts[f'max_{what}']:.3g} {what}" for what in ("relative", "absolute")]
    return f" ({', '.join(said)})"


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
        "max_ulp": _most(m.ulp for m in measures),
        "max_relative": _most(m.relative for m in measures),
        "max_absolute": _most(m.absolute for m in measures),
        "troubles": len(comparison.troubles),
    }


def _most(numbers: Iterable[float | None]) -> float | None:
    return max((number for number in numbers if number is not None), default=None)


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
