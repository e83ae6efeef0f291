"""Parse serialized ONNX messages with an error that helps, and what a model says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from onnx import ModelProto


class Message(Protocol):
    """A class that the protobuf compiler made."""

    @classmethod
    def FromString(cls, data: bytes, /) -> Self:  # noqa: N802 - protobuf's name
        """Parse the bytes."""


T = TypeVar("T", bound=Message)


def parse_proto(kind: type[T], data: bytes) -> T:
    """Parse bytes as a message of this class.

    Raises:
        ValueError: The bytes are no such message.
    """
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    try:
        return kind.FromString(data)
    except DecodeError:
        raise ValueError(f"not a serialized {kind.__name__}") from None


def fed_inputs(model: ModelProto) -> list[str]:
    """Names of the graph inputs of a model that have no initializer, in order."""
    stored = {tensor.name for tensor in model.graph.initializer}
    return [value.name for value in model.graph.input if value.name not in stored]


def opset_of(model: ModelProto) -> int | None:
    """The opset of ONNX's own domain that a model imports; None if it imports none."""
    opsets = (one.version for one in model.opset_import if one.domain in {"", "ai.onnx"})
    return next(opsets, None)
