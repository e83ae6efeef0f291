"""A call of an operator as rules see it: types, shapes and attributes, and values where they ask.

A call carries no arithmetic: kernels compute, and rules judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from onnx_cts_specs.model import AttributeValue

Shape = tuple[int, ...]

Kind = Literal["number", "zero", "infinity", "nan"]


class Content(Protocol):
    """What rules may ask about the elements of a tensor.

    It cannot be hashed, or else those that are equal answer alike.
    """

    def kinds(self, rounded_to: str) -> frozenset[Kind]:
        """The kinds of numbers that there are among the elements, rounded to an element type."""

    def ends(self) -> tuple[float, float]:
        """The least and the greatest finite number; zeros where there is none."""


@dataclass(frozen=True)
class Tensor:
    """What rules may know of a tensor.

    Attributes:
        dtype: Its element type by ONNX name.
        shape: Its shape.
        nonzero: Whether any element differs from (positive) zero.
        content: What numbers it holds; None where nothing is known of them.
    """

    dtype: str
    shape: Shape
    nonzero: bool = False
    content: Content | None = field(default=None, repr=False, compare=False)

    def holds(self, kind: str, rounded_to: str) -> bool:
        """Whether some element is of a kind once it is rounded to an element type."""
        return self.content is not None and kind in self.content.kinds(rounded_to)


@dataclass(frozen=True)
class Call:
    """Inputs and attributes of one node. An input that is absent is None or not in the mapping."""

    inputs: Mapping[str, Tensor | None]
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)

    def present(self) -> dict[str, Tensor]:
        """The inputs that are there, by name."""
        return {name: tensor for name, tensor in self.inputs.items() if tensor is not None}
