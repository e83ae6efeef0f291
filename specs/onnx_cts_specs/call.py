"""A call of an operator as rules see it: types, shapes and attributes, and values where they ask.

A call carries no arithmetic: kernels compute, and rules judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from onnx_cts_specs.model import AttributeValue

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Tensor:
    """What rules may know of a tensor: its element type by ONNX name, its shape, if it is zero."""

    dtype: str
    shape: Shape
    nonzero: bool = False


@dataclass(frozen=True)
class Call:
    """Inputs and attributes of one node. An input that is absent is None or not in the mapping."""

    inputs: Mapping[str, Tensor | None]
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)

    def present(self) -> dict[str, Tensor]:
        """The inputs that are there, by name."""
        return {name: tensor for name, tensor in self.inputs.items() if tensor is not None}
