"""In what two stored values differ: tensors, and sequences, optionals and maps of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from onnx_cts_generator.upstream.finding import Finding, Measure
from onnx_cts_generator.upstream.measuring import measured

if TYPE_CHECKING:
    import onnx

Array = NDArray[Any]


@dataclass(frozen=True)
class StoredValue:
    """A value as a file has it.

    Attributes:
        kind: Name of the message.
        name: The name stored with it.
        tensors: Its tensors by their places in it: ``""`` for a tensor, ``[0]`` in a sequence.
    """

    kind: str
    name: str
    tensors: dict[str, Array]


def read_value(kind: str, content: bytes) -> StoredValue:
    """Read a stored value.

    Args:
        kind: The field of onnx.TypeProto that the model's input or output has set.
        content: The content of the file.

    Raises:
        ValueError: The content is no such value, or its elements are incomplete.
    """
    import onnx

    from onnx_cts_harness.protos import parse_proto

    message: Any = {
        "tensor_type": onnx.TensorProto,
        "sequence_type": onnx.SequenceProto,
        "optional_type": onnx.OptionalProto,
        "map_type": onnx.MapProto,
        "sparse_tensor_type": onnx.SparseTensorProto,
    }[kind]
    proto = parse_proto(message, content)
    tensors = {at: _array(tensor) for at, tensor in _leaves(proto, "")}
    return StoredValue(message.__name__, getattr(proto, "name", ""), tensors)


def _array(tensor: onnx.TensorProto) -> Array:
    from onnx import numpy_helper
    from onnx.external_data_helper import uses_external_data

    if uses_external_data(tensor):
        raise ValueError("the elements of a tensor are in another file")
    try:
        return numpy_helper.to_array(tensor)
    except (TypeError, LookupError) as error:
        raise ValueError(str(error) or type(error).__name__) from None


def _leaves(proto: Any, at: str) -> Iterator[tuple[str, onnx.TensorProto]]:
    kind = type(proto).__name__
    if kind == "TensorProto":
        yield at, proto
    elif kind == "SequenceProto":
        for field in ("tensor", "sparse_tensor", "sequence", "map", "optional"):
            for i, element in enumerate(getattr(proto, f"{field}_values")):
                yield from _leaves(element, f"{at}[{i}]")
    elif kind == "OptionalProto":
        for field in ("tensor", "sparse_tensor", "sequence", "map", "optional"):
            if proto.HasField(f"{field}_value"):
                yield from _leaves(getattr(proto, f"{field}_value"), at)
    elif kind == "SparseTensorProto":
        yield f"{at}.values", proto.values
        yield f"{at}.indices", proto.indices
    else:
        keys = [*proto.keys, *(key.decode("utf-8") for key in proto.string_keys)]
        for i, (_, tensor) in enumerate(_leaves(proto.values, "")):
            yield f"{at}[{keys[i]!r}]" if i < len(keys) else f"{at}[?{i}]", tensor


def value_findings(first: StoredValue, second: StoredValue) -> Iterator[Finding]:
    """In what two values differ whose files are not the same bytes."""
    found = list(_findings(first, second))
    yield from found or [Finding("stored", "the same value in other bytes")]


def _findings(first: StoredValue, second: StoredValue) -> Iterator[Finding]:
    if first.kind != second.kind:
        yield Finding("type", f"{first.kind}, then {second.kind}")
        return
    if first.name != second.name:
        yield Finding("name", f"{first.name!r}, then {second.name!r}")
    before, after = first.tensors, second.tensors
    if before.keys() != after.keys():
        yield Finding("structure", f"{_places(before)}, then {_places(after)}")
    for at in before:
        if at in after:
            yield from _tensor_findings(before[at], after[at], at)


def _places(tensors: dict[str, Array]) -> str:
    return f"{len(tensors)} tensors" if len(tensors) != 1 else "1 tensor"


def _tensor_findings(first: Array, second: Array, at: str) -> Iterator[Finding]:
    if first.dtype != second.dtype:
        yield Finding("type", f"{first.dtype}, then {second.dtype}", at)
    if first.shape != second.shape:
        yield Finding("shape", f"{list(first.shape)}, then {list(second.shape)}", at)
    if first.dtype == second.dtype and first.shape == second.shape:
        measure = measured(first, second)
        if measure.wrong:
            yield Finding("values", _said(measure), at, measure)


def _said(measure: Measure) -> str:
    parts = [f"{measure.wrong} of {measure.elements} elements differ"]
    if measure.ulp is not None:
        parts.append(f"at most {measure.ulp} ULP")
    if measure.relative is not None:
        parts.append(f"{measure.relative:.3g} relative, {measure.absolute:.3g} absolute")
    if measure.nan:
        parts.append(f"{measure.nan} NaN on one side")
    return ", ".join(parts)
