"""What can vary between the cases of a spec, and the values that each factor takes.

The factors follow from the spec alone: its type variables, granularities, attributes by role,
optional inputs, the patterns that suit each input's role, and the presentations of a model. The
first value of each factor is its plain one: a case's name leaves it out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from onnx_cts_generator.models import constant_types
from onnx_cts_generator.patterns import PATTERNS, SPECIAL
from onnx_cts_specs import Spec, versions
from onnx_cts_specs.expressions import mentions

Row = Mapping[str, str]
"""One value for each factor."""

ABSENT = "absent"
UNNAMED = "unnamed"
ABSENCE = "absence"
OMITTED = "omitted"
NONE = "none"
EMPTY = "empty"

GRANULARITY = "granularity"
RANK = "rank"
AXIS = "axis"
AXIS_SIGN = "axis-sign"
BLOCK = "block"
SIZE = "size"
LENGTHS = "lengths"
PARAMETERS = "parameters"
STORAGE = "storage"
SHAPES = "shapes"
ATTRIBUTES = "attributes"
OPSET = "opset"

PRESENTATION = (ABSENCE, PARAMETERS, STORAGE, SHAPES, ATTRIBUTES, OPSET)
"""Factors that do not change the node that a model presents."""

RANKS = ("2", "4", "1", "0")
AXES = (OMITTED, "first", "middle", "last")
BLOCKS = (NONE, "even", "tail", "single")
SIZES = ("small", "vector", "one", EMPTY)


@dataclass(frozen=True)
class Factors:
    """The factors of a spec.

    Attributes:
        values: The values of each factor, the plain one first.
        groups: Sets of factors whose values rules bind together: one for shapes and the
            attributes that go with them, and those of element types and kinds of values. Factors
            in no group combine freely.
        masking: Factors with a value that hides what the others do, the most hiding last.
    """

    values: Mapping[str, tuple[str, ...]]
    groups: tuple[tuple[str, ...], ...]
    masking: tuple[tuple[str, str], ...]

    def without(self, left_out: Collection[tuple[str, str]]) -> Factors:
        """The factors without some of their values."""
        values = {
            name: tuple(v for v in options if (name, v) not in left_out)
            for name, options in self.values.items()
        }
        return replace(self, values=values)

    def plain(self) -> dict[str, str]:
        """The row of all plain values."""
        return {name: values[0] for name, values in self.values.items()}


def factors_of(spec: Spec) -> Factors:
    """The factors of a spec and their values."""
    roles = {attribute.role for attribute in spec.attributes}
    shapes: dict[str, tuple[str, ...]] = {
        GRANULARITY: tuple(g.name for g in spec.granularities),
        RANK: RANKS,
    }
    if "axis" in roles:
        shapes[AXIS] = AXES
        shapes[AXIS_SIGN] = ("from-front", "from-back")
    if "block-size" in roles:
        shapes[BLOCK] = BLOCKS
    shapes |= {SIZE: SIZES, LENGTHS: ("distinct", "equal")}
    variables = {c.name for c in spec.type_constraints}
    types = {i.type: spec.types(i.type) for i in spec.inputs if i.type in variables}
    for attribute in spec.attributes:
        if attribute.role == "element-type":
            types[attribute.name] = (
                OMITTED,
                *dict.fromkeys(t for o in spec.outputs for t in spec.types(o.type)),
            )
    for formal in spec.inputs:
        types[formal.name] = (*PATTERNS[formal.role], *((ABSENT,) if formal.optional else ()))
    if any(formal.optional for formal in spec.inputs):
        types[ABSENCE] = ("left-out", UNNAMED)
    presentations = _presentations(spec)
    groups = (tuple(shapes), *_groups(spec, (*types, PARAMETERS, STORAGE, OPSET)))
    scales = tuple((i.name, SPECIAL) for i in spec.inputs if i.role == "scale")
    return Factors(types | shapes | presentations, groups, (*scales, (SIZE, EMPTY)))


def _presentations(spec: Spec) -> dict[str, tuple[str, ...]]:
    """How a model may spell one node."""
    found: dict[str, tuple[str, ...]] = {
        PARAMETERS: ("inputs", "initializers", "constants"),
        STORAGE: ("raw", "typed", "external"),
        SHAPES: ("static", "symbolic", "unknown"),
        OPSET: tuple(map(str, opsets_of(spec))),
    }
    return found | ({ATTRIBUTES: ("omitted", "spelled")} if spec.attributes else {})


def _groups(spec: Spec, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Factors of types, values and presentation, parted where nothing binds them together."""
    group_of = {name: {name} for name in names}
    for bound in _bound(spec):
        merged = set().union(*(group_of[name] for name in bound & set(names)))
        group_of |= dict.fromkeys(merged, merged)
    seen: set[str] = set()
    for name in names:
        if name not in seen:
            seen |= group_of[name]
            yield tuple(n for n in names if n in group_of[name])


def _bound(spec: Spec) -> Iterator[set[str]]:
    """Sets of factors that an input's own values, or one condition of the spec, bind together."""
    formal = {i.name: i for i in spec.inputs}
    yield {PARAMETERS, STORAGE}
    for given in spec.inputs:
        types = set(spec.types(given.type))
        if given.role != "data" and any(types - constant_types(o) for o in opsets_of(spec)):
            yield {given.name, given.type, PARAMETERS, OPSET}
        yield {given.name, given.type} | ({ABSENCE} if given.optional else set())
    conditions = [(r.when, r.require) for r in spec.rules]
    conditions += [(q.when, "True") for q in spec.open_questions]
    for pair in conditions:
        bound: set[str] = set()
        for function, name in mentions(f"({pair[0] or True}) and ({pair[1]})"):
            if function == "dtype":
                bound.add(formal[name].type)
            elif (
                function == "nonzero"
                or (function == "has" and formal[name].optional)
                or name not in formal
            ):
                bound.add(name)
        yield bound


def opsets_of(spec: Spec) -> range:
    """The opsets in which a version is the current one, as far as specs tell.

    The newest version that has a spec counts for its own opset alone: how far it stays current
    is not known yet, and must not depend on the onnx that happens to be installed.
    """
    later = [v for v in versions(spec.operator, spec.domain) if v > spec.since_version]
    return range(spec.since_version, min(later, default=spec.since_version + 1))
