"""The call that a model of one node makes: operator, version, arrays and attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from onnx_cts_reference.evaluation import evaluate
from onnx_cts_reference.expected import Expected
from onnx_cts_reference.formats import Array, array_of, format_of_code, unpack
from onnx_cts_specs import Spec, UnknownOperatorError, spec_for, versions

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto


class ModelCallError(ValueError):
    """A model that does not come down to one node of an operator with a spec."""


@dataclass(frozen=True)
class ModelCall:
    """One call of an operator.

    Attributes:
        spec: The spec of the version that the model's opset makes current.
        inputs: Arrays in the order of the formal inputs, None for an absent one.
        attributes: The attributes that the node gives, by name.
    """

    spec: Spec
    inputs: tuple[Array | None, ...]
    attributes: Mapping[str, Any]

    def expected(self, reading: str | Sequence[str] | None = None) -> tuple[Expected, ...]:
        """The outputs of the call; the reading and what is raised are those of ``evaluate``."""
        spec = self.spec
        return evaluate(
            spec.operator,
            spec.since_version,
            self.inputs,
            self.attributes,
            spec.domain,
            reading=reading,
        )


def call_of(model: ModelProto, feeds: Mapping[str, Array], files: Mapping[str, bytes]) -> ModelCall:
    """The call that a model makes: one node, and tensors by graph input, initializer or Constant.

    Args:
        model: The model.
        feeds: Arrays for graph inputs, by name.
        files: External data, by file name.

    Raises:
        ModelCallError: The model has not one node beside Constants, an input has no value, or
            there is no spec for the node's operator at the model's opset.
    """
    from onnx import helper

    spec, node = operator_of(model)
    constants = {
        node.output[0]: a.t
        for node in model.graph.node
        if node.op_type == "Constant"
        for a in node.attribute
        if a.name == "value"
    }
    tensors = {t.name: t for t in model.graph.initializer} | constants
    arrays = {name: _array(tensor, files) for name, tensor in tensors.items()} | dict(feeds)
    missing = [name for name in node.input if name and name not in arrays]
    if missing:
        raise ModelCallError(f"the input {missing[0]} of the node has no value")
    return ModelCall(
        spec,
        tuple(arrays[name] if name else None for name in node.input),
        {a.name: _plain(helper.get_attribute_value(a)) for a in node.attribute},
    )


def operator_of(model: ModelProto) -> tuple[Spec, NodeProto]:
    """The one node of a model beside Constants, and the spec that its opset makes current.

    Raises:
        ModelCallError: There is not just one, or no spec for its operator at the model's opset.
    """
    nodes = [node for node in model.graph.node if node.op_type != "Constant"]
    if len(nodes) != 1:
        raise ModelCallError(f"the model has {len(nodes)} nodes beside Constants; one is needed")
    (node,) = nodes
    opset = next((o.version for o in model.opset_import if o.domain == node.domain), 0)
    try:
        current = [v for v in versions(node.op_type, node.domain) if v <= opset]
    except UnknownOperatorError as error:
        raise ModelCallError(str(error)) from None
    if not current:
        raise ModelCallError(f"{node.op_type} has no version at opset {opset} of its domain")
    return spec_for(node.op_type, max(current), node.domain), node


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


def _array(tensor: TensorProto, files: Mapping[str, bytes]) -> Array:
    from onnx import TensorProto, numpy_helper

    data = tensor.raw_data
    if tensor.data_location == TensorProto.EXTERNAL:
        entries = {e.key: e.value for e in tensor.external_data}
        content = files.get(entries.get("location", ""))
        if content is None:
            raise ModelCallError(f"the external data of {tensor.name} is not there")
        start = int(entries.get("offset", 0))
        data = content[start : start + int(entries.get("length", len(content)))]
    elif not tensor.HasField("raw_data"):
        array: Array = numpy_helper.to_array(tensor)
        return array
    form = format_of_code(tensor.data_type)
    return array_of(unpack(data, form, tuple(tensor.dims)), form)
