"""Tensors as they cross to a backend: ONNX type code, shape and packed bytes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from onnx_cts_harness.protos import parse_proto
from onnx_cts_reference.formats import (
    Array,
    Codes,
    Format,
    array_of,
    codes_of,
    format_of_code,
    pack,
    packed_size,
    unpack,
)

if TYPE_CHECKING:
    import onnx


@dataclass(frozen=True)
class Tensor:
    """A tensor.

    Attributes:
        code: Number of the element type in onnx.TensorProto.DataType.
        shape: Length of each axis.
        data: The elements as raw_data has them: little-endian, those under a byte packed.
    """

    code: int
    shape: tuple[int, ...]
    data: bytes

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def format(self) -> Format:
        """The format of the elements; raises ValueError for one that the suite cannot judge."""
        try:
            return format_of_code(self.code)
        except KeyError:
            raise ValueError(f"element type {type_name(self.code)} is not known here") from None

    @property
    def codes(self) -> Codes:
        """The code of each element; raises ValueError if data is not as long as shape asks."""
        return unpack(self.data, self.format, self.shape)

    @property
    def array(self) -> Array:
        """The elements in a dtype of NumPy or ml_dtypes; raises ValueError as ``codes`` does."""
        return array_of(self.codes, self.format)

    def __str__(self) -> str:
        """Such as ``float[2,3]``."""
        return f"{type_name(self.code)}[{','.join(map(str, self.shape))}]"


def type_name(code: int) -> str:
    """The name of an element type as ONNX's type strings have it."""
    try:
        return format_of_code(code).name
    except KeyError:
        import onnx

        if code not in onnx.TensorProto.DataType.values():
            return f"type {code}"
        return str(onnx.TensorProto.DataType.Name(code)).lower()


def parse_tensor(proto_bytes: bytes) -> Tensor:
    """Read a serialized onnx.TensorProto, with its elements in raw_data or in a typed field.

    Raises:
        ValueError: The bytes are no TensorProto, or its elements are incomplete.
    """
    import onnx

    proto = parse_proto(onnx.TensorProto, proto_bytes)
    if proto.data_type == onnx.TensorProto.UNDEFINED:
        raise ValueError("the tensor has no element type")
    if proto.data_location == onnx.TensorProto.EXTERNAL:
        raise ValueError("the tensor's data is in another file")
    tensor = Tensor(proto.data_type, tuple(proto.dims), proto.raw_data)
    if not proto.HasField("raw_data"):
        tensor = replace(tensor, data=_pack_typed_field(proto, tensor.format))
    if len(tensor.data) != packed_size(tensor.size, tensor.format):
        raise ValueError(f"{len(tensor.data)} bytes of data do not make a {tensor}")
    return tensor


def _pack_typed_field(proto: onnx.TensorProto, form: Format) -> bytes:
    from onnx import numpy_helper

    return pack(codes_of(numpy_helper.to_array(proto)), form)
