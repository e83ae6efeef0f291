"""Value cases: from a row of factor values to a case with its expected outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from onnx_cts_generator import factors as f
from onnx_cts_generator.case import Case, Node, Presentation, Value
from onnx_cts_generator.factors import Factors, Row
from onnx_cts_generator.features import value_features
from onnx_cts_generator.filling import Unfilled, filled_inputs
from onnx_cts_generator.plans import Plan, plan
from onnx_cts_reference import Expected, evaluate
from onnx_cts_specs import Spec, judge

_SHIFTS = 32
"""How many places of the patterns are tried for one where a small tensor shows a number."""


def value_case(
    spec: Spec, factors: Factors, row: Row, salts: Mapping[str, int], presents: str = ""
) -> Case:
    """The case of a possible row.

    Args:
        spec: The spec.
        factors: Its factors.
        row: A row that ``plans.plan`` accepts.
        salts: For each input where in its pattern to begin, so that tensors of one element differ
            between cases.
        presents: Name of the case whose node this one presents in another way, if any.
    """
    planned = plan(spec, row)
    node, expected = filled_node(spec, factors, row, planned, salts)
    return Case(
        name=f"test_{name_of(spec, row, factors)}",
        node=node,
        presentation=presentation_of(spec, row),
        expectation="value",
        granularity=planned.granularity,
        features=(*_row_features(spec, row), *value_features(node, expected)),
        rules=tuple(rule.id for rule in judge(spec, planned.call).applied),
        readings=readings_named(expected),
        expected=bounds_of(expected),
        presents=presents,
    )


def unsalted(spec: Spec) -> dict[str, int]:
    """Salts with which every input begins its pattern at its beginning."""
    return dict.fromkeys((formal.name for formal in spec.inputs), 0)


def filled_node(
    spec: Spec, factors: Factors, row: Row, planned: Plan, salts: Mapping[str, int]
) -> tuple[Node, tuple[Expected, ...]]:
    """The node of a planned row, and its outputs: one in which some output shows a number."""
    is_masked = any(row[name] == value for name, value in factors.masking)
    for shift in range(1 if is_masked else _SHIFTS):
        node = _node(spec, row, planned, {n: s + shift for n, s in salts.items()})
        expected = evaluated(node)
        if any(_shows_a_number(e) for e in expected):
            break
    return node, expected


def _node(spec: Spec, row: Row, planned: Plan, salts: Mapping[str, int]) -> Node:
    patterns = {i.name: row[i.name] for i in spec.inputs}
    unfilled = Unfilled(spec, planned.call, planned.granularity, planned.target)
    inputs = filled_inputs(unfilled, patterns, salts)
    outputs = {output.name: (output.dtype, output.shape) for output in planned.outputs}
    return Node(spec, inputs, planned.call.attributes, outputs)


def _shows_a_number(expected: Expected) -> bool:
    """Whether some element is neither zero, infinite nor NaN: a fault would show in it."""
    numbers = Value.of(expected.value).numbers
    return bool((np.isfinite(numbers) & (numbers != 0)).any())


def evaluated(node: Node, reading: str | None = None) -> tuple[Expected, ...]:
    """The reference's outputs of a node."""
    spec = node.spec
    return evaluate(
        spec.operator,
        spec.since_version,
        node.arrays,
        node.attributes,
        spec.domain,
        reading=reading,
    )


def name_of(spec: Spec, row: Row, factors: Factors) -> str:
    """A readable name of a row: types and granularity, then each value that is not plain."""
    variables = {c.name for c in spec.type_constraints}
    prepositions = {"element-type": "to", "precision": "in"}
    named = {a.name: prepositions[a.role] for a in spec.attributes if a.role in prepositions}
    words = [row[name] for name in factors.values if name in variables]
    words += [f"{way}_{row[name]}" for name, way in named.items() if row[name] != f.OMITTED]
    words.append(row[f.GRANULARITY])
    prefixes = {f.RANK: "rank", f.OPSET: "opset"}
    for name, plain in factors.plain().items():
        if name not in {*variables, *named, f.GRANULARITY} and row[name] != plain:
            words.append(prefixes.get(name, "") + row[name])
    return "_".join(words).replace("-", "_")


def presentation_of(spec: Spec, row: Row) -> Presentation:
    """How a row has its node presented."""
    return Presentation(
        opset=int(row[f.OPSET]),
        parameters=row.get(f.PARAMETERS, "inputs"),
        storage=row.get(f.STORAGE, "raw"),
        shapes=row[f.SHAPES],
        spelled=row.get(f.ATTRIBUTES) == "spelled",
        expanded=row.get(f.FORM) == f.FUNCTION_BODY,
        empty_names=frozenset(
            i.name for i in spec.inputs if row[i.name] == f.ABSENT and row[f.ABSENCE] == f.UNNAMED
        ),
    )


def _row_features(spec: Spec, row: Row) -> Iterator[str]:
    """The row as features, but for what a case says elsewhere: types, granularity, opset."""
    elsewhere = {c.name for c in spec.type_constraints} | {f.GRANULARITY, f.OPSET}
    return (f"{name}:{value}" for name, value in row.items() if name not in elsewhere)


def readings_named(expected: Sequence[Expected]) -> tuple[str, ...]:
    """The readings that a value case names: those whose interval is permitted."""
    if all(e.is_single for e in expected):
        return (expected[0].value_reading,)
    return tuple(expected[0].readings)


def bounds_of(expected: Sequence[Expected]) -> dict[str, tuple[Value | None, ...]]:
    """The outputs of a value case, and their bounds where several results are permitted."""
    found: dict[str, tuple[Value | None, ...]] = {
        "value": tuple(Value.of(e.value) for e in expected)
    }
    if not all(e.is_single for e in expected):
        found["lower"] = tuple(None if e.is_single else Value.of(e.lower) for e in expected)
        found["upper"] = tuple(None if e.is_single else Value.of(e.upper) for e in expected)
    return found
