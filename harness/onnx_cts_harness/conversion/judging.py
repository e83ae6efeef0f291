"""Judge a case whose model was converted to another opset.

The expectation is that of the model before: a conversion must not change what a model asks. Who is
at fault is told apart by what the spec and the reference say of the converted model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import onnx

from onnx_cts_harness.attempt import Attempt, judge
from onnx_cts_harness.by_reference import Ruling, ruling
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.conversion.converter import NAME, Converted, Converter
from onnx_cts_harness.protos import fed_inputs, opset_of
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Conversion, Result, unjudged, verify

#: The fault of a conversion after which an answer is right that was wrong before.
OTHER_MEANING = "the converted model permits this answer, and the model before does not"
#: The reading of a case whose invalid model was converted to a valid one, and then computed.
MADE_VALID = "made-valid"

Attempting = Callable[[LoadedCase], Attempt]


def judged_converted(
    converter: Converter, entry: CaseEntry, loaded: LoadedCase, attempting: Attempting
) -> Result:
    """Convert the model of a case, run it, and judge both.

    Args:
        converter: The converter.
        entry: The case.
        loaded: The case with its model as it is.
        attempting: Gives a backend a case.

    Raises:
        BackendError: The converter or the backend cannot go on.
    """
    source = converter.source(loaded)
    if source is None:
        return judge(entry, loaded, attempting(loaded))
    made = converter.convert(loaded)
    if isinstance(made, Converted):
        fault, result = _judged(entry, loaded, made, converter.opset, attempting)
    else:
        fault, result = "", verify(entry, loaded, made)
        result = replace(result, message=f"{NAME}: {result.message}")
    return replace(result, converted=Conversion(source, converter.opset, fault))


def _judged(
    entry: CaseEntry, before: LoadedCase, made: Converted, opset: int, attempting: Attempting
) -> tuple[str, Result]:
    """What is wrong with a converted model, and the result."""
    loaded, ruled = made.loaded, _ruling(made.loaded)
    valid = loaded.case.expectation == "value"
    if valid and (fault := _fault(before, made, opset, ruled)):
        # What a backend makes of it says nothing: what it was given is not what was asked.
        return fault, replace(unjudged(entry, loaded), verdict=Verdict.WRONG_VALUE)
    tried = attempting(loaded)
    result = judge(entry, loaded, tried)
    if result.verdict is Verdict.ACCEPTED_INVALID:
        return "", _of_invalid(result, made, ruled)
    if result.verdict.is_failure and ruled is not None:
        return _by_target(entry, loaded, tried, ruled, result)
    return "", result


def _ruling(loaded: LoadedCase) -> Ruling | None:
    feeds = dict(zip(loaded.case.inputs, loaded.inputs, strict=True))
    return ruling(onnx.ModelProto.FromString(loaded.model), feeds, loaded.files)


def _fault(before: LoadedCase, made: Converted, wanted: int, ruled: Ruling | None) -> str:
    """Why a converted model cannot be what the valid model before was; "" if it may be."""
    model = onnx.ModelProto.FromString(made.loaded.model)
    if (opset := opset_of(model)) != wanted:
        return f"the converted model has the opset {opset}"
    source = onnx.ModelProto.FromString(before.model)
    if fed_inputs(model) != fed_inputs(source):
        return "the converted model has other inputs"
    if [value.name for value in model.graph.output] != [v.name for v in source.graph.output]:
        return "the converted model has other outputs"
    if made.rejected:
        return f"the converted model is invalid: {made.rejected}"
    if ruled is not None and ruled.expectation == "reject":
        rules = "; ".join(f"{rule.id}: {rule.says}" for rule in ruled.judgement.broken)
        return f"the converted model is invalid: {rules}"
    return ""


def _of_invalid(result: Result, made: Converted, ruled: Ruling | None) -> Result:
    """What to make of a backend that computed what became of an invalid model."""
    still = made.invalid if ruled is None else ruled.expectation == "reject"
    if still:
        return result
    return replace(result, verdict=Verdict.OPEN, reading=MADE_VALID, message="")


def _by_target(
    entry: CaseEntry, loaded: LoadedCase, tried: Attempt, ruled: Ruling, result: Result
) -> tuple[str, Result]:
    """Who is at fault for a wrong answer, by what the converted model asks by itself."""
    asked = replace(
        loaded,
        case=replace(loaded.case, expectation=ruled.expectation, rules=ruled.rules),
        expected=ruled.expected,
        readings=ruled.readings,
    )
    alone = verify(entry, asked, tried.outcome)
    if alone.verdict is Verdict.OPEN:
        return "", replace(alone, expectation=result.expectation, presented=tried.presented)
    if alone.verdict.is_failure:
        return "", result
    return OTHER_MEANING, replace(result, diagnosis=None)
