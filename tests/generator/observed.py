"""The factor values that a model shows, whatever its case.json says.

A model may suit several values of a factor: an axis that is left out of a node of rank 3 is the
middle one too. So each factor has the set of values that the model can be said to have. The
patterns of x and of the scale are not among them: what a pattern is has tests of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

from emitted import EmittedCase
from onnx import TensorProto, TensorShapeProto, helper

Values = set[str]


def _element_type(case: EmittedCase) -> Values:
    code = case.attribute("output_dtype")
    return {TensorProto.DataType.Name(code).lower() if code else "omitted"}


def _rank(case: EmittedCase) -> int:
    return len(case.inputs["x"].shape)


def _axis(case: EmittedCase) -> Values:
    axis, rank = case.attribute("axis"), _rank(case)
    places = {"omitted"} if axis == 1 else set()
    if -rank <= axis < rank:
        ends = {0: "first", (rank - 1) // 2: "middle", rank - 1: "last"}
        places |= {ends[axis % rank]} if axis % rank in ends else set()
        places |= {"first"} if axis % rank == 0 else set()
    return places


def _axis_sign(case: EmittedCase) -> Values:
    return {"from-back" if case.attribute("axis") < 0 else "from-front"}


def _block(case: EmittedCase) -> Values:
    block = case.attribute("block_size")
    if not block:
        return {"none"}
    length = case.inputs["x"].shape[case.attribute("axis")]
    in_vectors = _size(case) == {"vector"}
    kinds = {
        "single": block > length if in_vectors else block == max(length, 1),
        "even": block == 1 if in_vectors else length > 0 and length % block == 0,
        "tail": block < length and length % block != 0,
    }
    return {kind for kind, suits in kinds.items() if suits}


def _are_equal(shape: tuple[int, ...]) -> bool:
    return set(shape) == {4}


def _size(case: EmittedCase) -> Values:
    shape = case.inputs["x"].shape
    distinct = len(set(shape)) == len(shape) and not {0, 1} & set(shape)
    sizes = {
        "empty": 0 in shape,
        "one": set(shape) <= {1},
        "vector": max(shape, default=0) > 32,
        "small": shape != () and max(shape) < 8 and (distinct or _are_equal(shape)),
    }
    return {size for size, suits in sizes.items() if suits}


def _lengths(case: EmittedCase) -> Values:
    """Sizes other than small have lengths of their own, which count as distinct."""
    shape = case.inputs["x"].shape
    kinds = {
        "equal": _are_equal(shape) or shape == (),
        "distinct": not _are_equal(shape) or len(shape) == 1,
    }
    return {kind for kind, suits in kinds.items() if suits}


def _values_of_zero_point(case: EmittedCase) -> Values:
    if "x_zero_point" not in case.named_inputs:
        return {"absent"}
    codes = case.inputs["x_zero_point"].codes
    if not codes.size:
        return {"extreme", "zero"}
    return {"extreme" if codes.any() else "zero"}


def _absence(case: EmittedCase) -> Values:
    return {"unnamed" if "" in case.node.input else "left-out"}


def _stored(case: EmittedCase) -> dict[str, list[TensorProto]]:
    """The tensors of the parameters that the model holds, by the place where it holds them."""
    names = {name for formal, name in case.named_inputs.items() if formal != "x"}
    graph = case.model.graph
    return {
        "initializers": [tensor for tensor in graph.initializer if tensor.name in names],
        "constants": [
            node.attribute[0].t
            for node in graph.node
            if node.op_type == "Constant" and node.output[0] in names
        ],
    }


def _parameters(case: EmittedCase) -> Values:
    given = {value.name for value in case.model.graph.input}
    if case.named_inputs["x"] not in given:
        return {"not even x is an input of the graph"}
    places = {place for place, tensors in _stored(case).items() if tensors}
    if given & {name for formal, name in case.named_inputs.items() if formal != "x"}:
        places.add("inputs")
    return places if len(places) == 1 else {f"spread over {sorted(places)}"}


def _storage(case: EmittedCase) -> Values:
    kinds = set()
    for tensor in itertools.chain(*_stored(case).values()):
        if tensor.data_location == TensorProto.EXTERNAL:
            kinds.add("external")
        else:
            kinds.add("raw" if tensor.HasField("raw_data") else "typed")
    return kinds or {"raw"}


def _shapes(case: EmittedCase) -> Values:
    graph = case.model.graph
    styles = set()
    for value in (*graph.input, *graph.output):
        tensor = value.type.tensor_type
        if not tensor.HasField("shape"):
            styles.add("not even a rank")
        styles |= {_style(dimension) for dimension in tensor.shape.dim}
    # Rank 0 has no lengths to write or to leave out.
    return styles or {"static", "symbolic", "unknown"}


def _style(dimension: TensorShapeProto.Dimension) -> str:
    if dimension.HasField("dim_param"):
        return "symbolic"
    return "static" if dimension.HasField("dim_value") else "unknown"


def _attributes(case: EmittedCase) -> Values:
    defaults = {
        name: helper.get_attribute_value(attribute.default_value)
        for name, attribute in case.schema.attributes.items()
    }
    at_default = {n for n, v in case.attributes.items() if n in defaults and v == defaults[n]}
    kinds = {"omitted": not at_default, "spelled": defaults.keys() <= case.attributes.keys()}
    return {kind for kind, suits in kinds.items() if suits}


def _type_of(name: str) -> Callable[[EmittedCase], Values]:
    return lambda case: {case.inputs[name].type}


OBSERVERS: Mapping[str, Callable[[EmittedCase], Values]] = {
    "T": _type_of("x"),
    "T1": _type_of("x"),
    "T2": _type_of("x_scale"),
    "output_dtype": _element_type,
    "x_zero_point": _values_of_zero_point,
    "absence": _absence,
    "granularity": lambda case: {case.granularity},
    "rank": lambda case: {str(_rank(case))},
    "axis": _axis,
    "axis-sign": _axis_sign,
    "block": _block,
    "size": _size,
    "lengths": _lengths,
    "parameters": _parameters,
    "storage": _storage,
    "shapes": _shapes,
    "attributes": _attributes,
    "opset": lambda case: {str(case.model.opset_import[0].version)},
}
