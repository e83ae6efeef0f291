"""A report as JSON: what tables and charts are made of."""

from __future__ import annotations

from typing import Any

from onnx_cts_harness.causes import Group, failures_by_cause, refusals_by_cause
from onnx_cts_harness.lines import finding
from onnx_cts_harness.report.counting import by_version, readings, tally
from onnx_cts_harness.report.gathered import Gathered, Ran

#: The version of the format.
FORMAT_VERSION = 1


def report_data(gathered: Gathered) -> dict[str, Any]:
    """The counts, the failures and refusals by cause, and the readings taken, as JSON has them."""
    return {
        "format": FORMAT_VERSION,
        "suite": dict(gathered.suite),
        "backends": [_backend(ran) for ran in gathered.backends],
    }


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
