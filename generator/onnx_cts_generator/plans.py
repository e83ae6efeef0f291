"""A row of factor values turned into a call: types, shapes and attributes, or why it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from onnx_cts_generator import factors as f
from onnx_cts_generator.factors import Row
from onnx_cts_generator.filling import planned
from onnx_cts_generator.patterns import UnfitError, check_fit
from onnx_cts_reference.formats import Format, formats
from onnx_cts_specs import Call, Spec, Tensor, UndefinedError, judge, output_types
from onnx_cts_specs.judge import OutputType, evaluator
from onnx_cts_specs.model import AttributeValue, element_type

Shape = tuple[int, ...]

_SHAPES: dict[str, tuple[Shape, ...]] = {
    "small": ((), (4,), (5, 4), (3, 5, 4), (2, 3, 5, 4)),
    "one": ((), (1,), (1, 1), (1, 1, 1), (1, 1, 1, 1)),
    f.EMPTY: ((), (0,), (0, 4), (3, 0, 4), (2, 3, 0, 4)),
    "vector": ((), (289,), (9, 33), (3, 5, 33), (2, 3, 2, 33)),
}
"""For each size a shape of each rank.

Small ones have different lengths on every axis, so that an axis taken for another is found out by
shapes. Vectors are longer than the registers of vector units, with a tail, and hold every code of
an 8-bit type.
"""

_EQUAL_LENGTH = 4
"""The length of every axis where they are equal, so that an axis taken for another goes unnoticed
but for the values."""


OTHER_OUTPUT_TYPE = "{} is of the type that the call gives it"
"""The reason why an output that shares a type with an input is not of another type."""


class ImpossibleError(Exception):
    """A row that no valid call has; the message is the reason, a rule's id where it is one."""


@dataclass(frozen=True)
class Plan:
    """A valid call, the granularity that it selects, and types and shapes of its outputs."""

    call: Call
    granularity: str
    outputs: tuple[OutputType, ...]

    @property
    def target(self) -> Format:
        """The format of the output that values are to challenge."""
        return formats()[self.outputs[0].dtype]


def plan(spec: Spec, row: Row) -> Plan:
    """The call that a row describes.

    Raises:
        ImpossibleError: The row contradicts itself, breaks a rule or raises an open question.
    """
    call = call_for(spec, row)
    _check_patterns(spec, row, call)
    judgement = judge(spec, call)
    if judgement.broken:
        raise ImpossibleError(judgement.broken[0].id)
    if judgement.questions:
        raise ImpossibleError(judgement.questions[0].id)
    if judgement.granularity != row[f.GRANULARITY]:
        raise ImpossibleError(f"such a call is {judgement.granularity}")
    derived = output_types(spec, call)
    for output, given in zip(spec.outputs, derived, strict=True):
        if row.get(output.type, given.dtype) != given.dtype:
            raise ImpossibleError(OTHER_OUTPUT_TYPE.format(output.name))
    return Plan(call, judgement.granularity, derived)


def call_for(spec: Spec, row: Row) -> Call:
    """The call that a row describes, valid or not.

    Raises:
        ImpossibleError: The row contradicts itself in the shape of the data.
    """
    data = _data_shape(spec, row)
    return shaped_call(spec, row, data, _placing(spec, row, data))


def shaped_call(spec: Spec, row: Row, data: Shape, placing: Mapping[str, AttributeValue]) -> Call:
    """The call of a row whose data has a shape, valid or not.

    Args:
        spec: The spec.
        row: Factor values; those of shapes do not matter, but for the granularity.
        data: The shape of the data.
        placing: The attributes that say where parameters apply.

    Raises:
        ImpossibleError: Parameters have no shape there.
    """
    attributes = {**placing, **_naming(spec, row)}
    inputs: dict[str, Tensor | None] = {}
    for formal in spec.inputs:
        dtype = row.get(formal.type, element_type(formal.type))
        pattern = row[formal.name]
        present = pattern != f.ABSENT
        inputs[formal.name] = planned(Tensor(dtype, data), pattern) if present else None
    call = Call(
        inputs, {a.name: attributes[a.name] for a in spec.attributes if a.name in attributes}
    )
    shape = parameter_shape(spec, row[f.GRANULARITY], call)
    for formal in spec.parameters:
        tensor = inputs[formal.name]
        if tensor is not None:
            inputs[formal.name] = replace(tensor, shape=shape)
    return call


