"""What records show: counts of each backend, and each distinct wrong answer with an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.causes import Group, failures_by_cause
from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.lines import finding
from onnx_cts_harness.markup import escaped, fenced
from onnx_cts_harness.presentation import with_initializers
from onnx_cts_harness.record import Record, read_record, title_of
from onnx_cts_harness.record_line import result_of
from onnx_cts_harness.report.counting import COLUMNS, tally
from onnx_cts_harness.shown import model_text, shown
from onnx_cts_harness.suite import Suite
from onnx_cts_harness.templating import template
from onnx_cts_harness.text import clean
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result
from onnx_cts_reference.model_calls import ModelCallError, call_of
from onnx_cts_specs import spec_for

#: What the docstring of ``onnx.version_converter.convert_version`` says of itself.
CONVERSION = "Raises: RuntimeError when some necessary conversion is not supported."


@dataclass(frozen=True)
class Found:
    """One distinct wrong answer of a backend.

    Attributes:
        operator: The operator, with its domain if that is not ONNX's own.
        verdict: What all of them are.
        cause: The rule broken, the name of the deviation, or what is known instead.
        explanation: What the deviation does; "" if none is known.
        text: What the standard says, as the spec of the example's version has it; "" if no spec
            is known.
        results: The cases, in the suite's order.
        example: The least of them.
        model: The model of the example as the backend got it, but for a conversion, as text.
        tensors: Its inputs, by the name on the operator's page, and what is expected, one a line.
    """

    operator: str
    verdict: Verdict
    cause: str
    explanation: str
    text: str
    results: tuple[Result, ...]
    example: Result
    model: str
    tensors: tuple[str, ...]

    @property
    def versions(self) -> str:
        """The versions of the operator that it shows at."""
        return ", ".join(map(str, sorted({result.version for result in self.results})))

    @property
    def said(self) -> str:
        """What the backend gave for the example."""
        return finding(self.example)


@dataclass(frozen=True)
class Report:
    """What one record shows.

    Attributes:
        title: Backend, variant and version.
        header: The record's header.
        counts: Number of cases by column.
        found: The distinct wrong answers.
    """

    title: str
    header: Mapping[str, Any]
    counts: Mapping[str, int]
    found: tuple[Found, ...]

    @property
    def total(self) -> int:
        """Number of cases."""
        return sum(self.counts.values())


def findings_page(files_of_records: Sequence[Path], suite: Suite) -> str:
    """A page of Markdown with what the records show.

    Args:
        files_of_records: Complete records of runs of the suite.
        suite: The suite, whose cases are the examples.

    Raises:
        RecordError: A record is none, is incomplete, or is of another suite.
    """
    reports = [_report(file, read_record(file), suite) for file in files_of_records]
    page = template(__package__, "templates/findings.md.j2", (("md", escaped), ("fenced", fenced)))
    return page.render(reports=reports, columns=list(COLUMNS), suite=suite)


def _report(file: Path, record: Record, suite: Suite) -> Report:
    header = record.header
    if header["suite"]["hash"] != suite.hash:
        raise RecordError(
            f"{file}: it is of the suite {header['suite']['hash']}, and {suite.path} is "
            f"{suite.hash}; run the suite again"
        )
    results = [result_of(line) for line in record.cases]
    if unknown := [result.case for result in results if result.case not in suite.entries]:
        raise RecordError(f"{file}: the suite has no case {clean(unknown[0])}; run it again")
    return Report(
        title_of(header["backend"]),
        header,
        tally(results).columns,
        tuple(_found(results, suite)),
    )


def _found(results: Sequence[Result], suite: Suite) -> Iterator[Found]:
    for group in failures_by_cause(results):
        yield _made(group, suite)


def _made(group: Group, suite: Suite) -> Found:
    results = group.results
    cases = {result.case: suite.load(suite.entries[result.case]) for result in results}
    example = min(results, key=lambda result: (*_size(cases[result.case]), result.case))
    loaded = cases[example.case]
    return Found(
        group.operator,
        example.verdict,
        group.cause,
        group.explanation,
        _text(example),
        results,
        example,
        _model(loaded, example.presented),
        tuple(_tensors(loaded)),
    )


def _size(loaded: LoadedCase) -> tuple[int, int]:
    return sum(tensor.size for tensor in loaded.inputs), len(loaded.model)


def _text(example: Result) -> str:
    if example.converted is not None and example.converted.fault:
        return CONVERSION
    spec = spec_for(example.operator, example.version, example.domain)
    broken = {name.strip() for name in example.rule.split(",")}
    said = [rule.says for rule in spec.rules if rule.id in broken] or [spec.formula]
    return " ".join(" ".join(said).split())


def _model(loaded: LoadedCase, initializers: Sequence[str]) -> str:
    tensors = dict(zip(loaded.case.inputs, loaded.inputs, strict=True))
    moved = {name: tensors[name] for name in initializers}
    model = with_initializers(loaded.model, moved) if moved else loaded.model
    return model_text(model)


def _tensors(loaded: LoadedCase) -> Iterator[str]:
    import onnx

    feeds = {
        name: tensor.array for name, tensor in zip(loaded.case.inputs, loaded.inputs, strict=True)
    }
    try:
        call = call_of(onnx.ModelProto.FromString(loaded.model), feeds, loaded.files)
    except ModelCallError:
        values = dict(feeds)
    else:
        names = (formal.name for formal in call.spec.inputs)
        pairs = zip(names, call.inputs, strict=False)
        values = {name: array for name, array in pairs if array is not None}
    for name, array in values.items():
        yield f"{name} = {shown(array)}"
    if loaded.case.expectation == "reject":
        yield "expected: a refusal"
    for name, expected in zip(loaded.case.outputs, loaded.expected, strict=False):
        yield f"{name} expected = {shown(expected.value.array)}"
        if expected.lower and expected.upper:
            yield f"{name} permitted from {shown(expected.lower.array)}"
            yield f"{name} permitted to {shown(expected.upper.array)}"
