"""ONNX models and tensors from cases: one node, presented in one of the ways a model may."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import onnx
from onnx import AttributeProto, FunctionProto, NodeProto, TensorProto, TypeProto, defs, helper

from onnx_cts_generator.case import Node, Presentation, Shape, Value, beside_defaults
from onnx_cts_reference.formats import integers_of, pack
from onnx_cts_specs import Spec
from onnx_cts_specs.model import AttributeValue, element_type

EXTERNAL_FILE = "parameters.bin"
PRODUCER = "onnx-cts"


def tensor_proto(name: str, value: Value, *, typed: bool = False) -> TensorProto:
    """A tensor in raw data or, ``typed``, in the field that onnx.proto names for its type."""
    tensor = TensorProto(name=name, data_type=value.format.code, dims=value.shape)
    if not typed:
        tensor.raw_data = pack(value.codes, value.format)
    elif value.format.name == "float":
        tensor.float_data.extend(value.numbers.reshape(-1).tolist())
    elif value.format.bits in (2, 4):
        # Packed bytes, one a field entry; six-bit types alone are not packed here.
        tensor.int32_data.extend(pack(value.codes, value.format))
    elif value.format.kind == "int":
        tensor.int32_data.extend(integers_of(value.codes, value.format).reshape(-1).tolist())
    else:
        tensor.int32_data.extend(value.codes.reshape(-1).tolist())
    return tensor


def build_model(node: Node, presentation: Presentation) -> tuple[bytes, dict[str, bytes]]:
    """A serialized model of one node, and the files of its external data by name."""
    parameters = {
        formal.name: node.inputs[formal.name]
        for formal in node.spec.parameters
        if formal.name in node.inputs
    }
    if presentation.parameters == "inputs":
        parameters = {}
    kind = presentation.parameters
    tensors = [
        tensor_proto(n, v, typed=presentation.storage == "typed") for n, v in parameters.items()
    ]
    files = _externalize(tensors) if presentation.storage == "external" else {}
    nodes = [_constant(t) for t in tensors] if kind == "constants" else []
    graph = onnx.GraphProto(
        name=node.spec.operator,
        node=[*nodes, *_node_protos(node, presentation)],
        input=[
            _value_info(name, value.format.code, value.shape, presentation.shapes)
            for name, value in node.inputs.items()
            if name not in parameters
        ],
        output=[
            _value_info(name, _code(dtype), shape, presentation.shapes)
            for name, (dtype, shape) in node.results.items()
        ],
        initializer=[] if kind == "constants" else tensors,
    )
    model = onnx.ModelProto(
        ir_version=min_ir_version(node.spec.domain, presentation.opset),
        producer_name=PRODUCER,
        opset_import=[helper.make_opsetid(node.spec.domain, presentation.opset)],
        graph=graph,
    )
    return model.SerializeToString(deterministic=True), files


@cache
def constant_types(opset: int) -> frozenset[str]:
    """The element types that a Constant may have at an opset of ONNX's own domain."""
    (constraint,) = defs.get_schema("Constant", opset, "").type_constraints
    allowed = (t for t in constraint.allowed_type_strs if t.startswith("tensor("))
    return frozenset(map(element_type, allowed))


@cache
def min_ir_version(domain: str, opset: int) -> int:
    """The lowest IR version of a model that imports an opset."""
    return helper.find_min_ir_version_for([helper.make_opsetid(domain, opset)])


@cache
def function_body(domain: str, operator: str, version: int) -> FunctionProto | None:
    """The body of an operator that is a function, None for another."""
    body: FunctionProto = defs.get_schema(operator, version, domain).function_body
    return body if body.node else None


def _node_protos(node: Node, presentation: Presentation) -> Sequence[NodeProto]:
    """The node, or the body of the function that it calls.

    The graph gives inputs and outputs the names of the formal ones, which a body uses too.
    """
    spec = node.spec
    body = function_body(spec.domain, spec.operator, spec.since_version)
    if presentation.expanded and body:
        return body_nodes(body)
    return [_node_proto(node, presentation), *_following(node, presentation)]


