"""From wrong elements to findings: each a distinct fault, with the smallest call that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from onnx_cts_generator.sweep.feeding import entry_of, loaded_call
from onnx_cts_generator.sweep.grids import Grid, Indices
from onnx_cts_generator.sweep.judging import Bools, call_at
from onnx_cts_generator.sweep.showing import shown
from onnx_cts_harness.backend import Backend
from onnx_cts_harness.by_reference import ruled
from onnx_cts_harness.case import Expected
from onnx_cts_harness.compare import wrong_elements
from onnx_cts_harness.diagnosis import outcome_of, tensor_of
from onnx_cts_harness.lines import finding
from onnx_cts_harness.outcome import Outputs
from onnx_cts_harness.run import judged
from onnx_cts_harness.shown import shown as as_text
from onnx_cts_reference.deviations.catalog import catalogue
from onnx_cts_reference.deviations.steps import situation
from onnx_cts_reference.formats import Array, ordinals
from onnx_cts_reference.model_calls import ModelCall

MOST_ROWS = 8
"""How many rows are diagnosed where one call can have one row only."""


@dataclass(frozen=True)
class Failing:
    """Wrong elements of one call.

    Attributes:
        call_rows: The rows of the call.
        rows: The row in the grid of each element.
        columns: Its column.
        got: What each output had there; () where the call as a whole failed.
    """

    call_rows: Indices
    rows: Indices
    columns: Indices
    got: tuple[Array, ...] = ()

    def at(self, places: Indices) -> Failing:
        """Some of the elements."""
        got = tuple(array[places] for array in self.got)
        return Failing(self.call_rows, self.rows[places], self.columns[places], got)


@dataclass(frozen=True)
class Fault:
    """Wrong elements that the same deviations explain, of one call."""

    names: tuple[str, ...] | None
    failing: Failing


def findings(grid: Grid, failing: Sequence[Failing], backend: Backend) -> list[dict[str, Any]]:
    """What the record says of the faults behind some wrong elements, each fault once.

    Args:
        grid: The grid.
        failing: Wrong elements by call.
        backend: The backend, on which the smallest call is found.

    Raises:
        BackendError: The backend cannot go on.
    """
    known: dict[tuple[str, ...] | None, Failing] = {}
    for one in failing:
        for fault in _faults(grid, one):
            known.setdefault(fault.names, fault.failing)
    return [_finding(grid, names, one, backend) for names, one in known.items()]


def _faults(grid: Grid, failing: Failing) -> Iterator[Fault]:
    """The fewest sets of deviations that explain wrong elements, the one of most elements first."""
    order = smallest_first(grid, failing.rows, failing.columns)
    failing = failing.at(order)
    if not failing.got:
        yield Fault(None, failing)
        return
    if not grid.many_rows:
        rows = np.unique(failing.rows)[:MOST_ROWS]
        failing = failing.at(np.flatnonzero(np.isin(failing.rows, rows)))
    explained = _explained(grid, failing)
    left = np.ones(len(failing.rows), np.bool_)
    while left.any():
        most = max(explained, key=lambda name: int((explained[name] & left).sum()), default="")
        group = explained[most] & left if most else left
        if not group.any():
            group, most = left, ""
        names = [n for n, mask in explained.items() if most and bool((mask | ~group).all())]
        yield Fault(tuple(names), failing.at(np.flatnonzero(group)))
        left = left & ~group


def _explained(grid: Grid, failing: Failing) -> dict[str, Bools]:
    """For each deviation that gives some of the wrong elements which of them."""
    calls = [np.arange(len(failing.rows))]
    if not grid.many_rows:
        calls = [np.flatnonzero(failing.rows == row) for row in np.unique(failing.rows)]
    spec = grid.spec
    found: dict[str, Bools] = {}
    for places in calls:
        rows, columns = failing.rows[places], failing.columns[places][:, None]
        if not grid.many_rows:
            rows, columns = rows[:1], columns.T
        call = call_at(grid, rows, columns)
        at = situation(spec, call.inputs, call.attributes)
        shape = (len(rows), columns.shape[-1])
        got = [tensor_of(array[places].reshape(shape)) for array in failing.got]
        for deviation in catalogue(spec.operator, spec.domain):
            outcome = outcome_of(deviation.make, at)
            if not isinstance(outcome, Outputs) or [(t.code, t.shape) for t in outcome.tensors] != [
                (g.code, g.shape) for g in got
            ]:
                continue
            pairs = zip(outcome.tensors, got, strict=True)
            wrong = [wrong_elements(Expected(t, None, None), g) for t, g in pairs]
            mask = found.setdefault(deviation.name, np.zeros(len(failing.rows), np.bool_))
            mask[places] = ~np.logical_or.reduce(wrong)
    return {name: mask for name, mask in found.items() if mask.any()}


def smallest_first(grid: Grid, rows: Indices, columns: Indices) -> Indices:
    """An order of elements: inputs nearest to zero first, the data before its parameters."""
    codes = {grid.data: grid.codes[grid.data][columns], **grid.rows_of(rows)}
    keys = []
    for name in (grid.data, *grid.parameters):
        order = ordinals(codes[name], grid.form(name))
        keys += [np.abs(order), order < 0]
    # The last key of lexsort is the first that counts.
    return np.lexsort(keys[::-1])


def _finding(
    grid: Grid, names: tuple[str, ...] | None, failing: Failing, backend: Backend
) -> dict[str, Any]:
    rows, columns = _shrunk(grid, failing, backend)
    call = call_at(grid, rows, columns)
    loaded = loaded_call(grid, call, ruled(call).expected)
    result = judged(backend, entry_of(grid), loaded)
    line: dict[str, Any] = {"verdict": str(result.verdict)}
    if names is not None:
        line["diagnosis"] = list(names)
    line["rows"] = [int(rows[0]), int(rows[-1]) + 1]
    line["columns"] = [int(columns[0]), int(columns[-1]) + 1]
    if len(rows) == len(columns) == 1:
        line["inputs"] = inputs_shown(grid, call)
    line["said"] = finding(result)
    return line


def inputs_shown(grid: Grid, call: ModelCall) -> dict[str, str]:
    """The inputs of a call for people, by name."""
    given = zip(grid.spec.inputs, call.inputs, strict=True)
    return {i.name: as_text(a.reshape(-1)) for i, a in given if a is not None}


def _shrunk(grid: Grid, failing: Failing, backend: Backend) -> tuple[Indices, Indices]:
    """The rows and columns of the smallest call found that fails: one element, if that does."""
    row, column = failing.rows[0], failing.columns[0]
    one = (np.array([row]), np.array([column]))
    if shown(grid, *one, backend).wrong.any():
        return one
    rows, columns = np.unique(failing.call_rows), np.arange(grid.columns)
    while True:
        for smaller in _halved(rows, columns, row, column):
            if shown(grid, *smaller, backend).wrong.any():
                rows, columns = smaller
                break
        else:
            return rows, columns


def _halved(
    rows: Indices, columns: Indices, row: np.intp, column: np.intp
) -> Iterator[tuple[Indices, Indices]]:
    """The halves of a call, those with the wrong element first."""
    for half in _halves(rows, row):
        yield half, columns
    for half in _halves(columns, column):
        yield rows, half


def _halves(indices: Indices, wanted: np.intp) -> Iterator[Indices]:
    if len(indices) < 2:
        return
    parts = np.array_split(indices, 2)
    yield from sorted(parts, key=lambda part: wanted not in part)
