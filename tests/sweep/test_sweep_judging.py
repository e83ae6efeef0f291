"""Each element of a sweep is judged as exact fractions have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import oracle
import pytest
import quantize_oracle
from sweeps import grids_of

from onnx_cts_generator.sweep.grids import Grid
from onnx_cts_generator.sweep.judging import call_at, judged_elements, readings_taken
from onnx_cts_generator.sweep.plan import Domain
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.formats import Codes, formats, is_nan, pack

Element = dict[str, int]
Answered = Callable[[Grid, Element], dict[str, int]]


def dequantized(grid: Grid, codes: Element) -> dict[str, int]:
    types = grid.combination.types
    x, scale = (oracle.decode(codes[n], types[n]) for n in ("x", "x_scale"))
    zero_point = oracle.decode(codes["x_zero_point"], types["x_zero_point"])
    found = oracle.answers(oracle.subtract(x, zero_point), scale, grid.said.outputs[0])
    return {"value": found.exact, "lower": found.lower, "upper": found.upper}


def quantized(grid: Grid, codes: Element) -> dict[str, int]:
    types, names = grid.combination.types, ("x", "y_scale", "y_zero_point")
    x, scale, zero_point = (oracle.decode(codes[n], types[n]) for n in names)
    version = grid.spec.since_version
    operands = (x, types["x"]), (scale, types["y_scale"])
    found = quantize_oracle.answers(version, *operands, zero_point, grid.said.outputs[0])
    return {**found, "value": next(iter(found.values()))}


CALLS: list[tuple[Domain, Answered, int]] = [
    (
        Domain(
            "DequantizeLinear", 23, "", ("zero-points",), (("x", "int4"), ("x_scale", "float16"))
        ),
        dequantized,
        10_000,
    ),
    (
        Domain(
            "QuantizeLinear",
            21,
            "",
            ("inputs",),
            (("x", "bfloat16"), ("y_zero_point", "int4")),
        ),
        quantized,
        2_000,
    ),
]


@pytest.mark.parametrize(("domain", "answered", "most"), CALLS)
def test_just_what_exact_fractions_permit_is_not_wrong(
    domain: Domain, answered: Answered, most: int
) -> None:
    grid = max((g for g in grids_of(domain) if not g.said.questions), key=lambda g: g.rows)
    columns = np.unique(np.linspace(0, grid.columns - 1, max(2, most // grid.rows)).astype(int))
    rows = np.arange(grid.rows)
    ends = {
        name: np.empty((grid.rows, len(columns)), np.int64) for name in ("value", "lower", "upper")
    }
    parameters = grid.rows_of(rows)
    for row in rows:
        for place, column in enumerate(columns):
            codes = {name: int(values[row]) for name, values in parameters.items()}
            codes["x"] = int(grid.codes["x"][column])
            for name, code in answered(grid, codes).items():
                if name in ends:
                    ends[name][row, place] = code
    form = formats()[grid.said.outputs[0]]
    judged = {
        name: _judged(grid, rows, columns, codes.astype(form.code_dtype))
        for name, codes in ends.items()
    }
    assert judged["value"].exact.all()
    assert not any(one.wrong.any() for one in judged.values())
    single = (ends["lower"] == ends["upper"]) & ~is_nan(ends["lower"], form)
    other = np.where(ends["lower"] & 1, ends["lower"] - 1, ends["lower"] + 1)
    zeros = (other & ~(1 << (form.bits - 1)) == 0) if form.is_float else np.zeros_like(single)
    wrong = _judged(grid, rows, columns, other.astype(form.code_dtype)).wrong
    assert wrong[single & ~zeros].all()
    assert (single & ~zeros).any()


def _judged(grid: Grid, rows: Any, columns: Any, codes: Codes) -> Any:
    call = call_at(grid, rows, columns)
    return judged_elements(grid, rows, columns, call, [_tensor(grid, codes)])


def _tensor(grid: Grid, codes: Codes) -> Tensor:
    form = formats()[grid.said.outputs[0]]
    return Tensor(form.code, codes.shape, pack(codes, form))


def test_of_an_open_call_each_element_counts_for_the_first_answer_that_gives_it() -> None:
    types = (("x", "float16"), ("y_scale", "float16"), ("y_zero_point", "int8"))
    grids = grids_of(Domain("QuantizeLinear", 23, "", ("zero-points",), types))
    grid = next(g for g in grids if g.said.questions)
    rows, columns = np.array([3, 200]), np.arange(4)
    zero_points = grid.rows_of(rows)["y_zero_point"]
    codes = np.array([[0, zero_points[0], 0x80, 0x7F], [0, zero_points[1], 1, 0]], np.uint8)
    taken = dict(readings_taken(call_at(grid, rows, columns), [_tensor(grid, codes)]))
    assert {name: mask.tolist() for name, mask in taken.items()} == {
        "zero": [[True, False, False, False], [True, False, False, True]],
        "zero-point": [[False, True, False, False], [False, True, False, False]],
        "least": [[False, False, True, False], [False] * 4],
        "greatest": [[False, False, False, True], [False] * 4],
        "other": [[False] * 4, [False, False, True, False]],
    }