def _following(node: Node, presentation: Presentation) -> Iterator[NodeProto]:
    then = node.then
    if then is None:
        return
    names = {name: _passed_on(node, name) for name in node.outputs}
    inputs = [then.inputs.get(formal.name, "") for formal in then.spec.inputs]
    yield NodeProto(
        op_type=then.spec.operator,
        domain=then.spec.domain,
        input=without_trailing([names.get(name, name) for name in inputs]),
        output=list(then.outputs),
        attribute=_attributes(then.spec, then.attributes, spelled=presentation.spelled),
    )


def _passed_on(node: Node, output: str) -> str:
    """The name of an output in the graph: another where a second node has outputs as well."""
    return f"{node.spec.operator}_{output}" if node.then else output


def without_trailing(names: list[str]) -> list[str]:
    """Names of inputs without the empty ones at the end, which need no place."""
    while names and not names[-1]:
        names.pop()
    return names


def body_nodes(body: FunctionProto, prefix: str = "") -> list[NodeProto]:
    """The nodes of a function body whose inputs and outputs have their formal names in the graph.

    Args:
        body: The body, whose nodes refer to no attribute of the function.
        prefix: Begins every other name.
    """
    formal = {"", *body.input, *body.output}
    nodes = []
    for inner in body.node:
        node = NodeProto()
        node.CopyFrom(inner)
        for names in (node.input, node.output):
            names[:] = [name if name in formal else prefix + name for name in names]
        nodes.append(node)
    return nodes


def _code(dtype: str) -> int:
    return int(TensorProto.DataType.Value(dtype.upper()))


def _node_proto(node: Node, presentation: Presentation) -> NodeProto:
    names = [formal.name if formal.name in node.inputs else "" for formal in node.spec.inputs]
    # Absent inputs at the end are left out, unless the presentation spells them.
    last_empty = next(
        (f.name for f in reversed(node.spec.inputs) if f.name in presentation.empty_names), None
    )
    while names and not names[-1] and node.spec.inputs[len(names) - 1].name != last_empty:
        names.pop()
    return NodeProto(
        op_type=node.spec.operator,
        domain=node.spec.domain,
        input=names,
        output=[_passed_on(node, name) for name in node.outputs],
        attribute=_attributes(node.spec, node.attributes, spelled=presentation.spelled),
    )


def _attributes(
    spec: Spec, given: Mapping[str, AttributeValue], *, spelled: bool
) -> Iterable[AttributeProto]:
    defaults = {a.name: a.default for a in spec.attributes if spelled and a.default is not None}
    values = defaults | (dict(given) if spelled else beside_defaults(spec, given))
    return [helper.make_attribute(name, value) for name, value in sorted(values.items())]


def _value_info(name: str, code: int, shape: Shape, style: str) -> onnx.ValueInfoProto:
    tensor = TypeProto.Tensor(elem_type=code)
    tensor.shape.SetInParent()
    for axis, size in enumerate(shape):
        if style == "static":
            tensor.shape.dim.add(dim_value=size)
        elif style == "symbolic":
            tensor.shape.dim.add(dim_param=f"{name}_{axis}")
        else:
            # Without a shape at all onnx.checker refuses graph inputs and outputs.
            tensor.shape.dim.add()
    return onnx.ValueInfoProto(name=name, type=TypeProto(tensor_type=tensor))


def _constant(tensor: TensorProto) -> NodeProto:
    name = tensor.name
    tensor.ClearField("name")
    value = AttributeProto(name="value", type=AttributeProto.TENSOR, t=tensor)
    return NodeProto(op_type="Constant", output=[name], attribute=[value])


def _externalize(tensors: Iterable[TensorProto]) -> dict[str, bytes]:
    content = b""
    for tensor in tensors:
        entries = {
            "location": EXTERNAL_FILE,
            "offset": str(len(content)),
            "length": str(len(tensor.raw_data)),
        }
        content += tensor.raw_data
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in entries.items():
            tensor.external_data.add(key=key, value=value)
    return {EXTERNAL_FILE: content}
