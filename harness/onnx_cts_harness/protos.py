"""Parse serialized ONNX messages with an error that helps."""

from __future__ import annotations

from typing import Protocol, Self, TypeVar


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
