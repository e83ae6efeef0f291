"""The summary puts failures first, one line each, and fits a pipe as it fits a terminal."""

from __future__ import annotations

import io
from typing import Any

import pytest
from harness_suites import tensor

from onnx_cts_harness.case import Expected
from onnx_cts_harness.compare import difference
from onnx_cts_harness.summary import print_summary
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result


def result(case: str, verdict: str, version: int = 21, **fields: Any) -> Result:
    """A result of the operator Op."""
    return Result(f"ai.onnx/Op/v{version}/{case}", "", "Op", version, "value", Verdict(verdict),
                  **fields)  # fmt: skip


def summary(*results: Result, encoding: str = "utf-8") -> str:
    """What a pipe gets."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    print_summary("backend 1.0", results, stream)
    stream.seek(0)
    return stream.read()


def test_failures_come_first_then_the_table_then_the_total() -> None:
    worst = difference(Expected(tensor([1.0]), None, None), tensor([2.0]))
    wrong = result(
        "test_w" + "x" * 200,
        "wrong_value",
        dtypes={"x": "int8", "y": "float"},
        output="y",
        difference=worst,
    )
    text = summary(result("test_a", "exact", 13), wrong, result("test_b", "harness_error"))
    lines = text.splitlines()
    assert lines[0] == (
        f"{wrong.case}  wrong_value  x=int8 y=float  "
        "y[0]: expected 1, got 2, 8388608 ULP off, 1 of 1 wrong"
    )
    assert lines[1] == "ai.onnx/Op/v21/test_b  harness_error"
    assert "backend 1.0" in text
    assert lines[-1] == ("3 cases: 1 exact, 1 wrong_value, 1 harness_error; 1 failed, 1 errors")
    assert "\x1b" not in text


def test_the_table_has_a_row_a_version_and_the_verdicts_that_occur() -> None:
    text = summary(*[result("a", "exact", v) for v in (13, 21, 21)], result("b", "refused", 21))
    rows = [line.replace("│", " ").split() for line in text.splitlines()]
    assert ["Op", "13", "1", "1"] in rows
    assert ["Op", "21", "2", "1", "3"] in rows
    assert "crashed" not in text


def test_open_questions_are_counted_by_the_reading_taken() -> None:
    text = summary(
        result("a", "open", rule="zero-scale", reading="exact"),
        result("b", "open", rule="zero-scale", reading="exact"),
        result("c", "open", rule="zero-scale", reading="refused"),
    )
    assert "open  zero-scale: exact 2, refused 1" in text.splitlines()


def test_refusals_are_counted_by_kind_and_stage() -> None:
    text = summary(
        *[result(name, "refused", stage="load", refusal="unsupported") for name in "ab"],
        result("c", "refused", stage="run"),
        result("d", "rejected", stage="load", refusal="unsupported"),
    )
    assert "refused  2 unsupported at load, 1 of no known kind at run" in text.splitlines()


@pytest.mark.parametrize(("verdict", "told"), [("refused", 1), ("exact", 0), ("not_runnable", 0)])
def test_two_presentations_differ_if_the_backend_was_given_both(verdict: str, told: int) -> None:
    one = result("a", "exact")
    text = summary(one, result("b", verdict, presents=one.case))
    assert text.count("one node presented in two ways") == told


def test_cases_that_were_presented_otherwise_are_counted() -> None:
    text = summary(result("a", "exact", presented=("x",)), result("b", "exact"))
    assert "presented  1 with initializers for what cannot be fed" in text.splitlines()


def test_a_backends_text_is_no_markup_and_fits_the_encoding() -> None:
    said = result("a", "crashed", message="[bold]no[/nothing] \u2192")
    assert "[bold]no[/nothing] \\u2192" in summary(said, encoding="ascii")


def test_nothing_is_nothing() -> None:
    assert "0 cases: none; 0 failed, 0 errors" in summary()
