"""What a kernel is given: one valid call, with its granularity and output types settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from onnx_cts_reference.formats import Array, Codes, Float64s, Format, codes_of, format_of_dtype
from onnx_cts_reference.formats import values_of as _values_of

#: The granularity of parameters that are the same for all of the data.
PER_TENSOR = "per-tensor"

Floats = TypeVar("Floats", Float64s, NDArray[np.float32])
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

    @cached_property
    def narrow(self) -> NDArray[np.float32]:
        """The same as float32, which is half as wide and holds those of all formats but int32."""
        if self.format.dtype.kind in "iuf":
            return np.asarray(self.array, np.float32)
        return np.asarray(self.values, np.float32)


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

    @property
    def is_uniform(self) -> bool:
        """Whether the parameters are the same for every element of the data."""
        return self.granularity == PER_TENSOR

    def spread(self, parameter: Floats, shape: tuple[int, ...]) -> Floats:
        """A parameter's values broadcast over data of a shape, by the node's granularity."""
        return self._spread(parameter, shape, tuple(map(slice, shape)))

    def with_data(self, data: str, array: Array) -> Node:
        """The node with other data; its parameters must be uniform."""
        return replace(self, inputs={**self.inputs, data: Operand(array)})

    def part(self, data: str, region: tuple[slice, ...]) -> Node:
        """The node of a region of the data, in which each element has parameters of its own."""
        whole = self.inputs[data].array
        parameters = {
            name: Operand(self._spread(operand.array, whole.shape, region))
            for name, operand in self.inputs.items()
            if name != data
        }
        return replace(
            self,
            inputs={**parameters, data: Operand(whole[region])},
            granularity=PER_TENSOR,
        )

    def _spread(self, parameter: Array, shape: tuple[int, ...], region: tuple[slice, ...]) -> Array:
        if self.granularity == PER_TENSOR:
            return parameter
        axis = int(self.attributes["axis"]) % len(shape)
        if self.granularity == "per-axis":
            return parameter[region[axis]].reshape(-1, *[1] * (len(shape) - axis - 1))
        here = region[axis]
        block_of = np.arange(here.start or 0, here.stop) // int(self.attributes["block_size"])
        others = (*region[:axis], slice(None), *region[axis + 1 :])
        return parameter[others].take(block_of, axis=axis)
