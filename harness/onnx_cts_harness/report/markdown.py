"""A report as Markdown, for the summary of a CI job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from onnx_cts_harness.causes import Group, failures_by_cause, refusals_by_cause
from onnx_cts_harness.lines import finding
from onnx_cts_harness.markup import escaped
from onnx_cts_harness.profiles import known_standings
from onnx_cts_harness.report.counting import (
    COLUMNS,
    Tally,
    by_operator,
    by_version,
    cases,
    readings,
)
from onnx_cts_harness.report.gathered import Gathered, Ran
from onnx_cts_harness.report.tables import fitted, table

#: Cases that are named of those with one cause.
EXAMPLES = 5


def markdown(gathered: Gathered) -> str:
    """What the records show, as much of it as GitHub takes for the summary of one step."""
    return fitted(_pieces(gathered))


def _pieces(gathered: Gathered) -> Iterator[str]:
    suite = gathered.suite
    yield (
        f"# ONNX conformance\n\nThe suite has {suite['cases']} cases; its hash begins with "
        f"`{suite['hash'][:8]}`.\n"
    )
    for ran in gathered.backends:
        yield from (f"\n{line}\n" for line in _reservations(ran, suite))
    yield from _overview(gathered)
    yield from _levels(gathered)
    for ran in gathered.backends:
        yield from _backend(ran)


def _reservations(ran: Ran, suite: Mapping[str, object]) -> Iterator[str]:
    """What there is to know before the counts of a backend are read."""
    title = escaped(ran.title)
    for lack in ran.lacks:
        yield f"**Incomplete**: {title}: {escaped(lack)}."
    if len(ran.results) != suite["cases"]:
        selected = f" ({escaped(ran.chosen)})" if ran.chosen else ""
        yield f"{title}: {len(ran.results)} of {suite['cases']} cases are in the records{selected}."


def _overview(gathered: Gathered) -> Iterator[str]:
    rows = [
        (escaped(ran.title), escaped(operator), *_counts(counts))
        for ran in gathered.backends
        for operator, counts in by_operator(ran.results).items()
    ]
    yield from table(("backend", "operator"), (*COLUMNS, "cases"), rows)


def _levels(gathered: Gathered) -> Iterator[str]:
    if found := known_standings(gathered):
        yield "\n## Levels\n"
        rows = [
            (escaped(one.profile.name), escaped(one.profile.says), escaped(one.backend), one.said)
            for one in found
        ]
        yield from table(("level", "what it is", "backend", "standing"), (), rows)


def _backend(ran: Ran) -> Iterator[str]:
    where = ran.environment
    yield (
        f"\n## {escaped(ran.title)}\n\nPython {escaped(where['python'])} on "
        f"{escaped(where['platform'])}, {escaped(where['machine'])}.\n"
    )
    rows = [
        (escaped(operator), str(version), *_counts(counts))
        for (operator, version), counts in by_version(ran.results).items()
    ]
    yield from table(("operator", "version"), (*COLUMNS, "cases"), rows)
    yield from _groups("Failures", list(failures_by_cause(ran.results)))
    yield from _groups("Refusals of valid models", list(refusals_by_cause(ran.results)))
    if errors := [result for result in ran.results if result.verdict.is_error]:
        yield f"\n### Not judged\n\nThese say nothing of the backend: {cases(len(errors))}.\n\n"
        for result in errors[:EXAMPLES]:
            yield f"- {escaped(result.case)}: {escaped(finding(result))}\n"
    if taken := readings(ran.results):
        rows = [
            (escaped(question), escaped(reading), str(count))
            for question, counts in taken.items()
            for reading, count in counts.items()
        ]
        yield "\n### Open questions\n"
        yield from table(("question", "reading taken"), ("cases",), rows)


def _groups(title: str, groups: list[Group]) -> Iterator[str]:
    if groups:
        yield f"\n### {title}\n\n"
    for group in groups:
        what = f"{group.operator}: {group.verdict.replace('_', ' ')}, {group.cause}"
        explanation = f" {escaped(group.explanation)}" if group.explanation else ""
        yield f"- {escaped(what)}: {cases(len(group.results))}.{explanation}\n"
        for result in group.results[:EXAMPLES]:
            said = finding(result) if result.verdict.is_failure else ""
            yield f"  - {escaped(result.case)}{': ' if said else ''}{escaped(said)}\n"
        if (more := len(group.results) - EXAMPLES) > 0:
            yield f"  - and {more} more\n"


def _counts(counts: Tally) -> tuple[str, ...]:
    return *(str(count or "") for count in counts.columns.values()), str(counts.total)
