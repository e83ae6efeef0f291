"""Features of the values of a case, by which a user may leave it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from onnx_cts_generator.case import Node, Value
from onnx_cts_harness.case import Expected as Permitted
from onnx_cts_harness.compare import difference
from onnx_cts_harness.diagnosis import outcome_of, tensor_of
from onnx_cts_harness.outcome import Outputs
from onnx_cts_reference import Expected
from onnx_cts_reference.deviations.catalog import catalogue
from onnx_cts_reference.deviations.steps import situation


def value_features(node: Node, expected: Sequence[Expected]) -> Iterator[str]:
    """What is special about the values of a node and of its outputs.

    Among them are the features of those deviations that the case shows.
    """
    spec = node.spec
    scales = [node.inputs[i.name] for i in spec.parameters if i.role == "scale"]
    if any(_is_special(value) for value in scales):
        yield "special-scale"
    data = node.inputs[spec.data.name]
    numbers = [*scales, *(Value.of(e.value) for e in expected)]
    # All data of a small type has subnormals.
    if any(_has_subnormals(v) for v in (*numbers, *([data] if data.format.bits >= 16 else []))):
        yield "subnormal"
    yield from dict.fromkeys(_shown(node, expected))


def permitted(expected: Expected) -> Permitted:
    """The permitted results of an output, as verdicts are found by."""
    return Permitted(*(tensor_of(a) for a in (expected.value, expected.lower, expected.upper)))


def _is_special(value: Value) -> bool:
    numbers = value.numbers
    return bool((~np.isfinite(numbers) | (numbers <= 0)).any())


def _has_subnormals(value: Value) -> bool:
    magnitudes = np.abs(value.numbers)
    is_subnormal = (magnitudes > 0) & (magnitudes < 2.0**value.format.least_exponent)
    return value.format.is_float and bool(is_subnormal.any())


def _shown(node: Node, expected: Sequence[Expected]) -> Iterator[str]:
    """The features of deviations whose outputs are not permitted."""
    spec = node.spec
    telling = [d for d in catalogue(spec.operator, spec.domain) if d.feature]
    if not telling:
        return
    at = situation(spec, node.arrays, node.attributes)
    results = [permitted(e) for e in expected]
    for deviation in telling:
        outcome = outcome_of(deviation.make, at)
        if isinstance(outcome, Outputs) and any(map(difference, results, outcome.tensors)):
            yield deviation.feature
