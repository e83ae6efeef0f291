"""A call of an operator as rules see it: types, shapes and attributes, and values where they ask.

A call carries no arithmetic: kernels compute, and rules judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from onnx_cts_specs.model import AttributeValue

Shape = tuple[int, ...]

Kind = Literal["number", "zero", "infinity", "nan"]
Content = Callable[[str, str], frozenset[Kind]]
"""The kinds of the elements of a tensor, given its own element type and the one to round to."""


def _numbers(_own: str, _rounded_to: str) -> frozenset[Kind]:
    return frozenset({"number"})


@dataclass(frozen=True)
class Tensor:
    """What rules may know of a tensor.

    Attributes:
        dtype: Its element type by ONNX name.
        shape: Its shape.
        nonzero: Whether any element differs from (positive) zero.
        content: What kinds of numbers it holds.
    """

    dtype: str
    shape: Shape
    nonzero: bool = False
    content: Content = field(default=_numbers, repr=False, compare=False)

    def holds(self, kind: str, rounded_to: str) -> bool:
        """Whether some element is of a kind once it is rounded to an element type."""
        return kind in self.content(self.dtype, rounded_to)


@dataclass(frozen=True)
class Call:
    """Inputs and attributes of one node. An input that is absent is None or not in the mapping."""

    inputs: Mapping[str, Tensor | None]
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)

    def present(self) -> dict[str, Tensor]:
        """The inputs that are there, by name."""
        return {name: tensor for name, tensor in self.inputs.items() if tensor is not None}
