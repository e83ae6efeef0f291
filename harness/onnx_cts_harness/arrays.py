"""Tensors of any numeric type as arrays: also of types that the reference has no format for."""

from __future__ import annotations

import sys

from onnx_cts_harness.protos import parse_proto
from onnx_cts_harness.tensor import Tensor, parse_tensor
from onnx_cts_reference.formats import Array, format_of_code


def parse_any_tensor(proto_bytes: bytes) -> Tensor:
    """Read a serialized onnx.TensorProto of numbers, with its elements in whatever field.

    Raises:
        ValueError: The bytes are no TensorProto, or its elements are incomplete.
    """
    import onnx
    from onnx import numpy_helper

    proto = parse_proto(onnx.TensorProto, proto_bytes)
    if proto.data_type == onnx.TensorProto.UNDEFINED or _is_known(proto.data_type):
        return parse_tensor(proto_bytes)
    if proto.data_location == onnx.TensorProto.EXTERNAL:
        raise ValueError("the tensor's data is in another file")
    tensor = Tensor(proto.data_type, tuple(proto.dims), proto.raw_data)
    try:
        array = numpy_helper.to_array(proto)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"its data does not make a {tensor}") from None
    return Tensor(tensor.code, tensor.shape, _little_endian(array).tobytes())


def array_of_tensor(tensor: Tensor) -> Array:
    """The elements of a tensor, in a dtype of NumPy or ml_dtypes.

    Raises:
        ValueError: The data is not as long as the shape asks, or no dtype holds the type.
    """
    import onnx
    from onnx import numpy_helper

    if _is_known(tensor.code):
        return tensor.array
    proto = onnx.TensorProto(data_type=tensor.code, dims=tensor.shape, raw_data=tensor.data)
    try:
        array: Array = numpy_helper.to_array(proto)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{len(tensor.data)} bytes of data do not make a {tensor}") from None
    return array


def _is_known(code: int) -> bool:
    try:
        format_of_code(code)
    except KeyError:
        return False
    return True


def _little_endian(array: Array) -> Array:
    return array.byteswap() if sys.byteorder == "big" else array
