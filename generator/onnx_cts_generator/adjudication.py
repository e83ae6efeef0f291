"""What the spec and the reference say of a model of one node, for a person with a bug report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.patterns import PATTERNS, codes_for
from onnx_cts_harness import layout
from onnx_cts_harness.case import Case, Expectation, Expected, LoadedCase
from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.protos import parse_proto
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.tensor import Tensor, parse_tensor
from onnx_cts_reference import Expected as Answer
from onnx_cts_reference import OpenQuestionError, evaluate
from onnx_cts_reference.formats import Array, array_of, format_of_code, formats
from onnx_cts_reference.model_calls import ModelCall, ModelCallError, call_of, operator_of
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Judgement, Rule, judge

if TYPE_CHECKING:
    from onnx import ModelProto

Answers = Mapping[str, tuple[Answer, ...]]
"""The outputs under each answer to an open question; under "" where nothing is open."""


@dataclass(frozen=True)
class Adjudication:
    """A model and what is known of it.

    Attributes:
        call: The call that it makes.
        judgement: What the spec says of the call.
        answers: The outputs that are right.
        entry: The call as a case that backends can run, with its inputs.
        loaded: The same, loaded.
    """

    call: ModelCall
    judgement: Judgement
    answers: Answers
    entry: CaseEntry
    loaded: LoadedCase

    def rules(self) -> Iterator[tuple[Rule, str]]:
        """Each rule, and whether the call meets it: met, broken, left open, or does not apply."""
        excused = {rule_id for q in self.judgement.questions for rule_id in q.excuses}
        for rule in self.call.spec.rules:
            if rule in self.judgement.broken:
                yield rule, "broken"
            elif rule.id in excused:
                yield rule, "left open"
            elif not rule.when or rule in self.judgement.applied:
                yield rule, "met"
            else:
                yield rule, "does not apply"


def adjudicated(path: Path, data: Path | None) -> Adjudication:
    """Read a model of one node, and say what the spec and the reference make of it.

    Args:
        path: The model's file. Its external data must lie beside it.
        data: A folder with ``input_<i>.pb`` for the graph inputs in order; without it inputs are
            generated, as the declared shapes and the roles of the inputs have it.

    Raises:
        GenerateError: The model or its inputs cannot be used.
    """
    model = _read_model(path)
    try:
        feeds = _read_inputs(model, data) if data else _made_inputs(model)
        call = call_of(model, feeds, _external_data(model, path))
    except (ModelCallError, ValueError) as error:
        raise GenerateError(f"{path}: {error}") from None
    given = zip(call.spec.inputs, call.inputs, strict=False)
    arrays = {formal.name: array for formal, array in given if array is not None}
    judgement = judge(call.spec, call_from(arrays, call.attributes))
    answers = {} if judgement.broken else _answers(call)
    entry, loaded = _as_case(
        path, model, feeds=feeds, call=call, judgement=judgement, answers=answers
    )
    return Adjudication(call, judgement, answers, entry, loaded)


def _read_model(path: Path) -> ModelProto:
    from onnx import ModelProto

    try:
        return parse_proto(ModelProto, path.read_bytes())
    except OSError as error:
        raise GenerateError(f"{path}: cannot be read: {error.strerror}; check the path") from None
    except ValueError as error:
        raise GenerateError(f"{path}: {error}; name a file with one ONNX model") from None


def _external_data(model: ModelProto, path: Path) -> dict[str, bytes]:
    from onnx import TensorProto

    found: dict[str, bytes] = {}
    for tensor in model.graph.initializer:
        if tensor.data_location == TensorProto.EXTERNAL:
            location = next((e.value for e in tensor.external_data if e.key == "location"), "")
            file = path.parent / location
            if not location or Path(location).name != location or file.is_symlink():
                raise ValueError(f"the data of {tensor.name} is not in a file beside the model")
            if file.is_file():
                found[location] = file.read_bytes()
    return found


def _fed(model: ModelProto) -> list[str]:
    stored = {tensor.name for tensor in model.graph.initializer}
    return [i.name for i in model.graph.input if i.name not in stored]


def _read_inputs(model: ModelProto, data: Path) -> dict[str, Array]:
    found = {}
    for index, name in enumerate(_fed(model)):
        file = data / layout.input_name(index)
        try:
            tensor = parse_tensor(file.read_bytes())
        except OSError as error:
            raise GenerateError(
                f"{file}: cannot be read: {error.strerror}; the model has the inputs "
                f"{', '.join(_fed(model))}, one file each"
            ) from None
        except ValueError as error:
            raise GenerateError(f"{file}: {error}") from None
        found[name] = array_of(tensor.codes, tensor.format)
    return found


def _made_inputs(model: ModelProto) -> dict[str, Array]:
    spec, node = operator_of(model)
    roles = {name: formal.role for name, formal in zip(node.input, spec.inputs, strict=False)}
    infos = {i.name: i.type.tensor_type for i in model.graph.input}
    found = {}
    for name in _fed(model):
        kind = infos[name]
        if any(not dim.HasField("dim_value") for dim in kind.shape.dim):
            raise ModelCallError(f"the input {name} has no static shape; name its data by --data")
        try:
            form = format_of_code(kind.elem_type)
        except KeyError:
            raise ModelCallError(f"no values can be made for the type of {name}") from None
        shape = tuple(dim.dim_value for dim in kind.shape.dim)
        role = roles.get(name, "data")
        pattern = PATTERNS[role][0] if form.is_float or role != "scale" else "range"
        found[name] = array_of(codes_for(pattern, form, shape, 0, formats()["float"]), form)
    return found


def _answers(call: ModelCall) -> Answers:
    spec = call.spec

    def computed(*readings: str) -> tuple[Answer, ...]:
        return evaluate(
            spec.operator,
            spec.since_version,
            call.inputs,
            call.attributes,
            spec.domain,
            reading=readings,
        )

    def branches(*readings: str) -> Iterator[tuple[str, tuple[Answer, ...]]]:
        try:
            yield " + ".join(readings), computed(*readings)
        except OpenQuestionError as question:
            for reading in question.readings:
                if reading != layout.REFUSED:
                    yield from branches(*readings, reading)

    return dict(branches())


def _as_case(
    path: Path,
    model: ModelProto,
    *,
    feeds: Mapping[str, Array],
    call: ModelCall,
    judgement: Judgement,
    answers: Answers,
) -> tuple[CaseEntry, LoadedCase]:
    spec = call.spec
    expectation: Expectation = "value"
    if judgement.broken:
        expectation = "reject"
    elif judgement.questions:
        expectation = "open"
    entry = CaseEntry(
        path.name, spec.domain, spec.operator, spec.since_version, expectation, hashes={}
    )
    names = {o.name: o.type.tensor_type.elem_type for o in model.graph.output}
    case = Case(
        id=path.name,
        domain=spec.domain,
        operator=spec.operator,
        version=spec.since_version,
        opset=next(o.version for o in model.opset_import if o.domain == spec.domain),
        expectation=expectation,
        dtypes={name: str(array.dtype) for name, array in feeds.items()},
        inputs=tuple(feeds),
        outputs=tuple(names),
        granularity=judgement.granularity or None,
        features=(),
        rules=tuple(r.id for r in judgement.broken) or tuple(q.id for q in judgement.questions),
        stage=(),
        reading=tuple(answers),
    )
    value = answers.get("", ())
    expected = tuple(_expected(answer) for answer in value)
    readings = {n: tuple(tensor_of(a.value) for a in found) for n, found in answers.items() if n}
    inputs: tuple[Tensor, ...] = tuple(tensor_of(array) for array in feeds.values())
    loaded = LoadedCase(
        case, model.SerializeToString(), _external_data(model, path), inputs, expected, readings
    )
    return entry, loaded


def _expected(answer: Answer) -> Expected:
    if answer.is_single:
        return Expected(tensor_of(answer.value), None, None)
    return Expected(*(tensor_of(a) for a in (answer.value, answer.lower, answer.upper)))
