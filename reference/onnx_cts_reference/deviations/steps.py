"""An implementation of an operator in small steps, each of which a deviation can take wrongly.

It is right as it stands: it computes the exact reading, refuses what breaks a rule, and answers an
open question by the first answer that computes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from onnx_cts_reference.deviations.remembered import nearest, round_to
from onnx_cts_reference.formats import (
    Array,
    Codes,
    Float64s,
    Format,
    codes_of,
    format_of_dtype,
    formats,
    values_of,
)
from onnx_cts_reference.tensors import answered_arrays, call_from
from onnx_cts_specs import Rule, Spec, UndefinedError, judge, output_types
from onnx_cts_specs.judge import answered_call, attribute_values

Shape = tuple[int, ...]


class Refusal(Exception):  # noqa: N818 - what an implementation does, and no error of ours
    """The implementation refuses the call."""


@dataclass(frozen=True)
class Situation:
    """A call with what its spec says of it, computed once for all deviations.

    Attributes:
        spec: The spec.
        inputs: The inputs as given, in order, None for an absent one.
        given: The attributes as given.
        arrays: The inputs that are present, open questions answered.
        attributes: Every attribute, given or default, open questions answered.
        granularity: The granularity that the call selects.
        broken: The rules that it breaks.
        outputs: Names of the formats of the outputs; empty where the call has none.
    """

    spec: Spec
    inputs: Sequence[Array | None]
    given: Mapping[str, Any]
    arrays: Mapping[str, Array]
    attributes: Mapping[str, Any]
    granularity: str
    broken: tuple[Rule, ...]
    outputs: tuple[str, ...]


def situation(spec: Spec, inputs: Sequence[Array | None], given: Mapping[str, Any]) -> Situation:
    """Judge a call, and answer its open questions by their first answer that computes."""
    arrays = {
        formal.name: array
        for formal, array in zip(spec.inputs, inputs, strict=False)
        if array is not None
    }
    call = call_from(arrays, given)
    judgement = judge(spec, call)
    answered: frozenset[str] = frozenset()
    while judgement.questions and not judgement.broken:
        question = judgement.questions[0]
        answer = next(a for a in question.readings if not a.refuse)
        call = answered_call(call, answer)
        arrays = answered_arrays(arrays, call)
        answered |= {question.id}
        judgement = judge(spec, call, answered)
    try:
        outputs = tuple(o.dtype for o in output_types(spec, call))
    except UndefinedError:
        outputs = ()
    return Situation(
        spec=spec,
        inputs=inputs,
        given=given,
        arrays=arrays,
        attributes=attribute_values(spec, call),
        granularity=judgement.granularity,
        broken=judgement.broken,
        outputs=outputs,
    )


class Implementation:
    """The steps that all operators share."""

    category = ""
    feature = ""

    def __init__(self, at: Situation) -> None:
        """Make ready to run a call."""
        self.at = at
        self.spec = at.spec
        self.x_name = at.spec.data.name

    def run(self) -> tuple[Array, ...]:
        """The outputs.

        Raises:
            Refusal: The call is refused.
        """
        refused = [rule for rule in self.at.broken if not self.accepts(rule)]
        if refused or self.refuses():
            raise Refusal(refused[0].id if refused else "unsupported")
        with np.errstate(all="ignore"):
            return self.compute()

    def compute(self) -> tuple[Array, ...]:
        """The outputs of a call that is accepted."""
        raise NotImplementedError

    def accepts(self, rule: Rule) -> bool:
        """Whether a call is computed although it breaks this rule."""
        return False

    def refuses(self) -> bool:
        """Whether a valid call is refused."""
        return False

    # The inputs.

    def has(self, name: str) -> bool:
        """Whether an input is present."""
        return name in self.at.arrays

    def format(self, name: str) -> Format:
        """The format of an input."""
        return format_of_dtype(self.at.arrays[name].dtype)

    def codes(self, name: str) -> Codes:
        """The codes of an input."""
        return codes_of(self.at.arrays[name])

    def values(self, name: str) -> Float64s:
        """The exact values of an input."""
        return values_of(self.codes(name), self.format(name))

    def x(self) -> Float64s:
        """The values of the data."""
        return self.values(self.x_name)

    @property
    def shape(self) -> Shape:
        """The shape of the data, () where there is none."""
        return self.at.arrays[self.x_name].shape if self.has(self.x_name) else ()

    # The outputs.

    def output_format(self) -> Format:
        """The format of the first output."""
        return formats()[self.at.outputs[0]]

    def rounded(self, values: Float64s, form: Format) -> Array:
        """Values in a format with infinities."""
        return round_to(values, form)

    def narrowed(self, values: Float64s, name: str) -> Float64s:
        """Values rounded to a format with infinities."""
        form, values = formats()[name], np.asarray(values)
        if type(self).rounded is Implementation.rounded:
            return nearest(values, form)
        return values_of(codes_of(self.rounded(values, form)), form)


class Steps(Implementation):
    """The steps that operators with data, a scale and a zero point share."""

    def __init__(self, at: Situation) -> None:
        """Make ready to run a call."""
        super().__init__(at)
        names = {i.role: i.name for i in at.spec.parameters}
        self.scale_name = names["scale"]
        self.zero_point_name = names["zero-point"]

    def scale(self) -> Float64s:
        """The values of the scale, in its own shape."""
        return self.values(self.scale_name)

    def zero_point(self) -> Float64s:
        """The values of the zero point in its own shape, 0 where there is none."""
        return self.values(self.zero_point_name) if self.has(self.zero_point_name) else np.zeros(())

    # Where parameters apply.

    def granularity(self) -> str:
        """The granularity."""
        return self.at.granularity

    def attribute(self, role: str, default: int) -> int:
        """The value of the attribute with a role, the default where the version has none."""
        names = [a.name for a in self.spec.attributes if a.role == role]
        return int(self.at.attributes[names[0]]) if names else default

    def given_axis(self) -> int:
        """The axis as it is given, or its default."""
        return self.attribute("axis", 1)

    def axis_is_given(self) -> bool:
        """Whether the node names an axis."""
        return any(a.role == "axis" and a.name in self.at.given for a in self.spec.attributes)

    def axis(self) -> int:
        """The axis as an index of the shape."""
        return self.given_axis() % max(len(self.shape), 1)

    def block_size(self) -> int:
        """The number of elements that share a parameter."""
        return self.attribute("block-size", 0)

    def block_index(self, length: int, blocks: int) -> Codes:
        """For each place along the axis, the index of its block."""
        return np.arange(length) // self.block_size()

    def spread(self, parameter: Float64s) -> Float64s:
        """A parameter broadcast over the data."""
        if not parameter.shape or self.granularity() == "per-tensor":
            return parameter
        axis = self.axis()
        if self.granularity() == "per-axis":
            return parameter.reshape(-1, *[1] * (len(self.shape) - axis - 1))
        index = self.block_index(self.shape[axis], parameter.shape[axis])
        return parameter.take(index, axis=axis)

    def spread_scale(self) -> Float64s:
        """The scale broadcast over the data."""
        return self.spread(self.scale())

    def spread_zero_point(self) -> Float64s:
        """The zero point broadcast over the data."""
        return self.spread(self.zero_point())


def ties_away(values: Float64s) -> Float64s:
    """The nearest integers, ties away from zero."""
    rest = np.abs(values - np.trunc(values))
    return np.trunc(values) + np.where(rest >= 0.5, np.sign(values), 0.0)
