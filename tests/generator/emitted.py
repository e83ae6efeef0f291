"""A suite read back from disk with onnx alone: models, tensors and case.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import oracle
from code_arrays import type_name
from dequantize_calls import VERSIONS
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, defs, helper, numpy_helper

OPERATOR = "DequantizeLinear"
__all__ = ["OPERATOR", "VERSIONS", "EmittedCase", "EmittedSuite", "Tensor", "read_tensor"]


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor by the codes of its elements, as onnx's own reader has them."""

    type: str
    codes: NDArray[np.int64]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.codes.shape

    @property
    def numbers(self) -> list[oracle.Number]:
        """The numbers of the elements in C order."""
        return [oracle.decode(int(code), self.type) for code in self.codes.reshape(-1)]

    def at(self, index: tuple[int, ...]) -> oracle.Number:
        return oracle.decode(int(self.codes[index]), self.type)


def read_tensor(proto: TensorProto) -> Tensor:
    return tensor_of(numpy_helper.to_array(proto))


def tensor_of(array: NDArray[Any]) -> Tensor:
    name = type_name(array.dtype)
    plain = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)
    return Tensor(name, plain.astype(np.int64) & ((1 << oracle.BITS[name]) - 1))


class EmittedSuite:
    """A suite on disk, and the cases of one operator in it."""

    def __init__(self, folder: Path, operator: str = OPERATOR) -> None:
        self.folder = folder
        self.operator = operator

    def about(self, operator: str) -> EmittedSuite:
        """The same suite, with the cases of another operator."""
        return EmittedSuite(self.folder, operator)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text("utf-8"))
        return manifest

    @cached_property
    def every(self) -> tuple[EmittedCase, ...]:
        """Every case folder of the operator, whatever the manifest says."""
        found = sorted((self.folder / "ai.onnx" / self.operator).rglob("case.json"))
        return tuple(EmittedCase(path.parent) for path in found)

    @cached_property
    def cases(self) -> tuple[EmittedCase, ...]:
        """The cases whose models have one node."""
        return tuple(case for case in self.every if not case.is_chained)

    def of(self, version: int, *expectations: str) -> tuple[EmittedCase, ...]:
        """The cases of one version, and of these expectations where some are named."""
        return tuple(
            case
            for case in self.cases
            if case.version == version and (not expectations or case.expectation in expectations)
        )

    def entry(self, version: int) -> dict[str, Any]:
        """What the manifest states of a version."""
        operators = [o for o in self.manifest["operators"] if o["operator"] == self.operator]
        entry: dict[str, Any] = next(o for o in operators if o["version"] == version)
        return entry

    def coverage(self, version: int) -> dict[str, Any]:
        """What the manifest states of the coverage of a version."""
        coverage: dict[str, Any] = self.entry(version)["coverage"]
        return coverage

    def version_folder(self, version: int) -> Path:
        return self.folder / "ai.onnx" / self.operator / f"v{version}"


class EmittedCase:
    """A case folder, read file by file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __repr__(self) -> str:
        return f"{self.folder.parent.name}/{self.name}"

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def version(self) -> int:
        return int(self.folder.parent.name.removeprefix("v"))

    @property
    def expectation(self) -> str:
        """By the name of the folder, which is the contract with every runner."""
        return {"test": "value", "reject": "reject", "open": "open"}[self.name.partition("_")[0]]

    @property
    def is_chained(self) -> bool:
        """Whether the model has a second node."""
        return any(text.startswith("chain:") for text in self.document["features"])

    @cached_property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads((self.folder / "case.json").read_text("utf-8"))
        return document

    @property
    def claims(self) -> dict[str, str]:
        """The features of case.json that name a factor and its value."""
        pairs = (text.partition(":") for text in self.document["features"] if ":" in text)
        return {factor: value for factor, _, value in pairs}

    @property
    def path(self) -> Path:
        return self.folder / "model.onnx"

    @cached_property
    def model(self) -> ModelProto:
        """The model as its file has it."""
        return onnx.load(self.path, load_external_data=False)

    @cached_property
    def node(self) -> NodeProto:
        """The one node that is no Constant."""
        (node,) = (n for n in self.model.graph.node if n.op_type != "Constant")
        return node

    @cached_property
    def schema(self) -> defs.OpSchema:
        return defs.get_schema(OPERATOR, self.version)

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """The attributes that stand in the node."""
        return {a.name: helper.get_attribute_value(a) for a in self.node.attribute}

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute as the node has it, or its default by onnx.defs where it has one."""
        if name not in self.schema.attributes:
            return self.attributes.get(name, default)
        standard = helper.get_attribute_value(self.schema.attributes[name].default_value)
        return self.attributes.get(name, standard)

    @property
    def named_inputs(self) -> dict[str, str]:
        """The names in the graph of the inputs that are there, by their formal names."""
        pairs = zip((formal.name for formal in self.schema.inputs), self.node.input, strict=False)
        return {formal: name for formal, name in pairs if name}

    @cached_property
    def inputs(self) -> Mapping[str, Tensor]:
        """The tensors of the node by formal name, wherever the model keeps them."""
        model = onnx.load(self.path)
        protos = {tensor.name: tensor for tensor in model.graph.initializer}
        for node in model.graph.node:
            if node.op_type == "Constant":
                protos[node.output[0]] = helper.get_node_attr_value(node, "value")
        for index, given in enumerate(model.graph.input):
            protos[given.name] = self.proto(f"test_data_set_0/input_{index}.pb")
        return {formal: read_tensor(protos[name]) for formal, name in self.named_inputs.items()}

    @property
    def declared(self) -> ValueInfoProto:
        """What the model declares of its output."""
        (output,) = self.model.graph.output
        return output

    @property
    def output_type(self) -> str:
        code = self.declared.type.tensor_type.elem_type
        return TensorProto.DataType.Name(code).lower()

    def proto(self, file: str) -> TensorProto:
        return TensorProto.FromString((self.folder / file).read_bytes())

    def tensor(self, file: str) -> Tensor:
        """A tensor in a file of the folder."""
        return read_tensor(self.proto(file))

    def has(self, file: str) -> bool:
        return (self.folder / file).exists()

    @property
    def granularity(self) -> str:
        """What the shapes and attributes select by the operator's page."""
        rank, scale_rank = (len(self.inputs[name].shape) for name in ("x", "x_scale"))
        if scale_rank == 0:
            return "per-tensor"
        if scale_rank == 1 and not (rank == 1 and self.attribute("block_size", 0)):
            return "per-axis"
        return "blocked"
