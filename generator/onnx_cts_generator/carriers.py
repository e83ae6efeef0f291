"""Calls in which a difference between two versions may show: those that carry what one lacks."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cache

from onnx_cts_generator import factors as f
from onnx_cts_generator import probes
from onnx_cts_generator.bases import Base, bases, bases_of_types, first_possible
from onnx_cts_generator.coverings import covering_of
from onnx_cts_generator.factors import Factors, Row, factors_of
from onnx_cts_specs import Spec, spec_for

_CHOOSING = ("element-type", "precision", "switch")
"""Roles of attributes that are factors by their own name."""
_SHAPING = {"axis": f.AXIS, "block-size": f.BLOCK}
"""Roles of the other attributes, and their factors."""

Carrier = dict[str, str]
"""Values of factors that make a call use what one version has and another lacks."""


def carriers_of(spec: Spec, factors: Factors, other: Spec) -> Iterator[Carrier]:
    """What carries each type, attribute and granularity that another version does not have."""
    yield from _types(spec, factors, other)
    yield from _named_types(spec, factors, other)
    known = {attribute.name for attribute in other.attributes}
    for attribute in spec.attributes:
        if attribute.name not in known:
            name = _SHAPING.get(attribute.role, attribute.name)
            # The first value is the default.
            yield {name: factors.values[name][1]}
    known = {granularity.name for granularity in other.granularities}
    for name in factors.values[f.GRANULARITY]:
        if name not in known:
            yield {f.GRANULARITY: name}


def _types(spec: Spec, factors: Factors, other: Spec) -> Iterator[Carrier]:
    """Types that an input cannot have, each once where inputs share a type variable."""
    seen = set()
    for mine, theirs in zip(spec.inputs, other.inputs, strict=False):
        for dtype in factors.values.get(mine.type, ()):
            if dtype not in other.types(theirs.type) and (mine.type, dtype) not in seen:
                seen.add((mine.type, dtype))
                yield {mine.type: dtype}


def _named_types(spec: Spec, factors: Factors, other: Spec) -> Iterator[Carrier]:
    """The first type that the output cannot have, named by an attribute that both versions have."""
    known = {attribute.name for attribute in other.attributes}
    (output, *_), (theirs, *_) = spec.outputs, other.outputs
    added = [t for t in spec.types(output.type) if t not in other.types(theirs.type)]
    absent = {i.name: f.ABSENT for i in spec.inputs if i.optional}
    for attribute, dtype in itertools.product(spec.attributes, added[:1]):
        if attribute.role != "element-type" or attribute.name not in known:
            continue
        if output.type in factors.values:
            yield {attribute.name: f.NAMED, output.type: dtype, **absent}
        else:
            yield {attribute.name: dtype}


def ways_to_carry(spec: Spec, factors: Factors, carrier: Carrier) -> Iterator[Base]:
    """The valid calls with a carrier, the plainest first.

    They differ in what else a call may need, to be valid or to be nothing but the carrier: a zero
    point of zero, no optional input, another type, or another shape.
    """
    results = [{spec.outputs[0].type: t} for t in factors.values.get(spec.outputs[0].type, ())]
    beside: list[Carrier] = [{}]
    beside += ({i.name: "zero"} for i in spec.inputs if i.role == "zero-point")
    # Without an input that has its type the output is of a certain one.
    beside += ({i.name: f.ABSENT} | t for i in spec.inputs if i.optional for t in ({}, *results))
    is_about_shapes = not carrier.keys().isdisjoint((f.GRANULARITY, f.BLOCK))
    more = _shapes(factors) if is_about_shapes else [{}, *_choices(spec, factors)]
    rows = (factors.plain() | a | b | carrier for a, b in itertools.product(beside, more))
    return _possible(spec, factors, rows)


def _shapes(factors: Factors) -> Iterator[Carrier]:
    options = {
        f.GRANULARITY: factors.values[f.GRANULARITY],
        f.BLOCK: factors.values.get(f.BLOCK, (f.NONE,)),
        f.RANK: ("2", "1"),
        f.AXIS: factors.values.get(f.AXIS, (f.OMITTED,))[:2],
        f.SIZE: ("small", "vector"),
    }
    for values in itertools.product(*options.values()):
        yield dict(zip(options, values, strict=True))


def _choices(spec: Spec, factors: Factors) -> Iterator[Carrier]:
    """Types and switches, each at a value that is not plain."""
    names = [c.name for c in spec.type_constraints]
    names += [a.name for a in spec.attributes if a.role in _CHOOSING]
    for name in names:
        yield from ({name: value} for value in factors.values.get(name, ())[1:])


@cache
def covered(operator: str, domain: str, version: int) -> tuple[Base, ...]:
    """The calls that the suite has at level core in any case, the plainest first.

    None has a value that masks what the others do.
    """
    spec = spec_for(operator, version, domain)
    factors = factors_of(spec)
    rows = covering_of(operator, domain, version, "core").rows
    plain = (row for row in rows if not any(row[n] == value for n, value in factors.masking))
    return tuple(_possible(spec, factors, plain))


@cache
def plain_and_probing(operator: str, domain: str, version: int) -> tuple[Base, ...]:
    """Valid calls in which what both versions have may be judged otherwise, the plainest first.

    They are the plain ones, those of every two types, and the probes.
    """
    spec = spec_for(operator, version, domain)
    factors = factors_of(spec)
    plain = factors.plain()
    rows = [base.row for base in (*bases(spec, factors), *bases_of_types(spec, factors))]
    for one, other in itertools.combinations_with_replacement(_choices(spec, factors), 2):
        rows.append(plain | one | other)
    for make in (probes.axis_probes, probes.pattern_probes, probes.overflow_probes):
        rows += make(spec, factors)
    return tuple(_possible(spec, factors, rows))


def _possible(spec: Spec, factors: Factors, rows: Iterable[Row]) -> Iterator[Base]:
    """The rows that are calls, the plainest first and each once."""
    plain = factors.plain()
    named = ({name: row[name] for name in plain if name in row} for row in rows)
    once = {tuple(row.values()): row for row in named}

    def effort(row: Row) -> tuple[bool, int, int]:
        unlike = [name for name in plain if row[name] != plain[name]]
        presenting = sum(name in f.PRESENTATION for name in unlike)
        # Of one element little shows.
        return row[f.SIZE] == "one", len(unlike) - presenting, presenting

    for row in sorted(once.values(), key=effort):
        if base := first_possible(spec, plain, iter([row])):
            yield base
