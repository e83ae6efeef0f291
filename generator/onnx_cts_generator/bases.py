"""Rows to begin with: plain calls from which others are made, and probes of every axis."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from onnx_cts_generator import factors as f
from onnx_cts_generator.factors import Factors, Row
from onnx_cts_generator.patterns import SPECIAL
from onnx_cts_generator.plans import ImpossibleError, Plan, plan
from onnx_cts_reference.formats import formats
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
            named = ({attribute.name: dtype} for dtype in factors.values[attribute.name][1:])
            base = _first_possible(spec, plain, named)
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
            base = _first_possible(spec, plain, options)
            if base:
                yield base


def axis_probes(spec: Spec, factors: Factors) -> Iterator[Row]:
    """Calls in which an axis taken for another shows: each axis, all of one length.

    They take turns to name it from the front and from the back.

    The types go round too, so that the probes help to cover pairs.
    """
    plain = factors.plain()
    variables = [c.name for c in spec.type_constraints if c.name in factors.values]
    places = factors.values.get(f.AXIS, ())[1:]
    signs = itertools.cycle(factors.values.get(f.AXIS_SIGN, ())[::-1])
    turn = 0
    for granularity, place in itertools.product(factors.values[f.GRANULARITY][1:], places):
        shape = {f.AXIS: place, f.AXIS_SIGN: next(signs), f.GRANULARITY: granularity, f.RANK: "4"}
        types = [{v: factors.values[v][turn % len(factors.values[v])] for v in variables}, {}]
        options = (
            shape | {f.LENGTHS: "equal", f.BLOCK: block} | chosen
            for chosen, block in itertools.product(types, (f.NONE, "tail"))
        )
        base = _first_possible(spec, plain, options)
        if base:
            turn += 1
            yield base.row


def presentations(spec: Spec, factors: Factors) -> Iterator[Row]:
    """The first plain call presented in other ways: the answer must stay the same."""
    base = next(bases(spec, factors)).row
    ways = (
        {f.PARAMETERS: "initializers", f.STORAGE: "typed", f.SHAPES: "symbolic"},
        {f.PARAMETERS: "initializers", f.STORAGE: "external", f.ATTRIBUTES: "spelled"},
        {f.PARAMETERS: "constants", f.SHAPES: "unknown", f.OPSET: factors.values[f.OPSET][-1]},
    )
    for way in ways:
        yield {**base, **{name: value for name, value in way.items() if name in base}}


def scale_probes(spec: Spec, factors: Factors) -> Iterator[Row]:
    """Calls with special scales of each type and special data, at a zero point of zero.

    The granularities with several scales take turns, and so do integers and, where there is one, a
    type with infinities: 0 * NaN, 0 * infinity and infinity * 0 all occur.
    """
    plain = factors.plain()
    granularities = factors.values[f.GRANULARITY]
    turns = itertools.cycle(granularities[1:] or granularities)
    roles = {i.role: i for i in spec.inputs}
    data_types = factors.values.get(roles["data"].type, ())
    infinite = [t for t in data_types if formats()[t].infinity]
    types = itertools.cycle([*data_types[:1], *infinite[:1]])
    # Along an axis, data of a period that is none of the scales' meets each of them.
    by_axis = next(iter(granularities[1:]), granularities[0])
    element_types = [a.name for a in spec.attributes if a.role == "element-type"]
    for dtype in factors.values.get(roles["scale"].type, ("",)):
        data_type = next(types, "")
        fixed = {
            roles["scale"].name: SPECIAL,
            roles["data"].name: "edges",
            roles["zero-point"].name: "zero",
            roles["scale"].type: dtype,
            roles["data"].type: data_type,
            f.GRANULARITY: by_axis if data_type in infinite else next(turns),
        }
        options = (
            fixed | {f.BLOCK: block, f.AXIS: axis} | dict.fromkeys(element_types, output)
            for output, block, axis in itertools.product(
                (f.OMITTED, "float"), (f.NONE, "tail"), (f.OMITTED, "first")
            )
        )
        base = _first_possible(spec, plain, options)
        if base:
            yield base.row


def _first_possible(spec: Spec, plain: Row, options: Iterator[Row]) -> Base | None:
    for option in options:
        row = {**plain, **{name: value for name, value in option.items() if name in plain}}
        try:
            return Base(row, plan(spec, row))
        except ImpossibleError:
            continue
    return None
