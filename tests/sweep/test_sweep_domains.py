"""What a sweep goes through: every code that its file names, and each call once."""

from __future__ import annotations

import itertools
from collections import Counter
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from sweeps import grids_of, small_plan

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.sweep.combinations import combinations
from onnx_cts_generator.sweep.domains import codes_in
from onnx_cts_generator.sweep.plan import Domain, blocks_at, combinations_of, plan_of
from onnx_cts_reference.formats import formats, values_of
from onnx_cts_specs import SpecError, all_specs, spec_for
from onnx_cts_specs.sweeps import Sweep, load_sweeps, sweeps_of

GOOD = """\
layouts:
  - granularity: per-tensor
sweeps:
  - name: all
    says: everything
    inputs: {x: every}
"""


def numbers(values: object, name: str) -> list[float]:
    form = formats()[name]
    return values_of(codes_in(values, form), form).tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["int8", "uint4", "float8e4m3fn", "float16", "int16"])
def test_every_is_each_code_of_a_type_of_16_bits_or_less(name: str) -> None:
    form = formats()[name]
    assert codes_in("every", form).tolist() == list(range(1 << form.bits))


@pytest.mark.parametrize("name", ["float", "int32"])
def test_every_leaves_wider_types_out(name: str) -> None:
    assert codes_in("every", formats()[name]).size == 0


def test_every_of_a_narrower_type_is_each_of_its_values() -> None:
    half = numbers("every", "float16")
    wide = numbers("every float16", "float")
    assert {n for n in wide if not isnan(n)} == {n for n in half if not isnan(n)}
    assert sum(map(isnan, wide)) == 1
    assert sorted(numbers("every int8", "int32")) == list(range(-128, 128))


def test_numbers_are_rounded_to_types_with_fractions_and_left_out_of_those_without_them() -> None:
    values = (0.3, -0.0, 1e-30, 7e4, float("inf"), float("nan"), 2, "least", "smallest", "greatest")
    half = numbers(values, "float16")
    assert sorted(n for n in half if not isnan(n)) == [
        -65504.0, -0.0, 2.0**-24, 0.300048828125, 2.0, 65504.0, np.inf,
    ]  # fmt: skip
    assert any(n == 0 and np.signbit(n) for n in half)
    assert sorted(numbers(values, "uint4")) == [0, 1, 2, 15]
    assert sorted(numbers((0.3, 0, -1), "float8e8m0")) == [0.25]
    assert numbers((-0.0,), "float8e4m3fnuz") == []


def test_each_choice_of_codes_is_in_one_place_of_the_plan() -> None:
    plan = small_plan()
    seen: dict[tuple[int, ...], Counter[tuple[int, ...]]] = {}
    for place in plan.blocks:
        block = blocks_at(plan.domain, place.combination)[place.number]
        grid = block.grid
        counter = seen.setdefault((place.combination,), Counter())
        for feed in block.feeds():
            rows = grid.rows_of(feed.rows[: feed.count])
            for parameters in zip(*(codes.tolist() for codes in rows.values()), strict=True):
                counter.update((x, *parameters) for x in grid.codes[grid.data].tolist())
        assert block.elements == place.elements
    sweep = next(s for s in plan.sweeps if s.name == "zero-points")
    for (index,), counter in seen.items():
        combination = combinations_of(plan.domain)[index]
        every = [
            codes_in(sweep.inputs[name], formats()[dtype]).tolist()
            for name, dtype in combination.types.items()
        ]
        assert counter == Counter(itertools.product(*every))
    assert sum(map(Counter.total, seen.values())) == plan.elements


def test_blocks_have_names_of_their_own() -> None:
    ids = [place.id for place in small_plan().blocks]
    assert ids[0] == "zero-points/x=int4,x_scale=float,x_zero_point=int4/1"
    assert len(set(ids)) == len(ids)


def test_calls_of_which_the_spec_says_something_else_are_not_in_one_grid() -> None:
    types = (("x", "float16"), ("y_scale", "float16"), ("y_zero_point", "int8"))
    grids = grids_of(Domain("QuantizeLinear", 23, "", ("zero-points",), types))
    settled = next(g for g in grids if not g.said.questions)
    (asking,) = (g for g in grids if g.said.questions)
    assert asking.said.questions == ("nan-to-type-without-nan",)
    form = formats()["float16"]
    assert not np.isnan(values_of(settled.codes["x"], form)).any()
    assert np.isnan(values_of(asking.codes["x"], form)).all()
    assert len(settled.codes["x"]) + len(asking.codes["x"]) == 1 << 16


def test_every_sweep_of_every_version_names_what_the_version_has() -> None:
    found: Counter[tuple[str, str]] = Counter()
    for spec in all_specs():
        known = sweeps_of(spec.operator, spec.domain)
        for sweep in known.sweeps if known else ():
            layout = known.layout(spec) if known else None
            assert layout is not None
            found[spec.operator, sweep.name] += len(list(combinations(spec, sweep, layout)))
    assert found
    assert all(found.values())


def test_a_sweep_of_an_input_that_is_not_there_is_one_clear_error() -> None:
    spec = spec_for("DequantizeLinear", 23)
    known = sweeps_of("DequantizeLinear")
    layout = known.layout(spec) if known else None
    assert layout is not None
    with pytest.raises(GenerateError, match="there is no input w; there are: x, x_scale"):
        list(combinations(spec, Sweep("odd", "odd", {"w": "every"}), layout))
    with pytest.raises(GenerateError, match="there is no type float17"):
        list(combinations(spec, Sweep("odd", "odd", {"x": "every float17"}), layout))


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        (Domain("DequantizeLinear", 23, "", ("x",)), "has no sweep x; there are: codes, int32-c"),
        (Domain("DynamicQuantizeLinear", 11), "DynamicQuantizeLinear has no sweeps: there is no"),
        (Domain("DequantizeLinear", 23, "", (), (("x", "int3"),)), "has x of type int3; there a"),
        (
            Domain("DequantizeLinear", 23, "", (), (("x", "int8"), ("x_zero_point", "int4"))),
            "no sweep of DequantizeLinear 23 has calls of these types together",
        ),
    ],
)
def test_what_cannot_be_swept_is_one_clear_error(domain: Domain, problem: str) -> None:
    with pytest.raises(GenerateError, match=problem):
        plan_of(domain)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("    says: everything\n", "", "'says' is a required property"),
        ("x: every", "x: all of them", "does not match|does not follow"),
        ("    inputs", "    input", "the key `input` is unknown here"),
        (
            "sweeps:\n",
            "sweeps:\n  - {name: all, says: all, inputs: {x: every}}\n",
            "two sweeps all",
        ),
    ],
)
def test_a_wrong_file_gives_one_error_with_its_place(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    path = tmp_path / "sweeps.yaml"
    path.write_text(GOOD.replace(old, new), "utf-8")
    with pytest.raises(SpecError, match=problem) as error:
        load_sweeps(path)
    assert str(error.value).startswith(f"{path}:")
