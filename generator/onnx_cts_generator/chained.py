"""Value cases of two nodes: what a model may answer follows from the readings of both."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from onnx_cts_generator import factors as f
from onnx_cts_generator.bases import first_possible
from onnx_cts_generator.case import Case, Following
from onnx_cts_generator.factors import Factors, Row
from onnx_cts_generator.values import bounds_of, evaluated, readings_named, unsalted, value_case
from onnx_cts_reference import BrokenRuleError, Expected, OpenQuestionError, evaluate
from onnx_cts_reference.formats import Array
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Spec, output_types, versions
from onnx_cts_specs.chains import Chain, chains_of


def chain_cases(spec: Spec, factors: Factors) -> Iterator[Case]:
    """The cases of the chains that begin with a spec's operator.

    Their parameters are constant, so that an optimizer may take the two nodes for one. The types
    of the zero point take turns.
    """
    for chain in chains_of(spec.operator, spec.domain):
        if spec.since_version >= chain.since:
            for row in _rows(spec, factors, chain):
                if case := _case(spec, factors, row, chain):
                    yield case


def _rows(spec: Spec, factors: Factors, chain: Chain) -> Iterator[Row]:
    plain = factors.plain()
    zero_point = next(i for i in spec.parameters if i.role == "zero-point")
    types = factors.values[zero_point.type]
    granularities = factors.values[f.GRANULARITY]
    if chain.for_each == "version":
        place = versions(spec.operator, spec.domain).index(spec.since_version)
        granularities = (granularities[-1 - place % len(granularities)],)
    for turn, granularity in enumerate(granularities):
        fixed = {f.GRANULARITY: granularity, f.PARAMETERS: "initializers"}
        options = (
            fixed | {f.BLOCK: block, zero_point.type: dtype}
            for dtype, block in itertools.product((*types[turn:], *types[:turn]), (f.NONE, "tail"))
        )
        base = first_possible(spec, plain, options)
        if base:
            yield base.row


def _case(spec: Spec, factors: Factors, row: Row, chain: Chain) -> Case | None:
    """The case of a row; None where the second node cannot take what the first one gives."""
    first = value_case(spec, factors, row, unsalted(spec))
    second = chain.second(first.presentation.opset, spec.domain)
    given = first.node.attributes
    names = {a.name for a in second.attributes}
    attributes = {n: given[n] for n in chain.attributes if n in given and n in names}
    arrays = {name: value.array for name, value in first.node.inputs.items()}
    found: dict[str, Array] = {}
    passed: Mapping[str, Array] = {}
    for name, outputs in _by_reading(spec, evaluated(first.node)).items():
        passed = arrays | outputs
        taken = [passed.get(chain.inputs.get(i.name, "")) for i in second.inputs]
        try:
            results = evaluate(
                second.operator, second.since_version, taken, attributes, spec.domain
            )
        except (BrokenRuleError, OpenQuestionError):
            return None
        found |= {f"{name}, then {then}": y for then, y in results[0].readings.items()}
    inputs = {formal: name for formal, name in chain.inputs.items() if name in passed}
    call = call_from({formal: passed[name] for formal, name in inputs.items()}, attributes)
    (output,) = output_types(second, call)
    following = Following(
        second,
        inputs,
        attributes,
        {output.name: (output.dtype, output.shape)},
    )
    expected = (Expected(found),)
    return replace(
        first,
        name=first.name.replace("test_", f"test_{chain.name.replace('-', '_')}_", 1),
        node=replace(first.node, then=following),
        features=(*first.features, f"chain:{chain.name}"),
        readings=readings_named(expected),
        expected=bounds_of(expected),
    )


def _by_reading(spec: Spec, expected: tuple[Expected, ...]) -> dict[str, dict[str, Any]]:
    """The outputs of a node by name, under each reading."""
    named = zip(spec.outputs, expected, strict=True)
    outputs = {output.name: e.readings for output, e in named}
    return {
        reading: {name: readings[reading] for name, readings in outputs.items()}
        for reading in expected[0].readings
    }
