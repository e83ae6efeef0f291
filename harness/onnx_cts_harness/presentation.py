"""Present a case so that a backend can be fed it: graph inputs become initializers of a copy.

The answer must not depend on where a tensor comes from, so this changes nothing of what a case
asks. An output is never changed, and never read through another node: a runtime may fold or ignore
a Cast, which would then be judged in place of the operator.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.declarations import Feeds
from onnx_cts_harness.tensor import Tensor, type_name

if TYPE_CHECKING:
    from onnx import GraphProto

#: From this IR version on an initializer need not be a graph input too.
IR_OF_CONSTANTS = 4


class UnfeedableError(Exception):
    """A backend can be fed a case in no way; the message says which type is the reason."""


@dataclass(frozen=True)
class Presented:
    """A case as a backend gets it.

    Attributes:
        loaded: The case, with the inputs and the model that the backend gets.
        initializers: Names of the graph inputs that are initializers now, in order.
    """

    loaded: LoadedCase
    initializers: tuple[str, ...] = ()


def presented(loaded: LoadedCase, feeds: Feeds) -> Presented:
    """Present a case: as it is where a backend can be fed that, with initializers where not.

    Args:
        loaded: The case, which remains as it is.
        feeds: What the backend can be fed.

    Raises:
        UnfeedableError: It can be fed a type neither as an input nor as an initializer.
    """
    if feeds == Feeds():
        return Presented(loaded)
    tensors = dict(zip(loaded.case.inputs, loaded.inputs, strict=True))
    for name, tensor in tensors.items():
        if not (_as_input(tensor, feeds) or tensor.code in feeds.initializers):
            kind = type_name(tensor.code)
            raise UnfeedableError(f"the backend can be fed {kind}, as of {name}, in no way")
    moved = {name for name, tensor in tensors.items() if not _as_input(tensor, feeds)}
    if feeds.constant_parameters:
        moved |= tensors.keys() - _first_inputs(loaded.model)
    if not moved:
        return Presented(loaded)
    kept = {name: tensor for name, tensor in tensors.items() if name not in moved}
    return Presented(
        replace(
            loaded,
            case=replace(loaded.case, inputs=tuple(kept)),
            model=with_initializers(loaded.model, {n: tensors[n] for n in tensors if n in moved}),
            inputs=tuple(kept.values()),
        ),
        tuple(name for name in tensors if name in moved),
    )


def with_initializers(model: bytes, tensors: dict[str, Tensor]) -> bytes:
    """A copy of a model in which these graph inputs are initializers.

    Args:
        model: The serialized model.
        tensors: The value of each of them by its name.
    """
    import onnx

    proto = onnx.ModelProto.FromString(model)
    graph = proto.graph
    # A default that the graph has for an input gives way to the value.
    _replace(graph, "initializer", (t for t in graph.initializer if t.name not in tensors))
    if proto.ir_version >= IR_OF_CONSTANTS:
        _replace(graph, "input", (value for value in graph.input if value.name not in tensors))
    for name, tensor in tensors.items():
        graph.initializer.add(
            name=name, data_type=tensor.code, dims=tensor.shape, raw_data=tensor.data
        )
    changed: bytes = proto.SerializeToString(deterministic=True)
    return changed


def _as_input(tensor: Tensor, feeds: Feeds) -> bool:
    return feeds.inputs is None or tensor.code in feeds.inputs


def _first_inputs(model: bytes) -> set[str]:
    """Names of the data of a model: what is the first input of a node, and no parameter of it."""
    import onnx

    return {n.input[0] for n in onnx.ModelProto.FromString(model).graph.node if n.input}


def _replace(graph: GraphProto, field: str, kept: Iterable[object]) -> None:
    values = list(kept)
    graph.ClearField(field)
    getattr(graph, field).extend(values)
