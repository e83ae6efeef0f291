"""Named examples of operators as ONNX's backend test data, in its classic layout.

Examples with the names of ONNX's own node tests come out as ONNX's own generator would write them,
byte for byte, also where they do not keep to the page; ``strict`` gives them corrected.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version

import numpy as np
from onnx import NodeProto, helper

from onnx_cts_generator.case import Value
from onnx_cts_generator.emit import File, json_bytes, tensor_bytes
from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.models import body_nodes, function_body, min_ir_version, without_trailing
from onnx_cts_harness import layout
from onnx_cts_reference import BrokenRuleError, OpenQuestionError, evaluate
from onnx_cts_reference.formats import Float64s, Format, formats, values_of
from onnx_cts_specs import Spec
from onnx_cts_specs.examples import Example, ExampleTensor, examples_of

OFFICIAL_PRODUCER = "backend-test"
EXPANDED = "_expanded"
LISTING = "examples.json"


@dataclass(frozen=True)
class ExampleFiles:
    """The files of the examples of some operator versions; their listing comes last.

    The newest version of each operator fills ``node/``, the earlier ones ``v<version>/node/``, so
    that runtimes which stop at an older opset have their tests.

    Attributes:
        specs: The operator versions.
        strict: Whether examples that do not keep to the page are corrected.
    """

    specs: Sequence[Spec]
    strict: bool

    def __iter__(self) -> Iterator[File]:
        newest = {spec.operator: spec.since_version for spec in self.specs}
        hashes: dict[str, dict[str, str]] = {}
        listed: list[dict[str, object]] = []
        for spec in self.specs:
            is_newest = newest[spec.operator] == spec.since_version
            root = "node" if is_newest else f"v{spec.since_version}/node"
            for example in examples_of(spec.operator, spec.domain):
                if example.since > spec.since_version:
                    continue
                for form in _forms(spec, example):
                    listed.append(_listing(spec, form, strict=self.strict))
                    folder = f"{root}/{form.name}"
                    for name, content in example_files(spec, form, strict=self.strict):
                        hashes.setdefault(folder, {})[name] = hashlib.sha256(content).hexdigest()
                        yield folder, name, content
        generator = {"name": "onnx-cts", "version": version("onnx-cts")}
        document = {"generator": generator, "examples": listed, "files": hashes}
        yield ".", LISTING, json_bytes(document)


def _forms(spec: Spec, example: Example) -> Iterator[Example]:
    """An example and, of an operator that is a function, its twin with the body in its place."""
    yield example
    if function_body(spec.domain, spec.operator, spec.since_version):
        yield replace(example, name=example.name + EXPANDED)


def _listing(spec: Spec, example: Example, *, strict: bool) -> dict[str, object]:
    found: dict[str, object] = {
        "name": example.name,
        "operator": spec.operator,
        "version": spec.since_version,
    }
    if example.corrected:
        found["corrected" if strict else "amiss"] = example.corrected.why
    return found


def corrected(example: Example) -> Example:
    """An example as it would be if it kept to the page; one without a correction as it is."""
    if example.corrected is None:
        return example
    inputs = {
        name: replace(tensor, named="", shape=example.corrected.reshape.get(name, tensor.shape))
        for name, tensor in example.inputs.items()
    }
    return replace(example, inputs=inputs, reading="", corrected=None)


def example_files(spec: Spec, example: Example, *, strict: bool) -> Iterator[tuple[str, bytes]]:
    """The files of an example at a version, relative to its folder.

    Raises:
        GenerateError: The version does not admit the example.
    """
    if strict:
        example = corrected(example)
    values = {name: _value(spec, example, name) for name in example.inputs}
    outputs = _outputs(spec, example, values)
    yield layout.MODEL, _model(spec, example, values, outputs)
    for index, (name, value) in enumerate(values.items()):
        typed = example.inputs[name].storage == "typed"
        content = tensor_bytes(example.inputs[name].named or name, value, typed=typed)
        yield layout.input_path(index), content
    for index, (name, value) in enumerate(outputs.items()):
        typed = name in example.typed_outputs
        yield layout.output_path(index), tensor_bytes(name, value, typed=typed)


def _value(spec: Spec, example: Example, name: str) -> Value:
    tensor: ExampleTensor = example.inputs[name]
    form = formats()[tensor.type]
    codes = [_code(number, form) for number in tensor.values]
    if None in codes:
        number = tensor.values[codes.index(None)]
        raise GenerateError(
            f"{spec.path.with_name('examples.yaml')}: {example.name}: {name}: {number} is no value "
            f"of {form.name}; give one that it holds"
        )
    return Value(form, np.array(codes, form.code_dtype).reshape(tensor.shape))


def _code(number: float, form: Format) -> int | None:
    """The code of a number that a format holds exactly; positive zero for 0."""
    if math.isnan(number):
        return form.nan_code if form.nan else None
    if form.bits == 32:
        code = np.array(number, form.dtype).view(form.code_dtype).item()
        return int(code) if _numbers([code], form)[0] == number else None
    matches = np.flatnonzero(_numbers(range(1 << form.bits), form) == number)
    return int(matches[0]) if matches.size else None


def _numbers(codes: Sequence[int], form: Format) -> Float64s:
    return values_of(np.array(codes, form.code_dtype), form)


def _outputs(spec: Spec, example: Example, values: Mapping[str, Value]) -> dict[str, Value]:
    arrays = [values[i.name].array if i.name in values else None for i in spec.inputs]
    try:
        expected = evaluate(
            spec.operator,
            spec.since_version,
            arrays,
            example.attributes,
            spec.domain,
            reading=example.reading or None,
        )
    except (BrokenRuleError, OpenQuestionError) as error:
        place = f"{spec.path.with_name('examples.yaml')}: {example.name}"
        raise GenerateError(f"{place}: {error}; correct `since`, `reading` or the call") from None
    return {o.name: Value.of(e.value) for o, e in zip(spec.outputs, expected, strict=True)}


def _model(
    spec: Spec, example: Example, values: Mapping[str, Value], outputs: Mapping[str, Value]
) -> bytes:
    names = {name: tensor.named or name for name, tensor in example.inputs.items()}
    inputs, results = (
        [
            helper.make_tensor_value_info(names.get(name, name), value.format.code, value.shape)
            for name, value in tensors.items()
        ]
        for tensors in (values, outputs)
    )
    model = helper.make_model(
        helper.make_graph(_nodes(spec, example, names), example.name, inputs, results),
        producer_name=OFFICIAL_PRODUCER,
        opset_imports=[helper.make_opsetid(spec.domain, spec.since_version)],
        ir_version=min_ir_version(spec.domain, spec.since_version),
    )
    content: bytes = model.SerializeToString()
    return content


def _nodes(spec: Spec, example: Example, names: Mapping[str, str]) -> list[NodeProto]:
    body = function_body(spec.domain, spec.operator, spec.since_version)
    if body and example.name.endswith(EXPANDED):
        return body_nodes(body, f"{spec.operator}_{example.name}_function_")
    node: NodeProto = helper.make_node(
        spec.operator,
        without_trailing([names.get(i.name, "") for i in spec.inputs]),
        [output.name for output in spec.outputs],
    )
    node.attribute.extend(
        helper.make_attribute(n, v) for n, v in sorted(example.attributes.items())
    )
    return [node]
