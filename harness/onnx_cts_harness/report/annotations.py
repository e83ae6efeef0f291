"""Annotations of GitHub Actions: lines on standard output that its pages show beside a job.

The format is that of https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from onnx_cts_harness.causes import Group, failures_by_cause, refusals_by_cause
from onnx_cts_harness.expectations.entries import Entry
from onnx_cts_harness.expectations.judging import Judged
from onnx_cts_harness.lines import finding
from onnx_cts_harness.report.counting import cases
from onnx_cts_harness.text import clean
from onnx_cts_harness.verify import Result


def error_annotations(results: Sequence[Result]) -> Iterator[str]:
    """One error for each cause of failures and refusals, with its first case.

    GitHub shows ten of a step, so that a cause must not take them all.
    """
    for group in chain(failures_by_cause(results), refusals_by_cause(results)):
        yield _annotation("error", _title(group), _first(group))


def expectation_annotations(judged: Judged, strict: bool) -> Iterator[str]:
    """Errors for what was not expected, and a warning for each entry that no longer holds."""
    yield from error_annotations(judged.failures + (judged.refusals if strict else ()))
    gone: dict[str, tuple[Entry, list[Result]]] = {}
    for result, entries in judged.passes:
        for entry in entries:
            gone.setdefault(entry.place, (entry, []))[1].append(result)
    for entry, results in gone.values():
        file, _, line = entry.place.rpartition(":")
        said = f"{cases(len(results))} no longer: {results[0].case} for one. {entry.reason}"
        yield _annotation("warning", "Expectation out of date", said, file=file, line=line)


def _title(group: Group) -> str:
    return f"{group.operator}: {group.verdict.replace('_', ' ')}, {group.cause}"


def _first(group: Group) -> str:
    first = group.results[0]
    more = f" (and {cases(len(group.results) - 1)} more)" if len(group.results) > 1 else ""
    return f"{first.case}: {finding(first)}{more}"


def _annotation(level: str, title: str, message: str, **place: str) -> str:
    properties = place | {"title": title}
    said = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in properties.items())
    return f"::{level} {said}::{_escaped(message)}"


def _escaped(text: str, also: str = "") -> str:
    # One line each, in which nothing can begin another command.
    for sign in f"%{also}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return clean(text, 2000)
