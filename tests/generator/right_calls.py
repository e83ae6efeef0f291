"""What right implementations of several operators are given, and the roundings that they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from onnx_cts_reference.model_calls import ModelCall

Array = NDArray[Any]
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
LANES = 8
"""Elements in a register of a vector loop."""


@dataclass(frozen=True, eq=False)
class GranularCall:
    """What a valid call with a scale and a zero point asks for, attributes at their defaults too.

    Attributes:
        output: The type of y.
        version: The version of the operator.
    """

    x: Array
    scale: Array
    zero_point: Array | None
    axis: int
    block_size: int
    output: np.dtype[Any]
    version: int

    def spread(self, parameter: Array) -> Array:
        """An element of a parameter for each element of x."""
        if parameter.ndim == 0:
            return np.broadcast_to(parameter, self.x.shape)
        axis = self.axis % self.x.ndim
        if parameter.ndim == 1 and not (self.x.ndim == 1 and self.block_size):
            column = parameter.reshape(-1, *[1] * (self.x.ndim - axis - 1))
            return np.broadcast_to(column, self.x.shape)
        stretched = np.repeat(parameter, self.block_size, axis=axis)
        return stretched.take(range(self.x.shape[axis]), axis=axis)

    def operands(self) -> tuple[Array, Array, Array]:
        """x, the zero points (zeros where there are none) and the scales, all of x's shape."""
        zeros = np.zeros((), np.int32) if self.zero_point is None else self.zero_point
        return self.x, self.spread(zeros), self.spread(self.scale)

    def part(self, index: tuple[int, ...]) -> tuple[slice | int, ...]:
        """Where in x a parameter of an index applies."""
        if not index:
            return (slice(None),) * self.x.ndim
        axis = self.axis % self.x.ndim
        if len(index) == 1 and not (self.x.ndim == 1 and self.block_size):
            return (*(slice(None),) * axis, slice(index[0], index[0] + 1))
        block = slice(index[axis] * self.block_size, (index[axis] + 1) * self.block_size)
        return (*index[:axis], block, *index[axis + 1 :])


def parameters_of(made: ModelCall) -> dict[str, Any]:
    """The fields of a granular call, but for the type of y."""
    x, scale, *rest = made.inputs
    return {
        "x": x,
        "scale": scale,
        "zero_point": rest[0] if rest else None,
        "axis": made.attributes.get("axis", 1),
        "block_size": made.attributes.get("block_size", 0),
        "version": made.spec.since_version,
    }


def to_odd(values: Array, dtype: type[np.floating[Any]]) -> Array:
    """Values cut off to a narrower type, the last bit set where something was cut off.

    Rounded once more, to a type narrower by two bits, they are as if rounded once.
    """
    near = values.astype(dtype)
    cut = np.where(np.abs(near) > np.abs(values), np.nextafter(near, dtype(0)), near)
    sticky = (cut != values) & ~np.isnan(values)
    return (cut.view(f"u{cut.itemsize}") | sticky).view(dtype)


def rounded(values: Array, output: np.dtype[Any]) -> Array:
    """Float64 numbers rounded once to a float type."""
    return (to_odd(values, np.float32) if output == BFLOAT16 else values).astype(output)
