"""What a backend gave for a call, element by element, against what the reference permits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from onnx_cts_generator.sweep.grids import Grid, Indices
from onnx_cts_harness.by_reference import ruled
from onnx_cts_harness.case import Expected
from onnx_cts_harness.compare import wrong_elements
from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.tensor import Tensor
from onnx_cts_harness.verify import OTHER
from onnx_cts_reference.formats import Array, codes_of, is_nan
from onnx_cts_reference.model_calls import ModelCall

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Elements:
    """How the elements of one call were found, each mask of the shape of its data.

    Attributes:
        exact: Those that are the expected value, in every output.
        wrong: Those that are outside of what is permitted, in some output.
    """

    exact: Bools
    wrong: Bools


def call_at(grid: Grid, rows: Indices, columns: Indices) -> ModelCall:
    """The call of some rows and columns of a grid, as ``Grid.arrays`` takes them."""
    arrays = tuple(grid.arrays(rows, columns))
    return ModelCall(grid.spec, arrays, grid.combination.attributes)


def values_of_call(grid: Grid, call: ModelCall) -> tuple[Array, ...]:
    """The expected value of each output of a call that raises no question."""
    return tuple(expected.value for expected in call.expected(grid.said.readings[0]))


def judged_elements(
    grid: Grid, rows: Indices, columns: Indices, call: ModelCall, got: Sequence[Tensor]
) -> Elements:
    """Judge each element of the outputs of a call.

    The value is computed for all of it, and the interval of what is permitted for those rows
    alone in which something is not the value.

    Args:
        grid: The grid.
        rows: The rows of the call.
        columns: Its columns, all of them or those of each row.
        call: The call.
        got: Outputs of the types and the shapes that are expected.
    """
    values = values_of_call(grid, call)
    exact = np.logical_and.reduce([_same(v, g) for v, g in zip(values, got, strict=True)])
    wrong = np.zeros_like(exact)
    inexact = np.flatnonzero(~exact.all(axis=1))
    if inexact.size:
        some = columns[inexact] if columns.ndim == 2 else columns
        expected = ruled(call_at(grid, rows[inexact], some)).expected
        for one, tensor in zip(expected, got, strict=True):
            wrong[inexact] |= _wrong(one, tensor, inexact)
    return Elements(exact, wrong)


def _same(value: Array, got: Tensor) -> Bools:
    want, have, form = codes_of(value), got.codes, got.format
    same: Bools = want == have
    if not same.all():
        same |= is_nan(want, form) & is_nan(have, form)
    return same


def _wrong(expected: Expected, got: Tensor, rows: Indices) -> Bools:
    array = got.array[rows]
    return wrong_elements(expected, tensor_of(array)).reshape(array.shape)


def readings_taken(call: ModelCall, got: Sequence[Tensor]) -> Iterator[tuple[str, Bools]]:
    """For each answer to the questions of a call the elements that are as it has them.

    An element counts for the first answer that gives it; what none gives comes last.

    Args:
        call: A call that raises questions.
        got: Its outputs, of the shape of its data.
    """
    left: Bools = np.ones(got[0].shape, np.bool_)
    for name, tensors in ruled(call).readings.items():
        if [(t.code, t.shape) for t in tensors] != [(g.code, g.shape) for g in got]:
            continue
        wrong = [
            wrong_elements(Expected(t, None, None), g).reshape(left.shape)
            for t, g in zip(tensors, got, strict=True)
        ]
        taken = left & ~np.logical_or.reduce(wrong)
        left &= ~taken
        yield name, taken
    yield OTHER, left
