"""What the spec and the reference say of a model of one node that came without our bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onnx_cts_harness import layout
from onnx_cts_harness.case import Expectation, Expected
from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference import Expected as Answer
from onnx_cts_reference import OpenQuestionError
from onnx_cts_reference.model_calls import ModelCall, ModelCallError, call_of, operator_of
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Judgement, judge

if TYPE_CHECKING:
    from onnx import ModelProto


@dataclass(frozen=True)
class Ruling:
    """What must happen with a call.

    Attributes:
        judgement: What the spec says of it.
        expected: Its outputs, if the text settles them.
        readings: Its outputs under each answer to the questions that it raises; none for an answer
            that the call is refused.
    """

    judgement: Judgement
    expected: tuple[Expected, ...]
    readings: Mapping[str, tuple[Tensor, ...]]

    @property
    def expectation(self) -> Expectation:
        """What a backend is to do."""
        if self.judgement.broken:
            return "reject"
        return "open" if self.judgement.questions else "value"

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules broken, or the questions raised."""
        found = self.judgement.broken or self.judgement.questions
        return tuple(entry.id for entry in found)


def ruling(
    model: ModelProto, feeds: Mapping[str, Tensor], files: Mapping[str, bytes]
) -> Ruling | None:
    """What the reference says of a model; None for what is no one call that it knows.

    Args:
        model: The model.
        feeds: Its inputs by name.
        files: Its external data by location.
    """
    call = _call(model, feeds, files)
    return ruled(call) if call else None


def ruled(call: ModelCall) -> Ruling:
    """What the spec and the reference say of a call."""
    given = zip(call.spec.inputs, call.inputs, strict=False)
    arrays = {formal.name: array for formal, array in given if array is not None}
    judgement = judge(call.spec, call_from(arrays, call.attributes))
    answers = {} if judgement.broken else dict(_answers(call))
    expected = tuple(_expected(answer) for answer in answers.pop("", ()))
    readings = {name: tuple(tensor_of(a.value) for a in found) for name, found in answers.items()}
    return Ruling(judgement, expected, readings)


def _call(
    model: ModelProto, feeds: Mapping[str, Tensor], files: Mapping[str, bytes]
) -> ModelCall | None:
    # A function of the model's own may carry the name of any operator.
    if model.functions:
        return None
    try:
        _, node = operator_of(model)
        if [output.name for output in model.graph.output] != list(node.output):
            return None
        arrays = {name: t.array for name, t in feeds.items()}
        call = call_of(model, arrays, files)
    except (ModelCallError, ValueError, KeyError):
        return None
    return call if len(call.inputs) <= len(call.spec.inputs) else None


def _answers(call: ModelCall, *readings: str) -> Iterator[tuple[str, Sequence[Answer]]]:
    """The outputs under each answer to the open questions of a call, "" if there are none."""
    try:
        found = call.expected(readings)
    except OpenQuestionError as question:
        for reading in question.readings:
            if reading != layout.REFUSED:
                yield from _answers(call, *readings, reading)
    else:
        yield " + ".join(readings), found


def _expected(answer: Answer) -> Expected:
    if answer.is_single:
        return Expected(tensor_of(answer.value), None, None)
    return Expected(*(tensor_of(a) for a in (answer.value, answer.lower, answer.upper)))
