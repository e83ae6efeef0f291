"""Two versions of an operator are compared over a whole domain; no backend is asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sweeps import lines_of, small_plan, swept

from onnx_cts_generator.sweep.differing import differing_line
from onnx_cts_generator.sweep.judging import call_at
from onnx_cts_generator.sweep.plan import Domain, blocks_at, plan_of
from onnx_cts_reference import evaluate
from onnx_cts_reference.formats import codes_of
from onnx_cts_specs import spec_for

DEQUANTIZE = ("DequantizeLinear", "--sweep", "zero-points", "--types", "x=int4,x_scale=float16")


def test_versions_that_permit_the_same_have_no_element_that_differs(tmp_path: Path) -> None:
    done = swept(*DEQUANTIZE, "--version", 25, "--against", 24, "--record", tmp_path / "r.jsonl")
    assert done.status == 0
    assert done.out.splitlines()[-2] == "5,632 elements: 5,632 same"
    header, *blocks, _ = lines_of(tmp_path / "r.jsonl")
    assert header["sweep"]["against"] == 24
    assert "backend" not in header
    assert [line["versions"] for line in blocks] == [{"same": 5632}]


def test_the_elements_that_differ_are_those_whose_intervals_do() -> None:
    types = (("x", "float16"), ("y_scale", "float16"), ("y_zero_point", "uint4"))
    plan = plan_of(Domain("QuantizeLinear", 23, "", ("zero-points",), types, against=21))
    blocks = [blocks_at(plan.domain, p.combination)[p.number] for p in plan.blocks]
    block = next(b for b in blocks if not b.grid.said.questions) if blocks else None
    assert block is not None
    line = differing_line(block, spec_for("QuantizeLinear", 21))
    rows, columns = np.arange(block.grid.rows), np.arange(block.grid.columns)
    arrays = call_at(block.grid, rows, columns).inputs
    newer, older = (
        evaluate("QuantizeLinear", version, arrays, {"axis": 0})[0] for version in (23, 21)
    )
    differs = codes_of(newer.value) != codes_of(older.value)
    assert line["versions"].get("value", 0) == differs.sum() > 0


@pytest.mark.parametrize(("version", "against"), [(23, 21), (21, 23)])
def test_the_smallest_element_that_differs_is_shown_with_both_answers(
    version: int, against: int
) -> None:
    types = "x=float16,y_scale=float16,y_zero_point=int4"
    arguments = ("QuantizeLinear", "--sweep", "zero-points", "--types", types)
    done = swept(*arguments, "--version", version, "--against", against)
    line = next(one for one in done.out.splitlines() if one.startswith("  value  "))
    assert "x=float16[1] [0.25], y_scale=float16[1] [0.099975586]" in line
    assert "23: int4[1,1] [[2]] (permitted int4[1,1] [[2]] to int4[1,1] [[3]])" in line
    assert "21: int4[1,1] [[3]] (permitted int4[1,1] [[2]] to int4[1,1] [[3]])" in line


def test_what_one_version_does_not_admit_is_said_to_be_so() -> None:
    done = swept(*DEQUANTIZE, "--version", 21, "--against", 19)
    assert done.out.splitlines()[-1] == "5,632 elements: 5,632 value in 21, reject in 19"


def test_versions_of_different_layouts_are_compared_in_one_that_both_have() -> None:
    arguments = ("DequantizeLinear", "--sweep", "codes", "--types", "x=uint8", "--version", 13)
    done = swept(*arguments, "--against", 10)
    assert done.status == 0
    assert done.out.splitlines()[-1].endswith(" same")


def test_a_plan_of_a_comparison_goes_by_the_files_of_both_versions() -> None:
    alone = small_plan().domain
    assert alone.hash != Domain("DequantizeLinear", 23, against=21).hash
