"""onnion, which runs operators on NumPy alone: the node's class of ``onnion_runtime``."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

import onnion_runtime
import onnx
from onnx import numpy_helper


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """This version of onnx has no arrays of a type."""


class Adapter:
    """Node by node, as the Python code does that onnion's compiler writes; it has no variants."""

    documentation = "https://github.com/Idein/onnion"
    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": "onnion has no operator"},
        {"kind": "obscure", "pattern": "could not be broadcast together"},
    ]

    def __init__(self, variant: str | None) -> None:
        if variant is not None:
            raise ValueError(f"onnion has no variant {variant!r}, nor any other")
        self.version = metadata.version("onnion-rt")

    def load(self, model: bytes, folder: str | None) -> Any:
        """Make one object a node."""
        if folder is None:
            proto = onnx.load_from_string(model)
        else:
            proto = onnx.load(str(Path(folder, "model.onnx")))
        opset = next(o.version for o in proto.opset_import if o.domain in {"", "ai.onnx"})
        operators = []
        for node in proto.graph.node:
            if not onnion_runtime.is_supported(node.op_type):
                raise NotImplementedError(f"onnion has no operator {node.op_type}")
            attributes = {a.name: _attribute(a) for a in node.attribute}
            made = getattr(onnion_runtime, node.op_type)(opset, **attributes)
            operators.append((node, made))
        return proto.graph, operators

    def run(
        self, loaded: Any, inputs: list[tuple[str, int, tuple[int, ...], bytes]]
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Run the nodes in order on arrays."""
        graph, operators = loaded
        known = {"": None}
        known.update({tensor.name: _array(tensor) for tensor in graph.initializer})
        for name, code, shape, data in inputs:
            known[name] = _array(onnx.TensorProto(data_type=code, dims=shape, raw_data=data))
        for node, operator in operators:
            outputs = operator.run(*(known[name] for name in node.input))
            known.update(zip(node.output, outputs))  # noqa: B905 - Python 3.9 has no strict
        return [_tensor(known[output.name]) for output in graph.output]


def _attribute(proto: Any) -> Any:
    value = onnx.helper.get_attribute_value(proto)
    return _array(value) if isinstance(value, onnx.TensorProto) else value


def _array(proto: Any) -> Any:
    try:
        return numpy_helper.to_array(proto)
    except Exception as error:  # noqa: BLE001 - onnx has no one error for it
        raise NotRunnable(f"no array of element type {proto.data_type}: {error}") from None


def _tensor(output: Any) -> tuple[int, tuple[int, ...], bytes]:
    proto = numpy_helper.from_array(output)
    return proto.data_type, tuple(proto.dims), proto.raw_data
