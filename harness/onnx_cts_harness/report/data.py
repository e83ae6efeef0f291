"""A report as JSON: what tables and charts are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from onnx_cts_harness.causes import Group, failures_by_cause, refusals_by_cause
from onnx_cts_harness.lines import finding
from onnx_cts_harness.profiles import Standing, known_standings
from onnx_cts_harness.report.counting import by_version, readings, tally
from onnx_cts_harness.report.gathered import Gathered, Ran

#: The version of the format.
FORMAT_VERSION = 1


def report_data(gathered: Gathered) -> dict[str, Any]:
    """The counts, the failures and refusals by cause, and the readings taken, as JSON has them."""
    return {
        "format": FORMAT_VERSION,
        "suite": dict(gathered.suite),
        "levels": level_data(known_standings(gathered)),
        "backends": [_backend(ran) for ran in gathered.backends],
    }


def level_data(standings: Iterable[Standing]) -> list[dict[str, Any]]:
    """Standings as JSON has them."""
    return [_level(standing) for standing in standings]


def _level(standing: Standing) -> dict[str, Any]:
    known: dict[str, Any] = {"unknown": standing.unknown}
    if not standing.unknown:
        known = {
            "reached": standing.is_reached,
            "cases": standing.cases,
            "short": [
                {"case": r.case, "verdict": str(r.verdict), "said": finding(r)}
                for r in standing.short
            ],
        }
    return {"profile": standing.profile.name, "backend": standing.backend} | known


def _backend(ran: Ran) -> dict[str, Any]:
    return {
        **ran.backend,
        "environment": ran.environment,
        "selection": ran.selection,
        "complete": not ran.lacks,
        "lacks": list(ran.lacks),
        "cases": len(ran.results),
        "verdicts": tally(ran.results).named,
        "operators": [
            {"operator": operator, "version": version, "verdicts": counts.named}
            for (operator, version), counts in by_version(ran.results).items()
        ],
        "failures": [_group(group) for group in failures_by_cause(ran.results)],
        "refusals": [_group(group) for group in refusals_by_cause(ran.results)],
        "readings": readings(ran.results),
    }


def _group(group: Group) -> dict[str, Any]:
    return {
        "operator": group.operator,
        "verdict": str(group.verdict),
        "cause": group.cause,
        **({"explanation": group.explanation} if group.explanation else {}),
        "cases": [{"case": r.case, "said": finding(r)} for r in group.results],
    }
