"""Badges of shields.io: an endpoint for each backend and operator, or backend and profile.

The format is that of https://shields.io/badges/endpoint-badge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.profiles import Standing, known_standings
from onnx_cts_harness.report.counting import Tally, by_operator
from onnx_cts_harness.report.gathered import Gathered, Ran
from onnx_cts_harness.report.jsontext import json_text

#: What may be in the name of a file on every system; anything else becomes a hyphen.
UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def badges(gathered: Gathered) -> dict[str, str]:
    """The files of the badges, with what is in each.

    They are ``<backend>/<Operator>.json`` and ``<backend>/<profile>.json``.

    Raises:
        RecordError: Two badges have the same file.
    """
    files: dict[str, str] = {}
    standings = known_standings(gathered)
    for ran in gathered.backends:
        for name, badge in chain(_of(ran), _of_profiles(ran, standings)):
            if name in files:
                raise RecordError(
                    f"two badges have the file {name}: the records are of one backend in two "
                    "versions, or of names that are alike; write their badges one record at a time"
                )
            files[name] = json_text(badge)
    return files


def _of(ran: Ran) -> Iterator[tuple[str, dict[str, object]]]:
    for operator, counts in by_operator(ran.results).items():
        message, color = _said(counts, ran)
        yield (
            f"{_safe(ran.label)}/{_safe(operator)}.json",
            {
                "schemaVersion": 1,
                "label": f"ONNX {operator}",
                "message": message,
                "color": color,
            },
        )


def _of_profiles(
    ran: Ran, standings: Iterable[Standing]
) -> Iterator[tuple[str, dict[str, object]]]:
    for standing in standings:
        if standing.backend == ran.title:
            reached = standing.is_reached
            yield (
                f"{_safe(ran.label)}/{_safe(standing.profile.name)}.json",
                {
                    "schemaVersion": 1,
                    "label": standing.profile.name,
                    "message": standing.said.partition(":")[0],
                    "color": "brightgreen" if reached else "lightgrey",
                },
            )


def _said(counts: Tally, ran: Ran) -> tuple[str, str]:
    if ran.lacks:
        return "incomplete", "lightgrey"
    parts = [
        (counts.right, "right"),
        (counts.failed, "wrong"),
        (counts.unsupported, "unsupported"),
        (counts.errors, "not judged"),
    ]
    said = ", ".join(f"{count} {what}" for count, what in parts if count) or "nothing tested"
    if ran.selection:
        said += " (selected cases)"
    if counts.errors or not counts.right:
        return said, "red" if counts.failed else "lightgrey"
    if counts.failed:
        return said, "red"
    return said, "green" if counts.unsupported else "brightgreen"


def _safe(name: str) -> str:
    return UNSAFE.sub("-", name).strip(".-") or "unnamed"
