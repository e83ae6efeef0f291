"""Write run records by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HASH = "a" * 64
HOSTILE = (
    "</testcase><script>alert('x')</script> | `a` ]]> \u0000\ud800\u202e \n# [x](y) " + "z" * 9000
)

Verdicts = Mapping[str, str | dict[str, Any]]


def header(name: str = "runtime", version: str = "1.0", **changes: Any) -> dict[str, Any]:
    """The header of a record of a suite of 6 cases."""
    return {
        "kind": "header",
        "format": 1,
        "suite": {"hash": HASH, "cases": 6, "levels": ["core"]},
        "backend": {"name": name, "variant": None, "version": version},
        "environment": {"python": "3.11", "platform": "linux", "machine": "x86", "packages": {}},
        "harness": {"version": "0.1.0"},
    } | changes


def case(name: str, said: str | dict[str, Any]) -> dict[str, Any]:
    """The line of a case: of ``Op/v10/test_a`` the operator is Op and the version 10."""
    operator, version, folder = name.split("/", 2)
    more = {"verdict": said} if isinstance(said, str) else said
    return {
        "kind": "case",
        "case": name,
        "operator": operator,
        "version": int(version[1:]),
        "expectation": {"reject": "reject", "open": "open"}.get(folder.split("_")[0], "value"),
    } | more


def lines(cases: Verdicts, head: dict[str, Any]) -> list[str]:
    """The lines of a complete record."""
    rows = [case(name, said) for name, said in cases.items()]
    counts = Counter(row["verdict"] for row in rows)
    end = {"kind": "end", "cases": len(rows), "verdicts": counts}
    return [json.dumps(line) + "\n" for line in [head, *rows, end]]


def record(file: Path, cases: Verdicts, head: dict[str, Any] | None = None) -> Path:
    """Write a complete record."""
    file.write_text("".join(lines(cases, head or header())), "utf-8")
    return file


def wrong(**changes: Any) -> dict[str, Any]:
    """What the line of a wrong value says."""
    return {
        "verdict": "wrong_value",
        "output": "y",
        "element": [0],
        "expected": 1.5,
        "got": 2.5,
        "wrong": 1,
        "elements": 4,
        "ulp": 7,
    } | changes
