"""The files beside a model that hold data of its tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto, TensorProto


def external_files(model: ModelProto, folder: Path) -> dict[str, bytes]:
    """The files that a model points at, by the location that it gives.

    Args:
        model: The model.
        folder: The folder that the model lies in, and outside of which nothing is read.

    Raises:
        ValueError: A file is outside of the folder, or cannot be read; the message names it.
    """
    found: dict[str, bytes] = {}
    for tensor in _tensors(model):
        location = _location(tensor)
        if location is None or location in found:
            continue
        name = tensor.name or "a tensor"
        file = folder / location
        if not _is_inside(location) or not file.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"the data of {name} is in {location!r}, outside of the folder")
        try:
            found[location] = file.read_bytes()
        except OSError as error:
            why = error.strerror or "cannot be read"
            raise ValueError(f"the data of {name} is in {location!r}: {why}") from None
    return found


def _location(tensor: TensorProto) -> str | None:
    from onnx import TensorProto

    if tensor.data_location != TensorProto.EXTERNAL:
        return None
    # protobuf gives bytes for what is no UTF-8.
    return str(next((e.value for e in tensor.external_data if e.key == "location"), ""))


def _is_inside(location: str) -> bool:
    """Whether a location is a relative path without steps up, whatever the system."""
    windows = PureWindowsPath(location)
    parts = {*PurePosixPath(location).parts, *windows.parts}
    return bool(parts) and ".." not in parts and not windows.drive and not windows.root


def _tensors(model: ModelProto) -> Iterator[TensorProto]:
    yield from _of_graph(model.graph)
    for function in model.functions:
        yield from _of_nodes(function.node)


def _of_graph(graph: GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    yield from _of_nodes(graph.node)


def _of_nodes(nodes: Iterable[NodeProto]) -> Iterator[TensorProto]:
    for attribute in (a for node in nodes for a in node.attribute):
        yield from (attribute.t, *attribute.tensors)
        for sparse in (attribute.sparse_tensor, *attribute.sparse_tensors):
            yield from (sparse.values, sparse.indices)
        for graph in (attribute.g, *attribute.graphs):
            yield from _of_graph(graph)
