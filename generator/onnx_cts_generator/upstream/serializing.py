"""The files of an official case, byte for byte as ONNX itself used to write them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from onnx_cts_harness import layout

if TYPE_CHECKING:
    import onnx

    from onnx_cts_generator.upstream.building import OfficialCase

NODE = "node"
"""The folder of the node cases in an export, as in ONNX's own data."""


def case_files(case: OfficialCase) -> Iterator[tuple[str, bytes]]:
    """The files of a case, relative to its folder, with their content."""
    yield layout.MODEL, case.model.SerializeToString(deterministic=True)
    graph = case.model.graph
    for index, (inputs, outputs) in enumerate(case.data_sets):
        folder = f"{layout.DATA_SETS}{index}"
        for i, value in enumerate(inputs):
            yield f"{folder}/{layout.input_name(i)}", _serialized(value, graph.input[i])
        for i, value in enumerate(outputs):
            yield f"{folder}/{layout.output_name(i)}", _serialized(value, graph.output[i])


def _serialized(value: Any, info: onnx.ValueInfoProto) -> bytes:
    from onnx import TensorProto, numpy_helper

    kind = info.type.WhichOneof("value")
    if kind == "tensor_type" and isinstance(value, TensorProto):
        proto: Any = value  # A proto keeps the name that its case gave it, or none.
    else:
        convert: Any = {
            "tensor_type": numpy_helper.from_array,
            "sequence_type": numpy_helper.from_list,
            "optional_type": numpy_helper.from_optional,
            "map_type": numpy_helper.from_dict,
        }[str(kind)]
        proto = convert(value, info.name)
    content: bytes = proto.SerializeToString(deterministic=True)
    return content
