"""Say a result in one line."""

from __future__ import annotations

import math

from onnx_cts_harness.compare import Difference, Number
from onnx_cts_harness.text import clean
from onnx_cts_harness.verify import Result


def result_line(result: Result) -> str:
    """A result in one line: case, verdict, rule or types, what was expected and what came."""
    subject = f"rule {result.rule}" if result.expectation == "reject" and result.rule else ""
    if not subject:
        subject = " ".join(f"{name}={dtype}" for name, dtype in result.dtypes.items())
    parts = (result.case, str(result.verdict), clean(subject), finding(result))
    return "  ".join(part for part in parts if part)


def finding(result: Result) -> str:
    """What was expected and what came, without the case; "" where the verdict says it all."""
    said = result.message
    if result.difference is not None:
        said = _difference(result.output, result.difference)
    elif result.output:
        said = f"{result.output}: {said}"
    stage = f"at {result.stage}" if result.stage else ""
    kind = f"({result.refusal})" if result.refusal else ""
    last = f"({result.stderr[-1]})" if result.stderr else ""
    parts = (_conversion(result), stage, kind, said, last, _diagnosis(result))
    return " ".join(part for part in parts if part)


def _conversion(result: Result) -> str:
    converted = result.converted
    if converted is None:
        return ""
    return (
        f"conversion from opset {converted.source} to {converted.target}: {converted.fault}".strip()
    )


def _diagnosis(result: Result) -> str:
    if result.diagnosis is None:
        return ""
    return f"[{', '.join(result.diagnosis) or 'no known deviation'}]"


def _difference(output: str, worst: Difference) -> str:
    index = f"[{','.join(map(str, worst.index))}]" if worst.index else ""
    permitted = ""
    if worst.permitted:
        low, high, *nan = worst.permitted
        permitted = f" (permitted {_number(low)} to {_number(high)}{' or nan' if nan else ''})"
    distance = "" if worst.ulp is None else f", {worst.ulp} ULP off"
    return (
        f"{output}{index}: expected {_number(worst.expected)}{permitted}, "
        f"got {_number(worst.got)}{distance}, {worst.wrong} of {worst.elements} wrong"
    )


def _number(value: Number) -> str:
    # Nine digits tell any two values of every format apart.
    return str(value) if isinstance(value, int) or math.isnan(value) else f"{value:.9g}"
