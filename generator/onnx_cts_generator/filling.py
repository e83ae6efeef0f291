"""The inputs of a call filled with values: parameters first, then data, which may follow them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from onnx_cts_generator.case import Value
from onnx_cts_generator.patterns import codes_for, ends_in, kinds_in
from onnx_cts_generator.quotients import Among
from onnx_cts_reference.formats import Float64s, Format, formats
from onnx_cts_reference.node import Node
from onnx_cts_specs import Call, Spec, Tensor
from onnx_cts_specs.call import Kind
from onnx_cts_specs.judge import attribute_values


@dataclass(frozen=True)
class Filling:
    """What a planned tensor will be filled with, as rules ask about it."""

    pattern: str
    dtype: str

    def kinds(self, rounded_to: str) -> frozenset[Kind]:
        """The kinds of numbers that the tensor may hold, rounded to an element type."""
        return kinds_in(self.pattern, self.dtype, rounded_to)

    def ends(self) -> tuple[float, float]:
        """The least and the greatest finite number that it may hold."""
        return ends_in(self.pattern, self.dtype)


def planned(tensor: Tensor, pattern: str = "", dtype: str = "") -> Tensor:
    """A tensor that is to be filled by a pattern, or as before, of another type or as before."""
    if isinstance(tensor.content, Filling):
        pattern = pattern or tensor.content.pattern
    dtype = dtype or tensor.dtype
    content = Filling(pattern, dtype)
    return replace(tensor, dtype=dtype, nonzero=pattern != "zero", content=content)


@dataclass(frozen=True)
class Unfilled:
    """A call without values.

    Attributes:
        spec: The spec.
        call: The call.
        granularity: How parameters apply to the data; "" where they do not, and the first
            element of each stands for all.
        target: Format of the output that values should challenge.
    """

    spec: Spec
    call: Call
    granularity: str
    target: Format


def filled_inputs(
    unfilled: Unfilled,
    patterns: Mapping[str, str],
    salts: Mapping[str, int],
    changed: Callable[[str, Value], Value] = lambda _name, value: value,
) -> dict[str, Value]:
    """The present inputs of a call, each filled by its pattern.

    Args:
        unfilled: The call.
        patterns: The pattern of each input.
        salts: Where in its pattern each input begins.
        changed: Makes another value of that of an input, before data is filled that follows it.
    """
    spec, target = unfilled.spec, unfilled.target
    present = unfilled.call.present()
    filled: dict[str, Value] = {}
    for formal in spec.parameters:
        if tensor := present.get(formal.name):
            value = _value(tensor, patterns, salts, formal.name, Among(target))
            filled[formal.name] = changed(formal.name, value)
    if tensor := present.get(spec.data.name):
        attributes = attribute_values(spec, unfilled.call)
        node = Node({}, attributes, unfilled.granularity, ())
        spread: dict[str, Float64s] = {}
        for formal in spec.parameters:
            if parameter := filled.get(formal.name):
                spread[formal.role] = _spread(node, parameter, tensor.shape)
        among = Among(target, spread.get("scale", 1.0), spread.get("zero-point", 0.0))
        value = _value(tensor, patterns, salts, spec.data.name, among)
        filled[spec.data.name] = changed(spec.data.name, value)
    return {name: filled[name] for name in present}


def _value(
    tensor: Tensor,
    patterns: Mapping[str, str],
    salts: Mapping[str, int],
    name: str,
    among: Among,
) -> Value:
    form = formats()[tensor.dtype]
    codes = codes_for(patterns[name], form, tensor.shape, salts.get(name, 0), among)
    return Value(form, codes)


def _spread(node: Node, parameter: Value, shape: tuple[int, ...]) -> Float64s:
    if node.granularity:
        return node.spread(parameter.numbers, shape)
    return parameter.numbers.reshape(-1)[:1].sum()  # type: ignore[no-any-return] # a float64
