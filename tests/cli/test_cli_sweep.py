from __future__ import annotations

from pathlib import Path

import pytest
from command_line import REFUSES, onnx_cts

SMALL = ("DequantizeLinear", "--version", 23, "--types", "x=int4", "--sweep", "zero-points")


def test_the_size_of_the_sweeps_is_printed_before_anything_is_run() -> None:
    done = onnx_cts("sweep", *SMALL, "--list")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        (
            "zero-points  3 blocks, 17,920 elements: every x and every zero point of 8 bits or "
            "less, at chosen scales"
        ),
        "3 blocks, 17,920 elements",
    ]


def test_sweeps_that_take_long_run_only_where_they_are_named() -> None:
    arguments = ("DequantizeLinear", "--version", 23, "--types", "x=uint4", "--list")
    assert "\nall  " not in onnx_cts("sweep", *arguments).out
    assert onnx_cts("sweep", *arguments, "--sweep", "all").out.startswith("all  ")


def test_the_newest_version_is_the_default() -> None:
    arguments = ("--types", "x=uint2", "--list")
    newest = onnx_cts("sweep", "DequantizeLinear", *arguments)
    assert newest.out == onnx_cts("sweep", "DequantizeLinear", "--version", 28, *arguments).out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((*SMALL,), "name what to sweep by --backend or by --against, one of the two"),
        ((*SMALL, "--backend", REFUSES, "--against", 21), "one of the two"),
        ((*SMALL, "--backend", REFUSES, "--resume"), "--resume needs --record"),
        ((*SMALL, "--against", 21, "--out", "found"), "--out goes with --backend"),
        ((*SMALL, "--backend", REFUSES, "--types", "int4"), "it takes INPUT=TYPE, such as x=int8"),
    ],
)
def test_what_does_not_go_together_is_one_clear_error(
    arguments: tuple[object, ...], problem: str
) -> None:
    done = onnx_cts("sweep", *arguments)
    assert done.status == 2
    assert problem in done.err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("Add", "--list"), "there is no spec for Add"),
        (("DequantizeLinear", "--version", 11, "--list"), "there is no spec for version 11 of"),
        (("DynamicQuantizeLinear", "--list"), "DynamicQuantizeLinear has no sweeps"),
        ((*SMALL, "--against", 11), "there is no spec for version 11 of DequantizeLinear"),
    ],
)
def test_what_is_not_there_is_one_clear_error(arguments: tuple[object, ...], problem: str) -> None:
    assert onnx_cts("sweep", *arguments).complaint.startswith(problem)


def test_a_folder_that_is_no_suite_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    fake = Path(__file__).parents[1] / "diagnosis" / "deviant.py:one-too-many"
    done = onnx_cts("sweep", *SMALL, "--backend", fake, "--out", tmp_path, "--workers", 1)
    assert done.status == 2
    assert f"{tmp_path} is not a suite" in done.err
    assert (tmp_path / "notes.txt").read_text() == "mine"
