"""What a kernel is given: one valid call, with its granularity and output types settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from onnx_cts_reference.formats import Array, Codes, Float64s, Format, codes_of, format_of_dtype
from onnx_cts_reference.formats import values_of as _values_of

Outputs = tuple[Array, ...]
Readings = Mapping[str, Callable[[], Outputs]]
"""For each reading of the spec, what computes the outputs under it."""


@dataclass(frozen=True)
class Operand:
    """An input array in the dtype of its format."""

    array: Array

    @cached_property
    def format(self) -> Format:
        """The number format of the elements."""
        return format_of_dtype(self.array.dtype)

    @cached_property
    def codes(self) -> Codes:
        """The codes of the elements, in the array's shape."""
        return codes_of(self.array)

    @cached_property
    def values(self) -> Float64s:
        """The exact values of the elements, in the array's shape."""
        return _values_of(self.codes, self.format)


@dataclass(frozen=True)
class Node:
    """A call that breaks no rule: present inputs and all attributes by name.

    Attributes:
        inputs: The inputs that are present.
        attributes: Every attribute of the spec, given or default.
        granularity: Name of the granularity that the call selects.
        outputs: Formats of the outputs, in order.
    """

    inputs: Mapping[str, Operand]
    attributes: Mapping[str, Any]
    granularity: str
    outputs: tuple[Format, ...]

    def spread(self, parameter: Float64s, shape: tuple[int, ...]) -> Float64s:
        """A parameter's values broadcast over data of a shape, by the node's granularity."""
        if self.granularity == "per-tensor":
            return parameter
        axis = int(self.attributes["axis"]) % len(shape)
        if self.granularity == "per-axis":
            return parameter.reshape(-1, *[1] * (len(shape) - axis - 1))
        block_of = np.arange(shape[axis]) // int(self.attributes["block_size"])
        return parameter.take(block_of, axis=axis)
