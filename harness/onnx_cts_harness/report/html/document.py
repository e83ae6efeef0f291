"""Make the HTML file of a report: the page, and the data that its script shows."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

import yaml

from onnx_cts_harness.case import Case, LoadedCase
from onnx_cts_harness.errors import CaseError, RecordError
from onnx_cts_harness.report.gathered import Gathered
from onnx_cts_harness.report.html.details import details
from onnx_cts_harness.report.html.index import (
    backend_data,
    case_data,
    level_rows,
    result_data,
    verdict_data,
    version_data,
)
from onnx_cts_harness.report.html.packing import Texts, packed
from onnx_cts_harness.report.html.standard import deviation_data, format_data, standard
from onnx_cts_harness.suite import CaseEntry, Suite
from onnx_cts_harness.templating import template

#: The parts of the script, in the order in which they stand on the page.
SCRIPTS = (
    "data", "tensors", "state", "elements", "verdicts", "table", "overview", "matrix", "cases",
    "case", "reproduction", "rules", "questions", "main",
)  # fmt: skip


def html_page(gathered: Gathered, suite: Suite, operators: Sequence[str] = ()) -> str:
    """The report of some records as one HTML file; the same records give the same bytes.

    Args:
        gathered: The records.
        suite: The suite that they are of.
        operators: Only cases of these operators; () is all.

    Raises:
        RecordError: The records are of another suite, or of a case that the suite lacks.
    """
    _check(gathered, suite)
    read = [_read(suite, entry) for entry in suite.select(operators)]
    cases = [case for case, _ in read]
    texts = Texts()
    index: dict[str, Any] = {
        "suite": gathered.suite,
        "verdicts": verdict_data(),
        "formats": format_data(),
        "backends": [backend_data(ran) for ran in gathered.backends],
        "levels": level_rows(gathered),
        "versions": version_data(cases),
        "cases": case_data(cases, texts),
        "results": [result_data(ran, cases, texts) for ran in gathered.backends],
        "deviations": deviation_data(gathered.backends),
        "reproductions": _reproductions(),
    }
    for one in index["versions"]:
        one["standard"] = standard(one["domain"], one["operator"], one["version"], texts)
    index["texts"] = texts.table
    return _rendered(packed(index), [packed(one) for one in _details(read)])


def _check(gathered: Gathered, suite: Suite) -> None:
    if gathered.suite["hash"] != suite.hash:
        raise RecordError(
            f"the records are of the suite {gathered.suite['hash'][:12]}, and {suite.path} is "
            f"{suite.hash[:12]}; name theirs by --suite"
        )
    for ran in gathered.backends:
        for result in ran.results:
            if result.case not in suite.entries:
                raise RecordError(
                    f"{ran.title}: the suite has no case {result.case}; run the suite again"
                )


def _read(suite: Suite, entry: CaseEntry) -> tuple[Case, LoadedCase | str]:
    """What a case says of itself, and the case, or why it cannot be read."""
    try:
        loaded = suite.load(entry)
    except CaseError as error:
        return _unread(entry), str(error)
    return loaded.case, loaded


def _unread(entry: CaseEntry) -> Case:
    return Case(
        entry.id, entry.domain, entry.operator, entry.version, entry.version, entry.expectation,
        dtypes={}, inputs=(), outputs=(), granularity=None, features=(), rules=(), stage=(),
        reading=(),
    )  # fmt: skip


def _details(read: Iterable[tuple[Case, LoadedCase | str]]) -> Iterator[dict[str, Any]]:
    """The cases of each operator version, each with texts of its own: one is read at a time."""
    versions: dict[str, list[LoadedCase | str]] = {}
    for case, loaded in read:
        versions.setdefault(case.id.rpartition("/")[0], []).append(loaded)
    for group in versions.values():
        texts = Texts()
        shown = [
            {"unread": loaded} if isinstance(loaded, str) else details(loaded, texts)
            for loaded in group
        ]
        yield {"cases": shown, "texts": texts.table}


def _file(name: str) -> str:
    return files(__package__).joinpath(f"page/{name}").read_text("utf-8")


def _reproductions() -> Any:
    return yaml.safe_load(_file("reproductions.yaml"))


def _rendered(index: str, versions: Sequence[str]) -> str:
    style = _file("report.css")
    script = '"use strict";\n(() => {\n' + "\n".join(_file(f"{n}.js") for n in SCRIPTS) + "})();\n"
    return template(__package__, "page/page.html.j2", html=True).render(
        style=style,
        script=script,
        style_hash=_digest(style),
        script_hash=_digest(script),
        index=index,
        versions=versions,
    )


def _digest(source: str) -> str:
    """What a content security policy has of a script or a style that it lets run."""
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
