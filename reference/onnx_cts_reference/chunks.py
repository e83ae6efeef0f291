"""Compute an element-wise kernel in pieces, so that what it makes on the way stays in cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from onnx_cts_reference.formats import Codes, array_of

if TYPE_CHECKING:
    from onnx_cts_reference.node import Node, Outputs, Readings

#: Elements of a piece: large enough for NumPy's calls to cost little, small enough for the cache.
PIECE = 1 << 15
Region = tuple[slice, ...]


def computed(
    node: Node, data: str, readings: Callable[[Node], Readings], names: Sequence[str]
) -> dict[str, Outputs]:
    """The outputs of an element-wise kernel under some readings.

    Args:
        node: The call.
        data: Name of the input whose elements are computed one by one.
        readings: The kernel: what computes the outputs of a call under each reading. Each output
            has the shape of the data, and an element depends on no other element of it.
        names: The readings.
    """
    x = node.inputs[data]
    if x.array.size <= PIECE:
        made = readings(node)
        return {name: made[name]() for name in names}
    codes = 1 << x.format.bits
    if node.is_uniform and codes * 4 <= x.array.size:
        # Every element with the same code has the same output: compute each code once.
        every = array_of(np.arange(codes).astype(x.format.code_dtype), x.format)
        tables = computed(node.with_data(data, every), data, readings, names)
        return {name: _looked_up(x.codes, outputs) for name, outputs in tables.items()}
    return _by_pieces(node, data, readings, names)


def pieces(shape: tuple[int, ...]) -> Iterator[Region]:
    """Regions of an array that hold its elements in their order, each at most a piece of them."""
    inner = 1
    axis = len(shape)
    while axis > 0 and inner * shape[axis - 1] <= PIECE:
        axis -= 1
        inner *= shape[axis]
    if axis == 0:
        yield tuple(slice(length) for length in shape)
        return
    axis -= 1
    rows = max(1, PIECE // inner)
    rest = tuple(slice(length) for length in shape[axis + 1 :])
    for outer in np.ndindex(shape[:axis]):
        first = tuple(slice(index, index + 1) for index in outer)
        for start in range(0, shape[axis], rows):
            yield (*first, slice(start, min(start + rows, shape[axis])), *rest)


def _by_pieces(
    node: Node, data: str, readings: Callable[[Node], Readings], names: Sequence[str]
) -> dict[str, Outputs]:
    shape = node.inputs[data].array.shape
    made: dict[str, Outputs] = {
        name: tuple(np.empty(shape, form.dtype) for form in node.outputs) for name in names
    }
    for region in pieces(shape):
        found = readings(node.part(data, region))
        for name in names:
            for whole, part in zip(made[name], found[name](), strict=True):
                whole[region] = part
    return made


def _looked_up(codes: Codes, tables: Outputs) -> Outputs:
    made = tuple(np.empty(codes.shape, table.dtype) for table in tables)
    flat = codes.reshape(-1)
    for whole, table in zip(made, tables, strict=True):
        # As unsigned integers, which NumPy takes faster than its guests' types. Every code is
        # in the table, so no mode is ever needed; but that of the default is slower.
        plain = np.dtype(f"u{table.dtype.itemsize}")
        source, target = table.view(plain), whole.reshape(-1).view(plain)
        for start in range(0, flat.size, PIECE):
            part = slice(start, start + PIECE)
            np.take(source, flat[part], out=target[part], mode="clip")
    return made
