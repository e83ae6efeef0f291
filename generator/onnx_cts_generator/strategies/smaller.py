"""Calls that are parts of a valid one, down to one element in the plainest presentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from onnx_cts_generator.case import Case, Node, Presentation, Shape, Value
from onnx_cts_generator.judged import judged_case
from onnx_cts_generator.plans import ImpossibleError, parameter_shape
from onnx_cts_generator.strategies.contents import code_strategy
from onnx_cts_generator.strategies.shapes import asks_for, block_sizes
from onnx_cts_reference.formats import Codes, formats
from onnx_cts_reference.node import Node as Computed
from onnx_cts_specs import Call, Spec, Tensor, judge, output_types
from onnx_cts_specs.judge import attribute_values
from onnx_cts_specs.model import AttributeValue, Granularity

Attributes = Mapping[str, AttributeValue]

_FEW = 8
"""Elements of a tensor that are made simple one by one."""
_KEEPS = st.sampled_from([False] + [True] * 5)
"""Whether something stays as it is; to go is the simpler."""


@dataclass(frozen=True)
class Part:
    """A part of data: a window, of whose axes some are left out.

    Attributes:
        window: Where it lies in the data.
        axes: The axes that are kept.
        at: Where in the part, of all axes of the data, the element is that it is about.
    """

    window: tuple[slice, ...]
    axes: tuple[int, ...]
    at: Shape

    def of(self, codes: Codes) -> Codes:
        """The window of codes that have the shape of the data, with all axes."""
        return codes[self.window]

    def shape(self, codes: Codes) -> Shape:
        """The shape of such a part with the axes that are kept."""
        lengths = self.of(codes).shape
        return tuple(lengths[axis] for axis in self.axes)


class Whole:
    """A valid call of which parts are taken; no dataclass, all of which Hypothesis would print.

    Attributes:
        case: Its case.
        spec: Its spec.
        granularity: The granularity.
        axis: The axis that it names, counted from the front.
        block: Its block size, 1 without blocks.
        index: Where in its data the element lies that every part has.
    """

    def __init__(self, case: Case, index: Shape) -> None:
        """Take what is to become smaller."""
        self.case, self.index = case, index
        self.spec = case.node.spec
        self.granularity = next(g for g in self.spec.granularities if g.name == case.granularity)
        self._values = attribute_values(self.spec, Call({}, case.node.attributes))
        axis = int(str(self._values.get(name_of(self.spec, "axis"), 0)))
        self.axis = axis % len(self.data.shape) if self.data.shape else 0
        self.block = int(str(self._values.get(name_of(self.spec, "block-size")) or 1))

    def __repr__(self) -> str:
        return self.case.name

    @property
    def data(self) -> Value:
        """Its data."""
        return self.case.node.inputs[self.spec.data.name]

    def spread(self, parameter: Value) -> Codes:
        """The code of a parameter for each element of the data."""
        node = Computed({}, self._values, self.granularity.name, ())
        # Codes are whole numbers of at most 32 bits, which float64 holds.
        spread = node.spread(parameter.codes.astype(np.float64), self.data.shape)
        codes = np.broadcast_to(spread, self.data.shape)
        return codes.astype(parameter.format.code_dtype)


def name_of(spec: Spec, role: str) -> str:
    """The name of the attribute of a role; "" where the spec has none."""
    return next((a.name for a in spec.attributes if a.role == role), "")


def one_element(case: Case, index: Shape) -> Case | None:
    """The case of one element of the data of a value case, in the same presentation.

    None if the element alone makes no valid call.
    """
    whole = Whole(case, index)
    window = tuple(slice(place, place + 1) for place in index)
    part = Part(window, tuple(range(len(index))), (0,) * len(index))
    node = _part_node(whole, part, whole.granularity, case.node.inputs, case.node.attributes)
    return _valid(node, case.presentation) if node else None


def smaller_cases(case: Case, index: Shape) -> st.SearchStrategy[Case]:
    """Value cases that make a part of the call of another value case.

    Args:
        case: The other case.
        index: Where in its data the element lies that every part has.
    """
    return _smaller_cases(Whole(case, index))


@st.composite
def _smaller_cases(draw: st.DrawFn, whole: Whole) -> Case:
    spec, node = whole.spec, whole.case.node
    granularity = whole.granularity
    if not draw(_KEEPS):
        granularity = draw(st.sampled_from(spec.granularities))
    if asks_for(spec, granularity, "axis") and not whole.data.shape:
        return reject()
    part = _drawn_part(draw, whole, granularity)
    attributes = _drawn_attributes(draw, whole, granularity, part)
    inputs = {
        formal.name: node.inputs[formal.name]
        for formal in spec.inputs
        if formal.name in node.inputs and (not formal.optional or draw(_KEEPS))
    }
    made = _part_node(whole, part, granularity, inputs, attributes)
    if made is None:
        return reject()
    simple = {name: _simpler(draw, made, name, value) for name, value in made.inputs.items()}
    made = replace(made, inputs=simple)
    return _valid(made, _plainer(draw, whole.case.presentation, made)) or reject()


def _valid(node: Node, presentation: Presentation) -> Case | None:
    case = judged_case(node, presentation)
    return case if case.expectation == "value" else None


def _drawn_part(draw: st.DrawFn, whole: Whole, granularity: Granularity) -> Part:
    """A part with the element, which begins where a block does on the axis of the parameters."""
    needed = whole.axis if asks_for(whole.spec, granularity, "axis") else None
    step = whole.block if granularity is whole.granularity else 1
    window, kept, at = [], [], []
    for axis, (length, place) in enumerate(zip(whole.data.shape, whole.index, strict=True)):
        least = min(length, 1)
        size = draw(st.integers(least, length))
        start = min(place, length - size)
        if axis == needed and length:
            start -= start % step
            size = max(size, place - start + 1)
        window.append(slice(start, start + size))
        at.append(place - start)
        if size != 1 or axis == needed or draw(_KEEPS):
            kept.append(axis)
    return Part(tuple(window), tuple(kept), tuple(at))


def _drawn_attributes(
    draw: st.DrawFn, whole: Whole, granularity: Granularity, part: Part
) -> Attributes:
    before = whole.case.node.attributes
    given: dict[str, AttributeValue] = {}
    for attribute in whole.spec.attributes:
        name = attribute.name
        if attribute.role in ("axis", "block-size"):
            if not asks_for(whole.spec, granularity, attribute.role):
                continue
            if attribute.role == "axis":
                place = part.axes.index(whole.axis)
                was_negative = int(str(before.get(name, 0))) < 0
                given[name] = place - len(part.axes) * (was_negative and draw(_KEEPS))
            else:
                window = part.window[whole.axis]
                kept = before.get(name) if draw(_KEEPS) else None
                given[name] = kept or draw(block_sizes(window.stop - window.start))
        elif name in before and draw(_KEEPS):
            given[name] = before[name]
    return given


def _part_node(
    whole: Whole,
    part: Part,
    granularity: Granularity,
    inputs: Mapping[str, Value],
    attributes: Attributes,
) -> Node | None:
    """The node of a part, with those parameters that apply to it; None if there is none."""
    spec, data = whole.spec, whole.data
    shape = part.shape(data.codes)
    cut = {spec.data.name: Value(data.format, part.of(data.codes).reshape(shape))}
    tensors: dict[str, Tensor | None] = {n: Tensor(v.format.name, shape) for n, v in inputs.items()}
    try:
        parameters = parameter_shape(spec, granularity.name, Call(tensors, attributes))
    except ImpossibleError:
        return None
    block = int(str(attributes.get(name_of(spec, "block-size"), 1)))
    for formal in spec.parameters:
        if value := inputs.get(formal.name):
            spread = part.of(whole.spread(value))
            if not spread.size:
                return None
            codes = _first_of_each(spread, parameters, part, whole.axis, block)
            cut[formal.name] = Value(value.format, codes)
    cut = {name: cut[name] for name in inputs}
    tensors = {name: Tensor(value.format.name, value.shape) for name, value in cut.items()}
    if judge(spec, Call(tensors, attributes)).broken:
        return None
    outputs = {o.name: (o.dtype, o.shape) for o in output_types(spec, Call(tensors, attributes))}
    return Node(spec, cut, attributes, outputs)


def _first_of_each(spread: Codes, shape: Shape, part: Part, axis: int, block: int) -> Codes:
    """Parameters of a shape: of what applies to each element the first that shares a parameter."""
    if not shape:
        return np.array(spread[part.at])
    length = spread.shape[axis]
    is_vector = len(shape) == 1
    count = shape[0] if is_vector else shape[part.axes.index(axis)]
    along = np.minimum(np.arange(count) * (1 if count == length else block), length - 1)
    taken = spread.take(along, axis=axis)
    if is_vector:
        taken = taken[tuple(slice(None) if i == axis else at for i, at in enumerate(part.at))]
    return np.ascontiguousarray(taken).reshape(shape)


def _simpler(draw: st.DrawFn, node: Node, name: str, value: Value) -> Value:
    """A tensor with simple elements in place of some, if it has few."""
    flat = value.codes.reshape(-1).copy()
    if flat.size > _FEW:
        return value
    target = formats()[next(iter(node.outputs.values()))[0]]
    codes = code_strategy(node.spec.input(name), value.format, target)
    for place in range(flat.size):
        if not draw(_KEEPS):
            flat[place] = draw(codes)
    return Value(value.format, flat.reshape(value.shape))


def _plainer(draw: st.DrawFn, presentation: Presentation, node: Node) -> Presentation:
    """A presentation whose ways are the plain ones in place of some."""
    spec = node.spec
    plain = Presentation(spec.since_version)
    ways = {
        name: getattr(presentation, name)
        for name in ("opset", "parameters", "storage", "shapes", "spelled", "expanded")
        if getattr(presentation, name) != getattr(plain, name) and draw(_KEEPS)
    }
    absent = {i.name for i in spec.inputs if i.name not in node.inputs}
    named = presentation.empty_names & absent if draw(_KEEPS) else frozenset()
    made = replace(plain, **ways, empty_names=named)
    return made if made.parameters != "inputs" else replace(made, storage="raw")
