"""Compute an element-wise kernel in pieces, so that what it makes on the way stays in cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from onnx_cts_reference.formats import Array, Codes, array_of

if TYPE_CHECKING:
    from onnx_cts_reference.node import Node, Outputs, Readings

#: Elements of a piece: large enough for NumPy's calls to cost little, small enough for the cache.
PIECE = 1 << 17
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

    Returns:
        The outputs by the reading; those of readings that agree may be the same arrays.
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
        found = [(group, _looked_up(x.codes, tables[group[0]])) for group in _alike(names, tables)]
        return _in_order(names, found)
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
    whole = tuple(np.empty(shape, form.dtype) for form in node.outputs)
    # Most readings agree everywhere: those that did so far have the same arrays.
    groups: list[tuple[list[str], Outputs]] = [(list(names), whole)]
    for region in pieces(shape):
        found = readings(node.part(data, region))
        parts = {name: found[name]() for name in names}
        groups = [
            apart
            for together, wholes in groups
            for apart in _parted(together, wholes, parts, region)
        ]
    return _in_order(names, groups)


def _in_order(
    names: Sequence[str], groups: Iterable[tuple[list[str], Outputs]]
) -> dict[str, Outputs]:
    """The outputs by the reading, in the order of the readings: that of the value is the first."""
    found = {name: outputs for group, outputs in groups for name in group}
    return {name: found[name] for name in names}


def _parted(
    together: list[str], wholes: Outputs, parts: Mapping[str, Outputs], region: Region
) -> list[tuple[list[str], Outputs]]:
    """Readings with the same arrays, parted by what they give in a region, which is put there."""
    alike = _alike(together, parts)
    own = [wholes, *(tuple(map(np.copy, wholes)) for _ in alike[1:])]
    for group, arrays in zip(alike, own, strict=True):
        for array, part in zip(arrays, parts[group[0]], strict=True):
            array[region] = part
    return list(zip(alike, own, strict=True))


def _alike(names: Iterable[str], outputs: Mapping[str, Outputs]) -> list[list[str]]:
    """Readings in groups, all of which have the same outputs, each in the order of their names."""
    groups: list[list[str]] = []
    for name in names:
        group = next((g for g in groups if _are_same(outputs[name], outputs[g[0]])), None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return groups


def _are_same(some: Outputs, others: Outputs) -> bool:
    return some is others or all(
        np.array_equal(_plain(one), _plain(other)) for one, other in zip(some, others, strict=True)
    )


def _plain(array: Array) -> Codes:
    """The bits of an array's elements, which NumPy is faster with than with its guests' types."""
    return array.view(f"u{array.dtype.itemsize}")


def _looked_up(codes: Codes, tables: Outputs) -> Outputs:
    made = tuple(np.empty(codes.shape, table.dtype) for table in tables)
    flat = codes.reshape(-1)
    for whole, table in zip(made, tables, strict=True):
        # Every code is in the table, so no mode is ever needed; but that of the default is slower.
        source, target = _plain(table), _plain(whole.reshape(-1))
        for start in range(0, flat.size, PIECE):
            part = slice(start, start + PIECE)
            np.take(source, flat[part], out=target[part], mode="clip")
    return made
