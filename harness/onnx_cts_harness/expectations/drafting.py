"""Write a first file of expectations: what a run showed, grouped by cause."""

from __future__ import annotations

from itertools import chain
from typing import Any

import yaml

from onnx_cts_harness.causes import Group, failures_by_cause, refusals_by_cause
from onnx_cts_harness.expectations.entries import FORMAT_VERSION
from onnx_cts_harness.record import Record, title_of
from onnx_cts_harness.record_line import result_of
from onnx_cts_harness.text import clean

HEAD = """\
# What {title} is expected to fail or to refuse, for `onnx-cts run --expect`.
# The reasons are as a run showed them: put your own in their place, and add an `issue` to each.
"""


def draft(record: Record) -> str:
    """A file of expectations that a run like the recorded one meets, even strictly."""
    results = [result_of(line) for line in record.cases]
    groups = chain(failures_by_cause(results), refusals_by_cause(results))
    data = {"format": FORMAT_VERSION, "expected": [_entry(group) for group in groups]}
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100)
    return HEAD.format(title=title_of(record.header["backend"])) + str(text)


def _entry(group: Group) -> dict[str, Any]:
    what = f"{group.operator}, {group.verdict.replace('_', ' ')}: {group.cause}"
    explanation = f". {group.explanation}" if group.explanation else ""
    return {
        "reason": clean(what + explanation),
        "verdicts": [str(group.verdict)],
        "cases": [result.case for result in group.results],
    }
