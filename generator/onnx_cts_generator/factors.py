"""What can vary between the cases of a spec, and the values that each factor takes.

The factors follow from the spec alone: its type variables, granularities, attributes by role,
optional inputs, the patterns that suit each input's role, and the presentations of a model. The
first value of each factor is its plain one: a case's name leaves it out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from onnx_cts_generator.models import constant_types, function_body
from onnx_cts_generator.patterns import MASKING, PATTERNS
from onnx_cts_reference.formats import formats
from onnx_cts_specs import Spec, versions
from onnx_cts_specs.expressions import mentions
from onnx_cts_specs.model import Attribute

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

FORM = "form"

PRESENTATION = (ABSENCE, PARAMETERS, STORAGE, SHAPES, ATTRIBUTES, OPSET, FORM)
"""Factors that do not change the node that a model presents."""

NODE = "node"
FUNCTION_BODY = "function-body"
NAMED = "named"
STORED = {
    "inputs": ("raw",),
    "initializers": ("raw", "typed", "external"),
    "constants": ("raw", "typed"),
}
"""Where parameters come from, and how they may be stored there."""

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
    shapes[SIZE] = SIZES
    if "axis" in roles:
        # Where all are equal, an axis taken for another shows in the values alone.
        shapes[LENGTHS] = ("distinct", "equal")
    variables = {c.name for c in spec.type_constraints}
    types = {i.type: spec.types(i.type) for i in spec.inputs if i.type in variables}
    for attribute in spec.attributes:
        if options := _attribute_values(spec, attribute, types):
            types[attribute.name] = options
    for formal in spec.inputs:
        patterns = formal.patterns or PATTERNS[formal.role]
        types[formal.name] = (*patterns, *((ABSENT,) if formal.optional else ()))
    if any(formal.optional for formal in spec.inputs):
        types[ABSENCE] = ("left-out", UNNAMED)
    presentations = _presentations(spec)
    bound = (*types, *(n for n in (PARAMETERS, STORAGE, OPSET) if n in presentations))
    groups = (tuple(shapes), *_groups(spec, bound))
    masking = (
        (i.name, pattern)
        for i in spec.inputs
        if i.role == "scale"
        for pattern in types[i.name]
        if pattern in MASKING
    )
    return Factors(types | shapes | presentations, groups, (*masking, (SIZE, EMPTY)))


def _attribute_values(
    spec: Spec, attribute: Attribute, variables: Collection[str]
) -> tuple[str, ...]:
    """The values of an attribute that chooses types or switches; () for one of shapes."""
    types = dict.fromkeys(t for o in spec.outputs for t in spec.types(o.type))
    if attribute.role == "element-type":
        # A type that an input has too varies by itself, and the attribute can but name it.
        shared = spec.outputs[0].type in variables
        return (OMITTED, NAMED) if shared else (OMITTED, *types)
    if attribute.role == "precision":
        scale = next(i for i in spec.inputs if i.role == "scale")
        return (OMITTED, *(t for t in spec.types(scale.type) if formats()[t].infinity))
    if attribute.role == "switch":
        return (attribute.name, f"no-{attribute.name}")
    return ()


def _presentations(spec: Spec) -> dict[str, tuple[str, ...]]:
    """How a model may spell one node."""
    found: dict[str, tuple[str, ...]] = {}
    if spec.parameters:
        found = {PARAMETERS: tuple(STORED), STORAGE: STORED["initializers"]}
    found |= {SHAPES: ("static", "symbolic", "unknown"), OPSET: tuple(map(str, opsets_of(spec)))}
    if function_body(spec.domain, spec.operator, spec.since_version):
        found[FORM] = (NODE, FUNCTION_BODY)
    return found | ({ATTRIBUTES: ("omitted", "spelled")} if spec.attributes else {})


def _groups(spec: Spec, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Factors of types, values and presentation, parted where nothing binds them together."""
    group_of = {name: {name} for name in names}
    for bound in _bound(spec):
        merged = set[str]().union(*(group_of[name] for name in bound & set(names)))
        group_of |= dict.fromkeys(merged, merged)
    seen: set[str] = set()
    for name in names:
        if name not in seen:
            seen |= group_of[name]
            yield tuple(n for n in names if n in group_of[name])


def _bound(spec: Spec) -> Iterator[set[str]]:
    """Sets of factors that an input's own values, or one condition of the spec, bind together."""
    yield {PARAMETERS, STORAGE}
    for given in spec.inputs:
        types = set(spec.types(given.type))
        if given in spec.parameters and any(types - constant_types(o) for o in opsets_of(spec)):
            yield {given.name, given.type, PARAMETERS, OPSET}
        yield {given.name, given.type} | ({ABSENCE} if given.optional else set())
    conditions = [f"({r.when or True}) and ({r.require})" for r in spec.rules]
    conditions += [q.when for q in spec.open_questions]
    for condition in conditions:
        yield asked_about(spec, condition)
    for output in spec.outputs:
        yield asked_about(spec, output.dtype) | {output.type}


def asked_about(spec: Spec, expression: str) -> set[str]:
    """The factors of types and values that an expression asks about."""
    formal = {i.name: i for i in spec.inputs}
    meant = {t.name: t.value for t in spec.terms} | {o.name: o.dtype for o in spec.outputs}
    asked: set[str] = set()
    for function, name in mentions(expression, meant):
        if name not in formal:
            asked.add(name)
        if function in {"dtype", "holds", "extent"}:
            asked.add(formal[name].type)
        if function in {"nonzero", "holds", "extent"}:
            asked.add(name)
        if function == "has" and formal[name].optional:
            asked.add(name)
    return asked


def opsets_of(spec: Spec) -> range:
    """The opsets in which a version is the current one, as far as specs tell.

    The newest version that has a spec counts for its own opset alone: how far it stays current
    is not known yet, and must not depend on the onnx that happens to be installed.
    """
    later = [v for v in versions(spec.operator, spec.domain) if v > spec.since_version]
    return range(spec.since_version, min(later, default=spec.since_version + 1))
