"""The line of one case in a run record: made of its result, and read back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from onnx_cts_harness.compare import Difference, Number
from onnx_cts_harness.text import clean
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Conversion, Result


def case_line(result: Result) -> dict[str, Any]:
    """The line of one case, without what the result leaves empty."""
    optional = {
        "domain": result.domain,
        "dtypes": dict(result.dtypes),
        "rule": result.rule,
        "stage": result.stage,
        "refusal": result.refusal,
        "reading": result.reading,
        "output": result.output,
        "presents": result.presents,
        "presented": {"initializers": list(result.presented)} if result.presented else {},
        "converted": _of_conversion(result.converted),
        "answer": result.answer,
        "judged_by": result.judged_by,
        "disagreement": clean(result.disagreement),
        "message": clean(result.message),
        "stderr": list(result.stderr),
    }
    line: dict[str, Any] = {
        "kind": "case",
        "case": result.case,
        "operator": result.operator,
        "version": result.version,
        "expectation": result.expectation,
        "verdict": str(result.verdict),
        **{key: value for key, value in optional.items() if value},
    }
    if result.diagnosis is not None:
        line["diagnosis"] = list(result.diagnosis)
    return line | _of_difference(result.difference)


def result_of(line: Mapping[str, Any]) -> Result:
    """The result that a line, valid by the schema ``record``, was made of."""
    texts = (
        "rule", "stage", "refusal", "reading", "output", "message", "presents", "answer",
        "judged_by", "disagreement",
    )  # fmt: skip
    diagnosis = line.get("diagnosis")
    return Result(
        line["case"],
        line.get("domain", ""),
        line["operator"],
        line["version"],
        line["expectation"],
        Verdict(line["verdict"]),
        dtypes=line.get("dtypes", {}),
        difference=_difference(line),
        diagnosis=None if diagnosis is None else tuple(diagnosis),
        presented=tuple(line.get("presented", {}).get("initializers", ())),
        stderr=tuple(line.get("stderr", ())),
        converted=_conversion(line),
        **{key: line.get(key, "") for key in texts},
    )


def _of_conversion(converted: Conversion | None) -> dict[str, Any]:
    if converted is None:
        return {}
    fault = clean(converted.fault)
    return {"from": converted.source, "to": converted.target, **({"fault": fault} if fault else {})}


def _conversion(line: Mapping[str, Any]) -> Conversion | None:
    said = line.get("converted")
    return Conversion(said["from"], said["to"], said.get("fault", "")) if said else None


def _of_difference(worst: Difference | None) -> dict[str, Any]:
    if worst is None:
        return {}
    said: dict[str, Any] = {
        "element": list(worst.index),
        "expected": _plain(worst.expected),
        "got": _plain(worst.got),
        "wrong": worst.wrong,
        "elements": worst.elements,
    }
    if worst.permitted:
        said["permitted"] = [_plain(value) for value in worst.permitted]
    if worst.ulp is not None:
        said["ulp"] = worst.ulp
    return said


def _difference(line: Mapping[str, Any]) -> Difference | None:
    if "element" not in line:
        return None
    return Difference(
        tuple(line["element"]),
        _number(line["expected"]),
        tuple(map(_number, line.get("permitted", ()))),
        _number(line["got"]),
        line.get("ulp"),
        line["wrong"],
        line["elements"],
    )


def _plain(value: Number) -> Number | str:
    # Strict JSON has no NaN and no infinities.
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _number(value: Number | str) -> Number:
    return float(value) if isinstance(value, str) else value
