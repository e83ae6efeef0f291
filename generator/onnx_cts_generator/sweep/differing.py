"""What two versions of an operator permit, compared over a whole domain; no backend is asked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from onnx_cts_generator.sweep.judging import Bools, call_at
from onnx_cts_generator.sweep.plan import Block, Feed
from onnx_cts_generator.sweep.shrinking import inputs_shown, smallest_first
from onnx_cts_harness.by_reference import Ruling, ruled
from onnx_cts_harness.case import Expected
from onnx_cts_harness.shown import shown as as_text
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.formats import is_nan
from onnx_cts_reference.model_calls import ModelCall
from onnx_cts_specs import Spec

SAME = "same"
#: Both settle the call, on different values.
VALUE = "value"
#: Both give the same value, and permit other answers beside it.
PERMITTED = "permitted"
#: Both leave the call open, between different answers.
ANSWERS = "answers"


def differing_line(block: Block, other: Spec) -> dict[str, Any]:
    """Compare what two versions permit on each element of a block.

    Args:
        block: A block of the one version.
        other: The spec of the other.

    Returns:
        What the record says of it, but for its name.
    """
    counts: Counter[str] = Counter()
    smallest: dict[str, dict[str, Any]] = {}
    for feed in block.feeds():
        call = call_at(feed.grid, feed.rows, np.arange(feed.grid.columns))
        one, two = ruled(call), ruled(_at(call, other))
        if one.expectation != two.expectation:
            here, there = feed.grid.spec.since_version, other.since_version
            way = f"{one.expectation} in {here}, {two.expectation} in {there}"
            masks = {way: np.ones((len(feed.rows), feed.grid.columns), np.bool_)}
        else:
            masks = _kinds(one, two, (len(feed.rows), feed.grid.columns))
        for kind, mask in masks.items():
            counted = mask[: feed.count]
            counts[kind] += int(counted.sum())
            if kind != SAME and kind not in smallest and counted.any():
                smallest[kind] = _smallest(feed, counted, other)
    line: dict[str, Any] = {"elements": block.elements, "versions": dict(sorted((+counts).items()))}
    return line | ({"smallest": smallest} if smallest else {})


def _at(call: ModelCall, other: Spec) -> ModelCall:
    given = {a.name for a in other.attributes}
    # An attribute that one version lacks is left out where it says what the other does anyway.
    defaults = {a.name: a.default for a in call.spec.attributes}
    kept = {n: v for n, v in call.attributes.items() if n in given or v != defaults.get(n)}
    return ModelCall(other, call.inputs, kept)


def _kinds(one: Ruling, two: Ruling, shape: tuple[int, int]) -> dict[str, Bools]:
    """The elements by how two rulings that expect the same of one call differ."""
    if one.expectation == "open":
        differs = _answers_differ(one, two, shape)
        return {SAME: ~differs, ANSWERS: differs}
    value, permitted = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    for a, b in zip(one.expected, two.expected, strict=True):
        value |= ~_equal(a.value, b.value)
        for end in ("lower", "upper"):
            permitted |= ~_equal(_end(a, end), _end(b, end))
    return {SAME: ~(value | permitted), VALUE: value, PERMITTED: permitted & ~value}


def _end(expected: Expected, end: str) -> Tensor:
    found: Tensor | None = getattr(expected, end)
    return found or expected.value


def _answers_differ(one: Ruling, two: Ruling, shape: tuple[int, int]) -> Bools:
    if one.rules != two.rules or list(one.readings) != list(two.readings):
        return np.ones(shape, np.bool_)
    differs = np.zeros(shape, np.bool_)
    for name, tensors in one.readings.items():
        for a, b in zip(tensors, two.readings[name], strict=True):
            differs |= ~_equal(a, b)
    return differs


def _equal(one: Tensor, two: Tensor) -> Bools:
    """Which elements have the same code, or are both NaN; none where the types differ."""
    if one.code != two.code:
        return np.zeros(one.shape, np.bool_)
    a, b = one.codes, two.codes
    equal: Bools = (a == b) | (is_nan(a, one.format) & is_nan(b, one.format))
    return equal


def _smallest(feed: Feed, mask: Bools, other: Spec) -> dict[str, Any]:
    """The smallest element that differs, and what each version says of it."""
    places, columns = np.nonzero(mask)
    at = smallest_first(feed.grid, feed.rows[places], columns)[0]
    call = call_at(feed.grid, feed.rows[places[at : at + 1]], columns[at : at + 1])
    versions = {feed.grid.spec.since_version: call, other.since_version: _at(call, other)}
    return {
        "inputs": inputs_shown(feed.grid, call),
        "said": {str(version): _said(ruled(c)) for version, c in versions.items()},
    }


def _said(ruling: Ruling) -> str:
    if ruling.expectation != "value":
        return f"{ruling.expectation}: {', '.join(ruling.rules)}"
    parts = []
    for expected in ruling.expected:
        ends = [e for e in (expected.lower, expected.upper) if e is not None]
        permitted = f" (permitted {' to '.join(as_text(e.array) for e in ends)})" if ends else ""
        parts.append(f"{as_text(expected.value.array)}{permitted}")
    return ", ".join(parts)
