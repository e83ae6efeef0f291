"""What a backend shows on one call of a grid: every element with its verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from onnx_cts_generator.sweep.feeding import entry_of, loaded_call
from onnx_cts_generator.sweep.grids import Grid, Indices
from onnx_cts_generator.sweep.judging import (
    Bools,
    call_at,
    judged_elements,
    readings_taken,
    values_of_call,
)
from onnx_cts_harness.backend import Backend
from onnx_cts_harness.case import Expected
from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.lines import finding
from onnx_cts_harness.outcome import NotRunnable, Outcome, Outputs
from onnx_cts_harness.presentation import UnfeedableError, presented
from onnx_cts_harness.tensor import Tensor
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result, verify
from onnx_cts_reference.formats import formats, packed_size
from onnx_cts_reference.model_calls import ModelCall


@dataclass(frozen=True)
class Shown:
    """What one call showed.

    Attributes:
        wrong: The elements that are wrong: all of them where the call as a whole fails.
        verdicts: Number of elements by verdict.
        readings: Number of elements by the reading taken, where the call is open.
        message: What was said of the call as a whole; "" where there is a verdict on each element.
        got: The outputs, where they are of the types and shapes that were expected.
    """

    wrong: Bools
    verdicts: Counter[Verdict]
    readings: Counter[str] = field(default_factory=Counter)
    message: str = ""
    got: tuple[Tensor, ...] = ()


def shown(
    grid: Grid, rows: Indices, columns: Indices, backend: Backend, count: int | None = None
) -> Shown:
    """Run one call and judge it.

    Args:
        grid: The grid.
        rows: The rows of the call.
        columns: Its columns.
        backend: The backend.
        count: How many of the rows count; the others are not looked at. None for all.

    Raises:
        BackendError: The backend cannot go on.
    """
    call = call_at(grid, rows, columns)
    outcome = _outcome(grid, call, backend)
    counted = slice(count)
    width = columns.shape[-1]
    if not (isinstance(outcome, Outputs) and _as_declared(grid, outcome, (len(rows), width))):
        return _whole(grid, call, outcome, (len(rows[counted]), width))
    if grid.said.questions:
        taken = {name: int(m[counted].sum()) for name, m in readings_taken(call, outcome.tensors)}
        none = np.zeros((len(rows[counted]), width), np.bool_)
        return Shown(none, Counter({Verdict.OPEN: none.size}), +Counter(taken), got=outcome.tensors)
    found = judged_elements(grid, rows, columns, call, outcome.tensors)
    exact, wrong = found.exact[counted], found.wrong[counted]
    verdicts = {Verdict.EXACT: int(exact.sum()), Verdict.WRONG_VALUE: int(wrong.sum())}
    verdicts[Verdict.PERMITTED] = exact.size - sum(verdicts.values())
    return Shown(wrong, +Counter(verdicts), got=outcome.tensors)


def _outcome(grid: Grid, call: ModelCall, backend: Backend) -> Outcome:
    """What a backend does with a call, presented so that it can be fed it."""
    try:
        given = presented(loaded_call(grid, call), backend.identity.declared.feeds)
    except UnfeedableError as error:
        return NotRunnable(str(error))
    return backend.run(given.loaded, keep=True)


def _as_declared(grid: Grid, outcome: Outputs, shape: tuple[int, int]) -> bool:
    """Whether outputs are as many, of the types and the shape and as long as the spec has it."""
    forms = [formats()[dtype] for dtype in grid.said.outputs]
    declared = [(form.code, shape, packed_size(prod(shape), form)) for form in forms]
    return [(t.code, t.shape, len(t.data)) for t in outcome.tensors] == declared


def _whole(grid: Grid, call: ModelCall, outcome: Outcome, shape: tuple[int, int]) -> Shown:
    """The same verdict for all elements of a call."""
    expected: tuple[Expected, ...] = ()
    if isinstance(outcome, Outputs) and not grid.said.questions:
        values = values_of_call(grid, call)
        expected = tuple(Expected(tensor_of(value), None, None) for value in values)
    result = verify(entry_of(grid), loaded_call(grid, call, expected), outcome)
    count = shape[0] * shape[1]
    return Shown(
        np.full(shape, result.verdict.is_failure),
        Counter({result.verdict: count}),
        Counter({result.reading: count} if result.reading else {}),
        _said(result),
    )


def _said(result: Result) -> str:
    return f"{result.verdict} {finding(replace(result, diagnosis=None))}".strip()
