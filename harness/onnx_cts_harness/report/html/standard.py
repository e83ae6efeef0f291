"""What the standard says of the cases of a page: rules, open questions, readings, deviations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from onnx_cts_harness.report.gathered import Ran
from onnx_cts_harness.report.html.packing import Texts
from onnx_cts_reference.deviations.catalog import catalogue
from onnx_cts_reference.formats import formats
from onnx_cts_specs import Spec, UnknownOperatorError, spec_for


def standard(domain: str, operator: str, version: int, texts: Texts) -> dict[str, Any]:
    """The sentences of one operator version; without any where there is no spec.

    Every text is an index into the texts.
    """
    try:
        spec = spec_for(operator, version, domain)
    except UnknownOperatorError:
        return {"formula": 0, "rules": {}, "questions": {}, "readings": {}}
    return _of_spec(spec, texts)


def _of_spec(spec: Spec, texts: Texts) -> dict[str, Any]:
    def line(text: str) -> int:
        return texts.index(" ".join(text.split()))

    return {
        "formula": line(spec.formula),
        # Of a rule without a condition, and of no other, no case says that it keeps to it.
        "rules": {
            rule.id: {"says": line(rule.says), "always": not rule.when} for rule in spec.rules
        },
        "questions": {
            one.id: {
                "says": line(one.says),
                "why": line(one.why),
                "readings": {reading.name: line(reading.means) for reading in one.readings},
            }
            for one in spec.open_questions
        },
        "readings": {reading.name: line(reading.means) for reading in spec.readings},
    }


def deviation_data(backends: Iterable[Ran]) -> dict[str, str]:
    """What each deviation that is named in a diagnosis does."""
    operators = {
        (result.operator, result.domain)
        for ran in backends
        for result in ran.results
        if result.diagnosis
    }
    says: dict[str, str] = {}
    for operator, domain in sorted(operators):
        says |= _says(operator, domain)
    return dict(sorted(says.items()))


def _says(operator: str, domain: str) -> dict[str, str]:
    try:
        return {one.name: one.says for one in catalogue(operator, domain)}
    except UnknownOperatorError:
        return {}


def format_data() -> dict[int, dict[str, Any]]:
    """The number formats by their number in onnx.TensorProto.DataType."""
    kept: Sequence[str] = (
        "name", "kind", "bits", "exponent", "mantissa", "bias", "signed", "infinity", "nan",
    )  # fmt: skip
    return {one.code: {key: asdict(one)[key] for key in kept} for one in formats().values()}
