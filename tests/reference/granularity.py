"""Shapes of x and of its parameters: per tensor, per axis and blocked."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Attributes = dict[str, Any]


def spread(
    codes: NDArray[np.int64], shape: tuple[int, ...], attributes: Attributes
) -> NDArray[np.int64]:
    """The parameter of each element of a shape, found index by index."""
    elements = np.empty(shape, np.int64)
    axis, block_size = attributes.get("axis", 1), attributes.get("block_size", 0)
    for index in np.ndindex(shape):
        if codes.ndim == 0:
            place: tuple[int, ...] = ()
        elif block_size:
            blocks = list(index)
            blocks[axis] //= block_size
            place = tuple(blocks)
        else:
            place = (index[axis],)
        elements[index] = codes[place]
    return elements


@st.composite
def granular_shapes(draw: st.DrawFn, version: int) -> dict[str, Any]:
    """The shapes of x and of its parameters, and the attributes that make them legal."""
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=4)))
    kinds = ["per-tensor"]
    if shape and version >= 13:
        kinds.append("per-axis")
    if shape and version >= 21:
        kinds.append("blocked")
    kind = draw(st.sampled_from(kinds))
    attributes: Attributes = {}
    parameters: tuple[int, ...] = ()
    if kind != "per-tensor":
        axis = attributes["axis"] = draw(st.integers(-len(shape), len(shape) - 1))
        parameters = (shape[axis],)
    if kind == "blocked":
        block_size = attributes["block_size"] = draw(st.integers(1, 7))
        sizes = list(shape)
        sizes[axis] = (shape[axis] + block_size - 1) // block_size
        parameters = tuple(sizes)
    return {"shape": shape, "parameters": parameters, "attributes": attributes}
