"""Rows to begin a covering with: calls in which particular faults show."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from onnx_cts_generator import factors as f
from onnx_cts_generator.bases import bases, first_possible
from onnx_cts_generator.factors import Factors, Row
from onnx_cts_generator.patterns import SPECIAL
from onnx_cts_reference.formats import formats
from onnx_cts_specs import Spec


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
        base = first_possible(spec, plain, options)
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
        row = {**base, **{name: value for name, value in way.items() if name in base}}
        # An operator without parameters and attributes has less to present otherwise.
        if row != base:
            yield row


def pattern_probes(spec: Spec, factors: Factors) -> Iterator[Row]:
    """Calls with exact ties: of data alone, of scales with few bits, and of integers."""
    plain = factors.plain()
    options: list[Row] = []
    if not spec.parameters:
        ties = [p for p in factors.values[spec.data.name] if p.endswith("-ties")]
        options += (
            {spec.data.name: pattern, f.SIZE: size}
            for pattern, size in itertools.product(ties, ("vector", "small"))
        )
    for scale in (i for i in spec.parameters if "short" in i.patterns):
        tied = {spec.data.name: "quotient-ties", scale.name: "short", f.SIZE: "vector"}
        # Several zero points are odd and even ones.
        tied[f.GRANULARITY] = factors.values[f.GRANULARITY][:2][-1]
        results = factors.values.get(spec.outputs[0].type, ())
        unsigned = [t for t in results if formats()[t].kind == "uint"][:1]
        integers = [t for t in factors.values.get(scale.type, ()) if not formats()[t].is_float]
        precisions = {a.name: "float" for a in spec.attributes if a.role == "precision"}
        options += [tied, *(tied | {spec.outputs[0].type: t} for t in unsigned)]
        options += (tied | precisions | {scale.type: t, spec.data.type: t} for t in integers)
        options += _wide_and_narrow(spec, factors)
    for option in options:
        base = first_possible(spec, plain, iter([option]))
        if base and base.row != plain:
            yield base.row


def _wide_and_narrow(spec: Spec, factors: Factors) -> Iterator[Row]:
    """Wide integers from wide integers, and rows of blocks that do not fill their last byte."""
    variable = spec.outputs[0].type
    types = [formats()[t] for t in factors.values.get(variable, ())]
    integers = [t for t in factors.values.get(spec.data.type, ()) if not formats()[t].is_float]
    wide = next((t.name for t in types if t.bits == 16), "")
    narrow = next((t.name for t in types if not t.is_float and t.bits < 8), "")
    if wide and integers:
        yield {spec.data.type: integers[0], variable: wide, f.SIZE: "vector"}
    if narrow:
        yield {variable: narrow, f.GRANULARITY: "blocked", f.BLOCK: "tail", f.SIZE: "vector"}


def overflow_probes(spec: Spec, factors: Factors) -> Iterator[Row]:
    """Calls about and past the range of each small float type that a switch may let saturate."""
    plain = factors.plain()
    variable = spec.outputs[0].type
    switches = [a.name for a in spec.attributes if a.role == "switch"]
    zeros = {i.name: "zero" for i in spec.inputs if i.role == "zero-point"}
    small = [t for t in factors.values.get(variable, ()) if formats()[t].nan]
    for switch, dtype in itertools.product(switches, small):
        for value in factors.values[switch]:
            options = (
                {variable: dtype, switch: value, spec.data.name: pattern, f.SIZE: "vector", **zeros}
                for pattern in ("infinities", "saturation")
            )
            base = first_possible(spec, plain, options)
            if base:
                yield base.row


def masking_probes(spec: Spec, factors: Factors) -> Iterator[Row]:
    """Calls with special scales of each type, several of them.

    Where the output has them, NaN and infinities are to come out as they are.
    """
    plain = factors.plain()
    outputs = [t for t in factors.values.get(spec.outputs[0].type, ()) if formats()[t].infinity]
    if not outputs:
        return
    (scale,) = (i for i in spec.parameters if i.role == "scale")
    zeros = {i.name: "zero" for i in spec.parameters if i.role == "zero-point"}
    switches = {a.name: factors.values[a.name][1] for a in spec.attributes if a.role == "switch"}
    fixed = {spec.outputs[0].type: outputs[0], **zeros, **switches}
    fixed |= {f.GRANULARITY: factors.values[f.GRANULARITY][1], f.SIZE: "vector"}
    names = [a.name for a in spec.attributes if a.role == "precision"]
    types = factors.values.get(scale.type, ("",))
    chosen = [(SPECIAL, t) for t in types]
    # The least power of two is a subnormal number elsewhere.
    chosen += [("limits", t) for t in types if t and not formats()[t].signed]
    for pattern, dtype in chosen:
        options = (
            fixed
            | {scale.name: pattern, scale.type: dtype, spec.data.name: data}
            | dict.fromkeys(names, precision)
            for data, precision in itertools.product(
                ("infinities", factors.values[spec.data.name][0]), (f.OMITTED, "float")
            )
        )
        base = first_possible(spec, plain, options)
        if base:
            yield base.row


def scale_probes(spec: Spec, factors: Factors) -> Iterator[Row]:
    """Calls with special scales of each type and special data, at a zero point of zero.

    The granularities with several scales take turns, and so do integers and, where there is one, a
    type with infinities: 0 * NaN, 0 * infinity and infinity * 0 all occur.
    """
    plain = factors.plain()
    granularities = factors.values[f.GRANULARITY]
    turns = itertools.cycle(granularities[1:] or granularities)
    roles = {i.role: i for i in spec.inputs}
    if "scale" not in roles or "edges" not in factors.values[roles["data"].name]:
        return
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
        base = first_possible(spec, plain, options)
        if base:
            yield base.row
