"""Run one block of a sweep on a backend, and say in a line of the record what it showed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from onnx_cts_generator.sweep.grids import Grid, Indices
from onnx_cts_generator.sweep.plan import Block, Feed
from onnx_cts_generator.sweep.showing import Shown, shown
from onnx_cts_generator.sweep.shrinking import Failing, findings, smallest_first
from onnx_cts_harness.backend import Backend
from onnx_cts_harness.verdicts import Verdict

SAMPLE = 1024
"""How many wrong elements of a block are diagnosed: half the least, and half in equal distances."""
FAILING_CALLS = 4
"""How many calls of a block are diagnosed."""


def block_line(block: Block, backend: Backend) -> dict[str, Any]:
    """Run a block and judge each of its elements.

    Returns:
        What the record says of it, but for its name.

    Raises:
        BackendError: The backend cannot go on.
    """
    grid = block.grid
    verdicts: Counter[Verdict] = Counter()
    readings: Counter[str] = Counter()
    message = ""
    failing: list[Failing] = []
    for feed in block.feeds():
        one = shown(grid, feed.rows, np.arange(grid.columns), backend, feed.count)
        verdicts += one.verdicts
        readings += one.readings
        message = message or one.message
        if one.wrong.any() and len(failing) < FAILING_CALLS:
            failing.append(_failing(feed, one))
    line: dict[str, Any] = {
        "elements": block.elements,
        "verdicts": {str(v): verdicts[v] for v in Verdict if verdicts[v]},
    }
    if grid.said.questions:
        line["questions"] = list(grid.said.questions)
        line["readings"] = dict(sorted(readings.items()))
    if message:
        line["message"] = message
    if failing:
        line["findings"] = findings(grid, failing, backend)
    return line


def _failing(feed: Feed, one: Shown) -> Failing:
    """The wrong elements of a call that are looked at."""
    grid = feed.grid
    places, columns = np.nonzero(one.wrong)
    chosen = _sampled(grid, feed.rows[places], columns)
    places, columns = places[chosen], columns[chosen]
    got = tuple(tensor.array[places, columns] for tensor in one.got)
    return Failing(feed.rows, feed.rows[places], columns, got)


def _sampled(grid: Grid, rows: Indices, columns: Indices) -> Indices:
    order = smallest_first(grid, rows, columns)
    if len(order) <= SAMPLE:
        return order
    spread = np.linspace(0, len(order) - 1, SAMPLE // 2).astype(np.intp)
    return np.unique(np.concatenate([order[: SAMPLE // 2], order[spread]]))
