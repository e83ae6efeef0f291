"""Hold the results of a run against what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onnx_cts_harness.expectations.entries import Entry
from onnx_cts_harness.lines import result_line
from onnx_cts_harness.text import clean
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result


@dataclass(frozen=True)
class Judged:
    """How results are to what was expected; none of them is a case that could not be judged.

    Attributes:
        expected: Number of cases that fail or are refused as expected.
        failures: Failures that were not expected.
        refusals: Refusals that were not expected.
        passes: Cases that do not do what is expected, and do nothing wrong, with the entries.
    """

    expected: int
    failures: tuple[Result, ...]
    refusals: tuple[Result, ...]
    passes: tuple[tuple[Result, tuple[Entry, ...]], ...]

    def fails(self, strict: bool) -> bool:
        """Whether the run fails: by an unexpected failure; if strict, by whatever differs."""
        return bool(self.failures or (strict and (self.refusals or self.passes)))


def judge(about: Mapping[str, tuple[Entry, ...]], results: Sequence[Result]) -> Judged:
    """Hold results against expectations.

    Args:
        about: The entries about each case, by its id.
        results: The results.
    """
    expected = 0
    failures, refusals, passes = [], [], []
    for result in results:
        entries = about.get(result.case, ())
        if any(result.verdict in entry.verdicts for entry in entries):
            expected += 1
        elif result.verdict.is_failure:
            failures.append(result)
        elif result.verdict is Verdict.REFUSED:
            refusals.append(result)
        elif entries and not result.verdict.is_error:
            passes.append((result, entries))
    return Judged(expected, tuple(failures), tuple(refusals), tuple(passes))


def judged_lines(judged: Judged, strict: bool) -> list[str]:
    """One line for each case that is not as expected; of refusals, if not strict, the number."""
    lines = [f"expected  {judged.expected} failures and refusals"]
    unexpected = judged.failures + (judged.refusals if strict else ())
    lines += [f"unexpected  {result_line(result)}" for result in unexpected]
    if judged.refusals and not strict:
        lines.append(f"unexpected  {len(judged.refusals)} refusals, which only --strict minds")
    lines += [_no_longer(result, entry) for result, entries in judged.passes for entry in entries]
    return lines


def _no_longer(result: Result, entry: Entry) -> str:
    verdicts = " or ".join(sorted(entry.verdicts))
    issue = f" {clean(entry.issue)}" if entry.issue else ""
    return (
        f"no longer  {result.case}  {result.verdict}, expected {verdicts}: "
        f"{clean(entry.reason)}{issue} ({entry.place})"
    )
