"""Plain calls, from which others are made by a change."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from onnx_cts_generator import factors as f
from onnx_cts_generator.factors import Factors, Row
from onnx_cts_generator.plans import ImpossibleError, Plan, plan
from onnx_cts_specs import Spec


@dataclass(frozen=True)
class Base:
    """A valid call from which changed ones start, with the row that describes it."""

    row: Row
    plan: Plan


def bases(spec: Spec, factors: Factors) -> Iterator[Base]:
    """Plain calls: for each attribute that names a type, for each granularity at ranks 2 and 1."""
    plain = factors.plain()
    for attribute in spec.attributes:
        if attribute.role == "element-type":
            absent = {i.name: f.ABSENT for i in spec.inputs if i.optional}
            named = (
                # What names a type that an optional input has is plainest without that input.
                {attribute.name: dtype, **(absent if dtype == f.NAMED else {})}
                for dtype in factors.values[attribute.name][1:]
            )
            base = first_possible(spec, plain, named)
            if base:
                yield base
    for granularity in factors.values[f.GRANULARITY]:
        for rank in ("2", "1"):
            options = (
                {f.GRANULARITY: granularity, f.RANK: rank, f.BLOCK: block, f.AXIS: axis}
                for block, axis in itertools.product(
                    (f.NONE, "tail", "even"), (f.OMITTED, "first", "last")
                )
            )
            base = first_possible(spec, plain, options)
            if base:
                yield base


def bases_of_types(spec: Spec, factors: Factors) -> Iterator[Base]:
    """A plain call for each type of the output that an input has too, at a zero point of zero."""
    plain = factors.plain()
    variable = spec.outputs[0].type
    zeros = {i.name: "zero" for i in spec.inputs if i.role == "zero-point"}
    for dtype in factors.values.get(variable, ()):
        base = first_possible(spec, plain, iter([{variable: dtype, **zeros}]))
        if base:
            yield base


def first_possible(spec: Spec, plain: Row, options: Iterator[Row]) -> Base | None:
    """The first possible one of the plain row changed as some options say."""
    for option in options:
        row = {**plain, **{name: value for name, value in option.items() if name in plain}}
        try:
            return Base(row, plan(spec, row))
        except ImpossibleError:
            continue
    return None
