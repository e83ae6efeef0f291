"""What the page shows of all cases at once: backends, cases and verdicts, in columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from onnx_cts_harness.case import Case
from onnx_cts_harness.lines import finding
from onnx_cts_harness.profiles import known_standings
from onnx_cts_harness.record_line import case_line
from onnx_cts_harness.report.gathered import Gathered, Ran
from onnx_cts_harness.report.html.packing import Texts
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result

#: A letter for each verdict, and for a case that is not in a backend's records.
LETTERS = {verdict: chr(ord("a") + number) for number, verdict in enumerate(Verdict)}
NOT_RUN = "."
#: Fields of a record's line that the page shows one by one, if they are there.
SHOWN = ("presented", "output", "element", "expected", "permitted", "got", "ulp", "wrong",
         "elements", "stderr")  # fmt: skip


def verdict_data() -> list[dict[str, object]]:
    """The verdicts in order: letter, name, and what kind of verdict it is."""
    return [
        {"letter": letter, "name": verdict.replace("_", " "), "kind": _kind(verdict)}
        for verdict, letter in LETTERS.items()
    ]


def _kind(verdict: Verdict) -> str:
    if verdict.is_failure:
        return "wrong"
    if verdict.is_error:
        return "error"
    if verdict.is_unsupported:
        return "refused"
    return "open" if verdict is Verdict.OPEN else "right"


def case_data(cases: Sequence[Case], texts: Texts) -> dict[str, Any]:
    """Columns with what can be filtered by, a row for each case.

    ``version`` is an index into the list of operator versions that ``version_data`` gives.
    """
    order = {key: number for number, key in enumerate(_versions(cases))}
    return {
        "version": [order[_version(case)] for case in cases],
        "name": [case.id.rpartition("/")[2] for case in cases],
        "expectation": [texts.index(case.expectation) for case in cases],
        "granularity": [texts.index(case.granularity or "") for case in cases],
        "types": [texts.index(" ".join(map("=".join, case.dtypes.items()))) for case in cases],
        "from": [texts.index(next(iter(case.dtypes.values()), "")) for case in cases],
        "to": [texts.index(_output_type(case)) for case in cases],
        "rules": [texts.index(" ".join(case.rules)) for case in cases],
        "features": [texts.index(" ".join(case.features)) for case in cases],
    }


def _output_type(case: Case) -> str:
    return next((case.dtypes[name] for name in case.outputs if name in case.dtypes), "")


def version_data(cases: Iterable[Case]) -> list[dict[str, Any]]:
    """The operator versions in the order of the cases; ``folder`` is what their ids begin with."""
    return [
        {"domain": domain, "operator": operator, "version": version, "folder": folder}
        for (domain, operator, version), folder in _versions(cases).items()
    ]


def _version(case: Case) -> tuple[str, str, int]:
    return case.domain, case.operator, case.version


def _versions(cases: Iterable[Case]) -> dict[tuple[str, str, int], str]:
    folders: dict[tuple[str, str, int], str] = {}
    for case in cases:
        folders.setdefault(_version(case), case.id.rpartition("/")[0])
    return folders


def level_rows(gathered: Gathered) -> list[dict[str, Any]]:
    """The levels of conformance, each with the standing of every backend."""
    rows: dict[str, dict[str, Any]] = {}
    for one in known_standings(gathered):
        profile = one.profile
        row = rows.setdefault(profile.name, {"name": profile.name, "says": profile.says, "of": {}})
        row["of"][one.backend] = {"reached": one.is_reached, "said": one.said}
    return list(rows.values())


def backend_data(ran: Ran) -> dict[str, Any]:
    """What names a backend, where it ran, of what, and how its records are not whole."""
    return {
        "label": ran.label,
        "title": ran.title,
        "environment": ran.environment,
        "chosen": ran.chosen,
        "lacks": list(ran.lacks),
    }


def result_data(ran: Ran, cases: Sequence[Case], texts: Texts) -> dict[str, Any]:
    """What a backend did with each case.

    ``verdicts`` has a letter for each case; ``said``, ``diagnosis``, ``reading`` and ``answer``
    the index of a text by the number of the case, where there is one; ``more`` what else is known.
    """
    results = {result.case: result for result in ran.results}
    found = [(number, results.get(case.id)) for number, case in enumerate(cases)]
    known = [(number, result) for number, result in found if result]
    return {
        "verdicts": "".join(LETTERS[r.verdict] if r else NOT_RUN for _, r in found),
        "said": _column(known, finding, texts),
        "diagnosis": _column(known, lambda r: " ".join(r.diagnosis or ()), texts),
        "reading": _column(known, lambda r: r.reading, texts),
        "answer": _column(known, lambda r: r.answer, texts),
        "more": {number: more for number, result in known if (more := _more(result))},
    }


def _column(known: Iterable[tuple[int, Result]], text: Any, texts: Texts) -> dict[int, int]:
    return {number: texts.index(said) for number, result in known if (said := text(result))}


def _more(result: Result) -> Mapping[str, Any]:
    line = case_line(result)
    return {key: line[key] for key in SHOWN if key in line}
