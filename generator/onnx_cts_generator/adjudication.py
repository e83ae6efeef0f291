"""What the spec and the reference say of a model of one node, for a person with a bug report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.patterns import PATTERNS, codes_for
from onnx_cts_generator.quotients import Among
from onnx_cts_harness import layout
from onnx_cts_harness.by_reference import Ruling, ruled
from onnx_cts_harness.case import Case, LoadedCase
from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.external_data import external_files
from onnx_cts_harness.protos import fed_inputs, parse_proto
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.tensor import parse_tensor
from onnx_cts_reference.formats import Array, array_of, format_of_code, formats
from onnx_cts_reference.model_calls import ModelCall, ModelCallError, call_of, operator_of
from onnx_cts_specs import Rule

if TYPE_CHECKING:
    from onnx import ModelProto


@dataclass(frozen=True)
class Adjudication:
    """A model and what is known of it.

    Attributes:
        call: The call that it makes.
        ruling: What the spec and the reference say of the call.
        entry: The call as a case that backends can run, with its inputs.
        loaded: The same, loaded.
    """

    call: ModelCall
    ruling: Ruling
    entry: CaseEntry
    loaded: LoadedCase

    def rules(self) -> Iterator[tuple[Rule, str]]:
        """Each rule, and whether the call meets it: met, broken, left open, or does not apply."""
        excused = {rule_id for q in self.ruling.judgement.questions for rule_id in q.excuses}
        for rule in self.call.spec.rules:
            if rule in self.ruling.judgement.broken:
                yield rule, "broken"
            elif rule.id in excused:
                yield rule, "left open"
            elif not rule.when or rule in self.ruling.judgement.applied:
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
        files = external_files(model, path.parent)
        call = call_of(model, feeds, files)
    except (ModelCallError, ValueError) as error:
        raise GenerateError(f"{path}: {error}") from None
    ruling = ruled(call)
    case = _case(path.name, model, feeds, call, ruling)
    spec = call.spec
    entry = CaseEntry(
        path.name, spec.domain, spec.operator, spec.since_version, ruling.expectation, hashes={}
    )
    loaded = LoadedCase(
        case,
        model.SerializeToString(),
        files,
        tuple(tensor_of(array) for array in feeds.values()),
        ruling.expected,
        ruling.readings,
    )
    return Adjudication(call, ruling, entry, loaded)


def _read_model(path: Path) -> ModelProto:
    from onnx import ModelProto

    try:
        return parse_proto(ModelProto, path.read_bytes())
    except OSError as error:
        raise GenerateError(f"{path}: cannot be read: {error.strerror}; check the path") from None
    except ValueError as error:
        raise GenerateError(f"{path}: {error}; name a file with one ONNX model") from None


def _read_inputs(model: ModelProto, data: Path) -> dict[str, Array]:
    found = {}
    for index, name in enumerate(fed_inputs(model)):
        file = data / layout.input_name(index)
        try:
            tensor = parse_tensor(file.read_bytes())
        except OSError as error:
            raise GenerateError(
                f"{file}: cannot be read: {error.strerror}; the model has the inputs "
                f"{', '.join(fed_inputs(model))}, one file each"
            ) from None
        except ValueError as error:
            raise GenerateError(f"{file}: {error}") from None
        found[name] = tensor.array
    return found


def _made_inputs(model: ModelProto) -> dict[str, Array]:
    spec, node = operator_of(model)
    patterns = {
        name: formal.patterns or PATTERNS[formal.role]
        for name, formal in zip(node.input, spec.inputs, strict=False)
    }
    infos = {i.name: i.type.tensor_type for i in model.graph.input}
    found = {}
    for name in fed_inputs(model):
        kind = infos[name]
        if any(not dim.HasField("dim_value") for dim in kind.shape.dim):
            raise ModelCallError(f"the input {name} has no static shape; name its data by --data")
        try:
            form = format_of_code(kind.elem_type)
        except KeyError:
            raise ModelCallError(f"no values can be made for the type of {name}") from None
        shape = tuple(dim.dim_value for dim in kind.shape.dim)
        pattern = patterns.get(name, PATTERNS["data"])[0]
        codes = codes_for(pattern, form, shape, 0, Among(formats()["float"]))
        found[name] = array_of(codes, form)
    return found


def _case(
    name: str, model: ModelProto, feeds: Mapping[str, Array], call: ModelCall, ruling: Ruling
) -> Case:
    spec = call.spec
    return Case(
        id=name,
        domain=spec.domain,
        operator=spec.operator,
        version=spec.since_version,
        opset=next(o.version for o in model.opset_import if o.domain == spec.domain),
        expectation=ruling.expectation,
        dtypes={fed: str(array.dtype) for fed, array in feeds.items()},
        inputs=tuple(feeds),
        outputs=tuple(output.name for output in model.graph.output),
        granularity=ruling.judgement.granularity or None,
        features=(),
        rules=ruling.rules,
        stage=(),
        reading=tuple(ruling.readings),
    )