def _data_shape(spec: Spec, row: Row) -> Shape:
    """The shape of the data of a row: by rank and size, with a length that suits the blocks.

    Raises:
        ImpossibleError: There is no such shape.
    """
    rank = int(row[f.RANK])
    size = row[f.SIZE]
    if rank == 0:
        if size != "one":
            raise ImpossibleError("a tensor of rank 0 has one element")
        return ()
    shape = _SHAPES[size][rank]
    if row.get(f.LENGTHS) == "equal":
        if size != "small":
            raise ImpossibleError(f"data of size {size} has lengths of its own")
        return (_EQUAL_LENGTH,) * rank
    block = row.get(f.BLOCK, f.NONE)
    if size in ("small", f.EMPTY) and block in ("even", "tail"):
        place = _axis_of(spec, row, rank) % rank
        if shape[place]:
            return (*shape[:place], {"even": 6, "tail": 7}[block], *shape[place + 1 :])
    return shape


def _axis_of(spec: Spec, row: Row, rank: int) -> int:
    """The axis that a row names, for data of this rank.

    Raises:
        ImpossibleError: Data of this rank has no such axis, or no axis of its own for the name.
    """
    place = row.get(f.AXIS, f.OMITTED)
    from_back = row.get(f.AXIS_SIGN) == "from-back"
    if place == f.OMITTED:
        if from_back:
            raise ImpossibleError("an axis that is omitted has no sign")
        return next(int(str(a.default)) for a in spec.attributes if a.role == "axis")
    if place == "middle" and rank < 3:
        raise ImpossibleError("the middle axis needs a rank of 3 or more")
    if rank < (2 if place == "last" else 1):
        raise ImpossibleError(f"rank {rank} has no {place} axis of its own")
    index = {"first": 0, "middle": (rank - 1) // 2, "last": rank - 1}[place]
    return index - rank if from_back else index


def _placing(spec: Spec, row: Row, data: Shape) -> dict[str, AttributeValue]:
    """The attributes of a row that say where parameters apply to data of a shape."""
    given: dict[str, AttributeValue] = {}
    for attribute in spec.attributes:
        if attribute.role == "axis":
            given[attribute.name] = _axis_of(spec, row, len(data))
        elif attribute.role == "block-size" and row[f.BLOCK] != f.NONE:
            given[attribute.name] = _block_size(spec, row, data)
    return given


def _naming(spec: Spec, row: Row) -> dict[str, AttributeValue]:
    """The attributes of a row that name types or switch."""
    given: dict[str, AttributeValue] = {}
    for attribute in spec.attributes:
        if attribute.role in ("axis", "block-size") or row[attribute.name] == f.OMITTED:
            continue
        named = row[attribute.name]
        if attribute.role == "switch":
            if named != attribute.name:
                given[attribute.name] = 0
            continue
        dtype = row[spec.outputs[0].type] if named == f.NAMED else named
        given[attribute.name] = formats()[dtype].code
    return given


def _block_size(spec: Spec, row: Row, data: Shape) -> int:
    rank = len(data)
    axis = _axis_of(spec, row, rank)
    if not -rank <= axis < rank:
        raise ImpossibleError("axis-range")
    length = data[axis]
    kind = row[f.BLOCK]
    if kind == "single":
        # One block holds the whole axis, and for vectors reaches past its end.
        return max(length, 1) + 2 * (row[f.SIZE] == "vector")
    if kind == "even" and (row[f.SIZE] == "vector" or length == 1):
        # Blocks of one element: the parameters have the shape of the data.
        return 1
    divides = kind == "even"
    for block in range(2, length):
        if (length % block == 0) == divides:
            return block
    raise ImpossibleError(f"an axis of length {length} has no {kind} blocks")


def parameter_shape(spec: Spec, granularity: str, call: Call) -> Shape:
    """The shape that parameters of a granularity have in a call.

    Raises:
        ImpossibleError: They have none.
    """
    shape = next(g.shape for g in spec.granularities if g.name == granularity)
    try:
        found: Shape = evaluator(spec, call).value(shape)
    except UndefinedError as reason:
        raise ImpossibleError(f"parameters have no shape: {reason}") from None
    return found


def _check_patterns(spec: Spec, row: Row, call: Call) -> None:
    for formal in spec.inputs:
        tensor = call.inputs[formal.name]
        if tensor is not None:
            try:
                check_fit(row[formal.name], formats()[tensor.dtype])
            except UnfitError as reason:
                raise ImpossibleError(str(reason)) from None
