"""The summary that a person reads: failures, a table of verdicts, a total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TextIO

from onnx_cts_harness.explain import explained
from onnx_cts_harness.lines import result_line
from onnx_cts_harness.report.counting import by_version, tally
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result

#: A table is as wide as it needs: a terminal that wraps it still shows all of it.
UNBOUNDED = 10_000


def print_summary(
    title: str, results: Sequence[Result], stream: TextIO, notes: Sequence[str] = ()
) -> None:
    """Print what a run showed.

    Failures and errors come first, one line each, never wrapped or cut. Then comes a table with a
    row for each operator version and a column for each verdict that occurs, then how cases were
    presented, what kinds of refusal there were, what judged the cases and where their own outputs
    are not the reference's, the readings taken where the text is open, and a total. Colour is for
    terminals alone.

    Args:
        title: What was run, such as the backend with its version.
        results: The results in the suite's order.
        stream: Where to print.
        notes: Lines that come before the total.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, width=UNBOUNDED, highlight=False)
    lines = [(result_line(r), "red") for r in results if r.verdict.is_failure]
    lines += [(result_line(r), "magenta") for r in results if r.verdict.is_error]
    for line, style in lines:
        console.print(Text(encodable(line, stream), style), soft_wrap=True)
    for line in _diagnoses(results):
        console.print(Text(encodable(line, stream)), soft_wrap=True)
    if lines:
        console.print()
    console.print(Text(encodable(title, stream), "bold"), soft_wrap=True)
    console.print(_table(results, words="\n" if stream.isatty() else "_"))
    for line in _presentations(results):
        console.print(Text(encodable(line, stream), "red"), soft_wrap=True)
    for line in [
        *_fed(results),
        *_refusals(results),
        *_judges(results),
        *_readings(results),
        *notes,
    ]:
        console.print(Text(encodable(line, stream)), soft_wrap=True)
    console.print(Text(total_line(results)), soft_wrap=True)


def total_line(results: Sequence[Result]) -> str:
    """The counts of a run in one line."""
    counts = tally(results)
    each = ", ".join(f"{count} {name}" for name, count in counts.named.items())
    return f"{counts.total} cases: {each or 'none'}; {counts.failed} failed, {counts.errors} errors"


def _table(results: Sequence[Result], words: str) -> object:
    """The table; ``words`` stands between the words of a verdict: a new line saves width."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    whole = tally(results).verdicts
    occurring = [verdict for verdict in Verdict if whole[verdict]]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("operator")
    table.add_column("version", justify="right")
    for verdict in occurring:
        table.add_column(verdict.replace("_", words), justify="right")
    table.add_column("total", justify="right")
    for (name, version), row in by_version(results).items():
        counts = [str(row.verdicts[verdict] or "") for verdict in occurring]
        table.add_row(Text(name), str(version), *counts, str(row.total))
    return table


def _diagnoses(results: Sequence[Result]) -> list[str]:
    """The fewest deviations that explain the failures, one line each, the greatest first."""
    total = sum(1 for result in results if result.diagnosis is not None)
    return [
        f"diagnosis  {name or 'no known deviation'} explains {len(some)} of {total}"
        for name, some in explained(results)
    ]


def _presentations(results: Sequence[Result]) -> list[str]:
    """One line for each two presentations of one node that were answered differently."""
    known = {result.case: result for result in results}
    pairs = ((known[r.presents], r) for r in results if r.presents in known)
    return [
        f"presentation  {one.case} ({one.verdict}) and {other.case} ({other.verdict}): "
        "one node presented in two ways, and two answers"
        for one, other in pairs
        # What cannot be fed in one of them says nothing of the backend.
        if Verdict.NOT_RUNNABLE not in {one.verdict, other.verdict}
        and (one.answer or one.verdict) != (other.answer or other.verdict)
    ]


def _fed(results: Sequence[Result]) -> list[str]:
    """How many cases the backend was given otherwise than they are."""
    count = sum(1 for result in results if result.presented)
    return [f"presented  {count} with initializers for what cannot be fed"] if count else []


def _refusals(results: Sequence[Result]) -> list[str]:
    """What kinds of refusal there were at which stage, of valid models; the most common first."""
    refused = [result for result in results if result.verdict is Verdict.REFUSED]
    counts = Counter(
        f"{r.refusal or 'of no known kind'}{r.stage and f' at {r.stage}'}" for r in refused
    )
    if not counts:
        return []
    return ["refused  " + ", ".join(f"{count} {kind}" for kind, count in counts.most_common())]


def _judges(results: Sequence[Result]) -> list[str]:
    """What judged cases that came without bounds, and one line for each disagreement."""
    counts = Counter(result.judged_by for result in results if result.judged_by)
    judged = [f"judged  {count} by {name}" for name, count in sorted(counts.items())]
    return judged + [f"disagreement  {r.case}: {r.disagreement}" for r in results if r.disagreement]


def _readings(results: Sequence[Result]) -> list[str]:
    """One line for each open question: how many cases took which reading."""
    questions: dict[str, Counter[str]] = {}
    for result in results:
        if result.verdict is Verdict.OPEN:
            questions.setdefault(result.rule or "?", Counter())[result.reading] += 1
    return [
        f"open  {question}: "
        + ", ".join(f"{reading} {count}" for reading, count in counts.most_common())
        for question, counts in questions.items()
    ]


def encodable(line: str, stream: TextIO) -> str:
    """A line as a stream can take it."""
    # A backend's message may hold any character; the stream may not take it.
    encoding = stream.encoding or "utf-8"
    return line.encode(encoding, "backslashreplace").decode(encoding)
