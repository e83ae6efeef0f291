"""What a backend did becomes the verdict that the contract says."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from harness_suites import coded, tensor

from onnx_cts_harness.case import Case, Expected, LoadedCase
from onnx_cts_harness.lines import finding, result_line
from onnx_cts_harness.outcome import Broken, Crashed, NotRunnable, Outputs, Refused, TimedOut
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.tensor import Tensor
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result, verify

NAN, INF = math.nan, math.inf
REFUSAL = Refused("load", "RuntimeError", "no")


def judge(expectation: Any, outcome: Any, expected: Any = (), readings: Any = None) -> Result:
    """The result of an outcome."""
    count = len(expected) or 1
    names = tuple(f"y{i}" for i in range(count))
    case = Case(
        f"ai.onnx/Op/v7/{expectation}_c", "", "Op", 7, 7, expectation, {"x": "int8", "y": "float"},
        ("x",), names, None, (), ("rule-a",), (), (),
    )  # fmt: skip
    loaded = LoadedCase(case, b"", {}, (), tuple(expected), readings or {})
    return verify(CaseEntry(case.id, "", "Op", 7, expectation, {}), loaded, outcome)


def compare(value: Tensor, got: Tensor, lower: Any = None, upper: Any = None) -> Result:
    """The result of one output of a value case."""
    return judge("value", Outputs((got,)), [Expected(value, lower, upper)])


@pytest.mark.parametrize(
    ("value", "got", "verdict"),
    [
        ([1.0, 2.0], [1.0, 2.0], "exact"),
        ([1.0, 2.0], [1.0, 2.5], "wrong_value"),
        ([0.0], [-0.0], "permitted"),
        ([-0.0], [-0.0], "exact"),
        ([NAN], [NAN], "exact"),
        ([NAN], [1.0], "wrong_value"),
        ([1.0], [NAN], "wrong_value"),
        ([INF], [INF], "exact"),
        ([INF], [-INF], "wrong_value"),
        ([], [], "exact"),
        (1.0, 1.0, "exact"),
        ([[1.0], [2.0]], [[1.0, 2.0]], "wrong_shape"),
        ([], [[]], "wrong_shape"),
        ([1.0], 1.0, "wrong_shape"),
    ],
)
def test_an_output_against_one_permitted_value(value: Any, got: Any, verdict: str) -> None:
    assert compare(tensor(value), tensor(got)).verdict == verdict


@pytest.mark.parametrize(
    ("dtype", "codes", "data", "others"),
    [
        ("int4", [5], (b"\x05", b"\xf5"), b"\x06"),
        ("uint2", [1, 2, 3], (b"\x39", b"\xf9"), b"\x38"),
        ("float4e2m1", [1, 2, 3], (b"\x21\x03", b"\x21\xa3"), b"\x21\x04"),
        ("float16", [0x7E00], (b"\x00\x7e", b"\x01\xfe"), b"\x00\x7c"),
    ],
)
def test_an_answer_is_the_same_whatever_its_nan_and_what_fills_the_last_byte(
    dtype: str, codes: list[int], data: tuple[bytes, bytes], others: bytes
) -> None:
    value = coded(codes, dtype)
    found = [compare(value, replace(value, data=one)) for one in data]
    assert [result.verdict for result in found] == [Verdict.EXACT] * 2
    assert found[0].answer == found[1].answer
    assert compare(value, replace(value, data=others)).answer != found[0].answer


def test_any_nan_matches_any_nan() -> None:
    quiet, other = coded([0x7FC00000], "float"), coded([0xFF800001], "float")
    assert compare(quiet, other).verdict == Verdict.EXACT
    assert compare(quiet, other, quiet, quiet).verdict == Verdict.EXACT


@pytest.mark.parametrize(
    ("value", "lower", "upper", "got", "verdict"),
    [
        (1.0, 0.5, 2.0, 1.0, "exact"),
        (1.0, 0.5, 2.0, 0.5, "permitted"),
        (1.0, 0.5, 2.0, 2.0, "permitted"),
        (1.0, 0.5, 2.0, 2.5, "wrong_value"),
        (1.0, 0.5, 2.0, NAN, "wrong_value"),
        (-1.0, -2.0, -0.5, -1.5, "permitted"),
        (-1.0, -2.0, -0.5, 1.0, "wrong_value"),
        (0.0, 0.0, 0.0, -0.0, "permitted"),
        (1.0, 1.0, INF, INF, "permitted"),
        # A NaN bound permits NaN, and the value is that end of the interval.
        (1.0, NAN, 2.0, NAN, "permitted"),
        (1.0, NAN, 2.0, 1.5, "permitted"),
        (1.0, NAN, 2.0, 0.5, "wrong_value"),
        (1.0, NAN, NAN, 1.0, "exact"),
        (1.0, NAN, NAN, NAN, "permitted"),
        (1.0, NAN, NAN, 1.5, "wrong_value"),
        # A NaN value permits NaN, and whatever the bounds hold.
        (NAN, 1.0, 2.0, NAN, "exact"),
        (NAN, 1.0, 2.0, 1.5, "permitted"),
        (NAN, 1.0, 2.0, 2.5, "wrong_value"),
        (NAN, NAN, NAN, NAN, "exact"),
        (NAN, NAN, NAN, 1.0, "wrong_value"),
        (NAN, NAN, 2.0, 2.0, "permitted"),
        (NAN, NAN, 2.0, 1.5, "wrong_value"),
    ],
)
def test_an_output_against_an_interval(
    value: float, lower: float, upper: float, got: float, verdict: str
) -> None:
    tensors = [tensor([v]) for v in (value, got, lower, upper)]
    assert compare(*tensors).verdict == verdict


@pytest.mark.parametrize(
    ("dtype", "value", "got", "ulp"),
    [
        ("float", 0x3F800000, 0x3F800003, 3),
        ("float", 0x00000001, 0x80000001, 2),
        ("float16", 0x3C00, 0x3BFE, 2),
        ("bfloat16", 0x3F80, 0x3F81, 1),
        ("float8e4m3fn", 0x38, 0x3A, 2),
        ("float8e5m2fnuz", 0x01, 0x81, 2),
        ("float4e2m1", 0x7, 0xF, 14),
        ("float6e2m3", 0x08, 0x06, 2),
        ("float8e8m0", 0x7F, 0x80, 1),
        ("int4", 0x7, 0x8, 15),
        ("uint2", 0, 3, 3),
        ("int8", 0x80, 0x7F, 255),
        ("int32", 0x80000000, 0x7FFFFFFF, 2**32 - 1),
    ],
)
def test_distances_are_in_units_of_the_outputs_type(
    dtype: str, value: int, got: int, ulp: int
) -> None:
    worst = compare(coded([value], dtype), coded([got], dtype)).difference
    assert worst is not None
    assert worst.ulp == ulp


def test_the_worst_element_is_reported_with_how_many_are_wrong() -> None:
    value = tensor([[1.0, 2.0], [3.0, 4.0]])
    result = compare(
        value, tensor([[1.0, 2.5], [9.0, 4.0]]), value, tensor([[1.0, 2.0], [5.0, 4.0]])
    )
    assert finding(result) == (
        "y0[1,0]: expected 3 (permitted 3 to 5), got 9, 7340032 ULP off, 2 of 4 wrong"
    )


def test_a_nan_on_one_side_is_worse_than_any_distance() -> None:
    result = compare(tensor([1.0, 2.0]), tensor([900.0, NAN]))
    assert finding(result) == "y0[1]: expected 2, got nan, 2 of 2 wrong"


def test_a_permitted_nan_is_said() -> None:
    tensors = [tensor(v) for v in (1.0, 5.0, NAN, 2.0)]
    assert "y0: expected 1 (permitted 1 to 2 or nan), got 5" in finding(compare(*tensors))


def test_another_element_type_is_wrong_whatever_the_values() -> None:
    result = compare(tensor([1.0]), tensor([1.0], "float16"))
    assert result.verdict == Verdict.WRONG_TYPE
    assert finding(result) == "y0: expected float[1], got float16[1]"


def test_types_that_no_operator_here_uses_are_named() -> None:
    assert "got double[1]" in finding(compare(tensor([1.0]), Tensor(11, (1,), b"12345678")))
    assert "got type 99[1]" in finding(compare(tensor([1.0]), Tensor(99, (1,), b"1")))


def test_the_worst_of_several_outputs_counts() -> None:
    one, two = tensor([1.0]), tensor([2.0])
    both = [Expected(one, None, None), Expected(two, None, None)]
    assert judge("value", Outputs((one, two)), both).verdict == Verdict.EXACT
    assert judge("value", Outputs((one, one)), both).output == "y1"
    wrong = judge("value", Outputs((tensor([1]), tensor([1.0], "float16"))), both)
    assert wrong.verdict == Verdict.WRONG_TYPE


@pytest.mark.parametrize("count", [0, 2])
def test_another_number_of_outputs_is_a_wrong_shape(count: int) -> None:
    one = tensor([1.0])
    result = judge("value", Outputs((one,) * count), [Expected(one, None, None)])
    assert result.verdict == Verdict.WRONG_SHAPE
    assert result.message == f"expected 1 outputs, got {count}"


def test_data_that_its_shape_does_not_fit_is_the_adapters_error() -> None:
    result = compare(tensor([1.0, 2.0]), Tensor(1, (2,), b"1234"))
    assert result.verdict == Verdict.HARNESS_ERROR
    assert "4 bytes for 2 elements" in result.message


def test_a_refusal_is_judged_by_the_expectation() -> None:
    one = [Expected(tensor([1.0]), None, None)]
    results = [judge("value", REFUSAL, one), judge("reject", REFUSAL), judge("open", REFUSAL)]
    assert [r.verdict for r in results] == ["refused", "rejected", "open"]
    assert [r.stage for r in results] == ["load"] * 3
    assert [r.reading for r in results] == ["", "", "refused"]
    assert results[0].message == "RuntimeError: no"


def test_outputs_for_an_invalid_model_are_a_failure() -> None:
    result = judge("reject", Outputs((tensor([1.0]),)))
    assert result.verdict == Verdict.ACCEPTED_INVALID
    assert result_line(result) == (
        "ai.onnx/Op/v7/reject_c  accepted_invalid  rule rule-a  expected a refusal, got float[1]"
    )


@pytest.mark.parametrize(
    ("got", "reading"),
    [
        ([tensor([1.0, 0.0])], "exact"),
        ([tensor([1.0, -0.0])], "exact"),
        ([tensor([2.0, NAN])], "float32"),
        ([tensor([3.0, 0.0])], "other"),
        ([tensor([1.0, 0.0], "float16")], "half"),
        ([tensor([1, 2], "int8")], "other"),
        ([tensor([1.0])], "other"),
        ([], "other"),
    ],
)
def test_an_open_case_tells_the_first_reading_that_fits(got: list[Tensor], reading: str) -> None:
    readings = {
        "exact": (tensor([1.0, 0.0]),),
        "float32": (tensor([2.0, NAN]),),
        "half": (tensor([1.0, 0.0], "float16"),),
        "again": (tensor([1.0, 0.0]),),
    }
    result = judge("open", Outputs(tuple(got)), readings=readings)
    assert (result.verdict, result.reading) == (Verdict.OPEN, reading)


@pytest.mark.parametrize("expectation", ["value", "reject", "open"])
def test_what_says_nothing_of_the_case_is_judged_alike_everywhere(expectation: str) -> None:
    one = [Expected(tensor([1.0]), None, None)]
    outcomes = [
        Crashed("killed by SIGSEGV", ("last",)),
        TimedOut(30.0, ()),
        NotRunnable("no"),
        Broken("junk"),
    ]
    results = [judge(expectation, outcome, one) for outcome in outcomes]
    assert [str(r.verdict) for r in results] == [
        "crashed", "timed_out", "not_runnable", "harness_error",
    ]  # fmt: skip
    assert finding(results[0]) == "killed by SIGSEGV (last)"
    assert finding(results[1]) == "no answer within 30 s"
