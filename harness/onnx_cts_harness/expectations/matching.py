"""Find the cases of a suite that expectations are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import translate

from onnx_cts_harness.errors import CaseError, ExpectationError
from onnx_cts_harness.expectations.entries import Entry
from onnx_cts_harness.suite import Suite


def matched(entries: Sequence[Entry], suite: Suite) -> dict[str, tuple[Entry, ...]]:
    """The entries about each case, by its id, for those that have any.

    The whole suite is looked at, whatever a run selects of it: a part of a suite needs no part of
    the expectations.

    Raises:
        ExpectationError: An entry, or one of its cases, matches no case of the suite.
    """
    about: dict[str, list[Entry]] = {}
    for entry in entries:
        for case in _cases(entry, suite):
            about.setdefault(case, []).append(entry)
    return {case: tuple(found) for case, found in about.items()}


def _cases(entry: Entry, suite: Suite) -> Sequence[str]:
    if not entry.cases:
        found = list(_with_features(entry, suite.entries, suite))
        if not found:
            raise _nothing(entry, "")
        return found
    cases: dict[str, None] = {}
    for pattern in entry.cases:
        found = list(_with_features(entry, _named(pattern, suite.entries), suite))
        if not found:
            raise _nothing(entry, pattern)
        cases |= dict.fromkeys(found)
    return list(cases)


def _named(pattern: str, cases: Mapping[str, object]) -> Sequence[str]:
    # An id may have brackets in it, and is then no pattern.
    if pattern in cases:
        return [pattern]
    fits = re.compile(translate(pattern)).match
    return [case for case in cases if fits(case)]


def _with_features(
    entry: Entry, cases: Mapping[str, object] | Sequence[str], suite: Suite
) -> Iterator[str]:
    wanted = set(entry.features)
    for case in cases:
        if not wanted or wanted <= _features(case, suite):
            yield case


def _features(case: str, suite: Suite) -> set[str]:
    try:
        return set(suite.features(suite.entries[case]))
    except CaseError:
        # The run says what is wrong with the case.
        return set()


def _nothing(entry: Entry, pattern: str) -> ExpectationError:
    named = f" {pattern}" if pattern else ""
    having = f" with {' and '.join(entry.features)}" if entry.features else ""
    return ExpectationError(
        f"{entry.place}: the suite has no case{named}{having}; mend or delete the entry"
    )
