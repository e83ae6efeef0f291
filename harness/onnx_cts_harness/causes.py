"""Put the failures and refusals of a run together that have the same cause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from onnx_cts_harness.explain import explained
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result
from onnx_cts_reference.deviations.catalog import catalogue
from onnx_cts_specs import UnknownOperatorError

#: A shape behind a type, which tells nothing of a wrong type.
SHAPE = re.compile(r"\[[\d,]*\]")
#: In a message, what differs from case to case: numbers, and names with numbers in them.
COUNTED = re.compile(r"\w*\d\w*")


@dataclass(frozen=True)
class Group:
    """Results of one operator with one verdict and one cause.

    Attributes:
        operator: The operator, with its domain if that is not ONNX's own.
        verdict: The verdict of each.
        cause: The rule broken, the name of the deviation, or what is known instead.
        explanation: What the deviation does; "" if none is known.
        results: The results, in the order in which they were given.
    """

    operator: str
    verdict: Verdict
    cause: str
    explanation: str
    results: tuple[Result, ...]


def failures_by_cause(results: Sequence[Result]) -> Iterator[Group]:
    """The failures by operator, verdict and cause.

    Of each operator and verdict those that a deviation explains come first, the greatest group
    before the others.
    """
    for verdict, group in _groups(r for r in results if r.verdict.is_failure):
        # Of an invalid model, the rule that it breaks says more than a deviation that ignores it.
        by_rule = verdict is Verdict.ACCEPTED_INVALID
        diagnosed = [result for result in group if result.diagnosis and not by_rule]
        for deviation, some in explained(diagnosed):
            yield _made(deviation, _says(deviation, some[0]), some)
        others: dict[str, list[Result]] = {}
        for result in group:
            if by_rule or not result.diagnosis:
                others.setdefault(_unexplained(result), []).append(result)
        for cause, some in others.items():
            yield _made(cause, "", some)


def refusals_by_cause(results: Sequence[Result]) -> Iterator[Group]:
    """The refusals of valid models by operator and by what the backend said, but for numbers."""
    for _, group in _groups(r for r in results if r.verdict is Verdict.REFUSED):
        said: dict[tuple[str, str, str], list[Result]] = {}
        for result in group:
            key = (result.stage, result.refusal, COUNTED.sub("…", result.message))
            said.setdefault(key, []).append(result)
        for (stage, kind, _), some in said.items():
            messages = {result.message for result in some}
            message = some[0].message if len(messages) == 1 else COUNTED.sub("…", some[0].message)
            told = (stage and f"at {stage}", kind, message)
            yield _made(", ".join(filter(None, told)) or "no reason given", "", some)


def _groups(results: Iterable[Result]) -> Iterator[tuple[Verdict, list[Result]]]:
    groups: dict[tuple[str, Verdict], list[Result]] = {}
    for result in results:
        groups.setdefault((result.qualified_operator, result.verdict), []).append(result)
    for (_, verdict), group in groups.items():
        yield verdict, group


def _made(cause: str, explanation: str, results: list[Result]) -> Group:
    first = results[0]
    return Group(first.qualified_operator, first.verdict, cause, explanation, tuple(results))


def _says(deviation: str, result: Result) -> str:
    try:
        known = catalogue(result.operator, result.domain)
    except UnknownOperatorError:
        return ""
    return next((one.says for one in known if one.name == deviation), "")


def _unexplained(result: Result) -> str:
    """What tells a wrong answer that no known deviation gives from others."""
    if result.converted is not None and result.converted.fault:
        return result.converted.fault
    if result.verdict is Verdict.ACCEPTED_INVALID:
        return result.rule
    if result.verdict is Verdict.WRONG_TYPE:
        return SHAPE.sub("", result.message)
    if result.output:
        return f"no known deviation, {result.output} of {result.dtypes.get(result.output, '?')}"
    return result.message or "no known deviation"
