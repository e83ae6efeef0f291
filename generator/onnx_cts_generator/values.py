"""Value cases: from a row of factor values to a case with its expected outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from onnx_cts_generator import factors as f
from onnx_cts_generator.case import Case, Node, Presentation, Value
from onnx_cts_generator.factors import Factors, Row
from onnx_cts_generator.patterns import codes_for
from onnx_cts_generator.plans import Plan, plan
from onnx_cts_reference import Expected, evaluate
from onnx_cts_reference.formats import Format, formats
from onnx_cts_specs import Call, Spec, judge

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
    is_masked = any(row[name] == value for name, value in factors.masking)
    for shift in range(1 if is_masked else _SHIFTS):
        node = _node(spec, row, planned, {n: s + shift for n, s in salts.items()})
        expected = evaluated(node)
        if any(_shows_a_number(e) for e in expected):
            break
    return Case(
        name=f"test_{name_of(spec, row, factors)}",
        node=node,
        presentation=_presentation(spec, row),
        expectation="value",
        granularity=planned.granularity,
        features=(*_row_features(spec, row), *value_features(node, expected)),
        rules=tuple(rule.id for rule in judge(spec, planned.call).applied),
        readings=_readings(expected),
        expected=_bounds(expected),
        presents=presents,
    )


def _node(spec: Spec, row: Row, planned: Plan, salts: Mapping[str, int]) -> Node:
    patterns = {i.name: row[i.name] for i in spec.inputs}
    inputs = _input_values(planned.call, patterns, salts, planned.outputs[0])
    data = next(inputs[i.name] for i in spec.inputs if i.role == "data")
    outputs = {
        o.name: (form.name, data.shape)
        for o, form in zip(spec.outputs, planned.outputs, strict=True)
    }
    return Node(spec, inputs, planned.call.attributes, outputs)


def _shows_a_number(expected: Expected) -> bool:
    """Whether some element is neither zero, infinite nor NaN: a fault would show in it."""
    numbers = Value.of(expected.value).numbers
    return bool((np.isfinite(numbers) & (numbers != 0)).any())


def _input_values(
    call: Call, patterns: Mapping[str, str], salts: Mapping[str, int], target: Format
) -> dict[str, Value]:
    """The present inputs of a call, filled by a pattern each, to challenge a target format."""
    return {
        name: Value(form, codes_for(patterns[name], form, tensor.shape, salts[name], target))
        for name, tensor in call.present().items()
        for form in [formats()[tensor.dtype]]
    }


def evaluated(node: Node, reading: str | None = None) -> tuple[Expected, ...]:
    """The reference's outputs of a node."""
    spec = node.spec
    arrays = [node.inputs[i.name].array if i.name in node.inputs else None for i in spec.inputs]
    return evaluate(
        spec.operator, spec.since_version, arrays, node.attributes, spec.domain, reading=reading
    )


def name_of(spec: Spec, row: Row, factors: Factors) -> str:
    """A readable name of a row: types and granularity, then each value that is not plain."""
    variables = {c.name for c in spec.type_constraints}
    element_types = {a.name for a in spec.attributes if a.role == "element-type"}
    words = [row[name] for name in factors.values if name in variables]
    words += [f"to_{row[name]}" for name in element_types if row[name] != f.OMITTED]
    words.append(row[f.GRANULARITY])
    prefixes = {f.RANK: "rank", f.OPSET: "opset"}
    for name, plain in factors.plain().items():
        if name not in variables | element_types | {f.GRANULARITY} and row[name] != plain:
            words.append(prefixes.get(name, "") + row[name])
    return "_".join(words).replace("-", "_")


def _presentation(spec: Spec, row: Row) -> Presentation:
    return Presentation(
        opset=int(row[f.OPSET]),
        parameters=row[f.PARAMETERS],
        storage=row[f.STORAGE],
        shapes=row[f.SHAPES],
        spelled=row.get(f.ATTRIBUTES) == "spelled",
        empty_names=frozenset(
            i.name for i in spec.inputs if row[i.name] == f.ABSENT and row[f.ABSENCE] == f.UNNAMED
        ),
    )


def _row_features(spec: Spec, row: Row) -> Iterator[str]:
    """The row as features, but for what a case says elsewhere: types, granularity, opset."""
    elsewhere = {c.name for c in spec.type_constraints} | {f.GRANULARITY, f.OPSET}
    return (f"{name}:{value}" for name, value in row.items() if name not in elsewhere)


def value_features(node: Node, expected: Sequence[Expected]) -> Iterator[str]:
    """Features of the values by which a user may deselect cases."""
    scales = [node.inputs[i.name] for i in node.spec.inputs if i.role == "scale"]
    if any(_is_special(value) for value in scales):
        yield "special-scale"
    if any(_has_subnormals(value) for value in (*scales, *(Value.of(e.value) for e in expected))):
        yield "subnormal"


def _is_special(value: Value) -> bool:
    numbers = value.numbers
    return bool((~np.isfinite(numbers) | (numbers <= 0)).any())


def _has_subnormals(value: Value) -> bool:
    magnitudes = np.abs(value.numbers)
    return bool(((magnitudes > 0) & (magnitudes < 2.0**value.format.least_exponent)).any())


def _readings(expected: Sequence[Expected]) -> tuple[str, ...]:
    if all(e.is_single for e in expected):
        return (expected[0].value_reading,)
    return tuple(expected[0].readings)


def _bounds(expected: Sequence[Expected]) -> dict[str, tuple[Value | None, ...]]:
    found: dict[str, tuple[Value | None, ...]] = {
        "value": tuple(Value.of(e.value) for e in expected)
    }
    if not all(e.is_single for e in expected):
        found["lower"] = tuple(None if e.is_single else Value.of(e.lower) for e in expected)
        found["upper"] = tuple(None if e.is_single else Value.of(e.upper) for e in expected)
    return found
