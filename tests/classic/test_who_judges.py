"""The reference judges what it knows, and the official runner's tolerance the rest."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from classic_folders import (
    GIVES,
    REFERENCE,
    dequantize_case,
    dtype,
    identity_case,
    model_of,
    only,
    run,
    write_case,
)
from onnx import helper, numpy_helper
from onnx.backend.test.runner import Runner

from onnx_cts_harness import RecordWriter, Result, print_summary, read_record, start_run
from onnx_cts_harness.arrays import parse_any_tensor
from onnx_cts_harness.case import Tolerance
from onnx_cts_harness.tolerance import beyond

F32 = np.float32


def given(tmp_path: Path, folder: Path, answer: Any) -> Result:
    """The result of a backend that gives this answer."""
    (tmp_path / "answer").mkdir(exist_ok=True)
    proto = numpy_helper.from_array(np.asarray(answer))
    (tmp_path / "answer" / "output_0.pb").write_bytes(proto.SerializeToString())
    return only(folder, f"{GIVES}:{tmp_path / 'answer'}")


def test_the_reference_judges_a_call_that_it_knows(tmp_path: Path) -> None:
    folder = dequantize_case(tmp_path / "test_a")
    result = given(tmp_path, folder, np.array([0, 0.5, 1], F32))
    assert (result.verdict, result.judged_by, result.disagreement) == ("exact", "reference", "")
    near = given(tmp_path, folder, np.array([0, 0.5000001, 1], F32))
    assert (near.verdict, near.judged_by) == ("wrong_value", "reference")


def test_a_wrong_answer_is_diagnosed(tmp_path: Path) -> None:
    folder = dequantize_case(tmp_path / "test_a")
    assert given(tmp_path, folder, np.array([0.5, 1, 1.5], F32)).diagnosis


def test_the_reference_is_first_and_the_disagreement_is_said(tmp_path: Path) -> None:
    folder = dequantize_case(tmp_path / "test_a", y=(0, 0.5, 7))
    result = given(tmp_path, folder, np.array([0, 0.5, 1], F32))
    assert result.verdict == "exact"
    assert result.disagreement == (
        "the folder's outputs: wrong_value, y[2]: expected 1, got 7, 23068672 ULP off, 1 of 3 wrong"
    )


def test_a_call_that_breaks_a_rule_is_to_be_refused_whatever_the_folder_has(tmp_path: Path) -> None:
    folder = dequantize_case(tmp_path / "test_a", zero=np.array(1, np.int8))
    result = given(tmp_path, folder, np.array([0, 0.5, 1], F32))
    assert (result.verdict, result.expectation) == ("accepted_invalid", "reject")
    assert result.rule
    assert result.disagreement.startswith("the folder's outputs: accepted_invalid")
    assert only(folder, "onnxruntime").verdict == "rejected"


def test_an_open_call_is_open(tmp_path: Path) -> None:
    folder = dequantize_case(tmp_path / "test_a", zero=np.array([1], np.uint8))
    result = given(tmp_path, folder, np.array([0, 0.5, 1], F32))
    assert (result.verdict, result.expectation, result.disagreement) == ("open", "open", "")
    assert result.reading not in {"other", ""}
    other = dequantize_case(tmp_path / "test_b", zero=np.array([1], np.uint8), y=(9, 9, 9))
    assert only(other).disagreement == "the folder's outputs are those of no reading of the text"


def test_a_function_named_as_an_operator_is_not_that_operator(tmp_path: Path) -> None:
    x, y = np.array([1, 2], np.uint8), np.array([2, 4], np.uint8)
    body = [helper.make_node("Add", ["x", "x"], ["y"])]
    imports = [helper.make_opsetid("", 21)]
    function = helper.make_function("", "DequantizeLinear", ["x", "s"], ["y"], body, imports)
    node = helper.make_node("DequantizeLinear", ["x", "s"], ["y"])
    scale = np.array(1, F32)
    model = model_of([node], {"x": x, "s": scale}, {"y": y}, functions=[function])
    result = given(tmp_path, write_case(tmp_path / "test_a", model, [x, scale], [y]), y)
    assert (result.verdict, result.judged_by) == ("exact", "tolerance")


def test_a_graph_that_gives_more_than_the_node_is_judged_by_tolerance(tmp_path: Path) -> None:
    node = helper.make_node("DequantizeLinear", ["x", "s"], ["y"])
    x, scale, y = np.array([2], np.uint8), np.array(0.5, F32), np.array([1], F32)
    model = model_of([node], {"x": x, "s": scale}, {"y": y, "s": scale})
    result = only(write_case(tmp_path / "test_a", model, [x, scale], [y, scale]))
    assert (result.verdict, result.judged_by) == ("exact", "tolerance")


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [(1.0, "exact"), (1.0009, "permitted"), (1.0011, "wrong_value"), (np.nan, "wrong_value")],
)
def test_the_tolerance_is_that_of_the_official_runner(
    tmp_path: Path, answer: float, verdict: str
) -> None:
    folder = identity_case(tmp_path / "test_a", np.array([1], F32), np.array([1], F32))
    result = given(tmp_path, folder, np.array([answer], F32))
    assert (result.verdict, result.judged_by) == (verdict, "tolerance")


def test_a_wrong_element_is_said_with_what_is_permitted(tmp_path: Path) -> None:
    folder = identity_case(tmp_path / "test_a", np.ones(3, np.int64), np.array([1, 2**53 + 1, 3]))
    result = given(tmp_path, folder, np.array([1, 5, 3]))
    assert result.difference is not None
    assert (result.difference.index, result.difference.wrong) == ((1,), 1)
    assert (result.difference.expected, result.difference.got) == (2**53 + 1, 5)


def test_a_wrong_complex_number_is_said(tmp_path: Path) -> None:
    ones = np.ones(2, np.complex64)
    folder = identity_case(tmp_path / "test_a", ones, ones)
    result = given(tmp_path, folder, np.array([1, 1 + 2j], np.complex64))
    assert result.verdict == "wrong_value"
    assert result.message == "at [1] expected (1+0j), got (1+2j), 1 of 2 wrong"


def test_another_type_or_shape_is_wrong(tmp_path: Path) -> None:
    folder = identity_case(tmp_path / "test_a", np.ones(2, np.int64), np.ones(2, np.int64))
    assert given(tmp_path, folder, np.ones(2, np.int32)).verdict == "wrong_type"
    assert given(tmp_path, folder, np.ones((1, 2), np.int64)).verdict == "wrong_shape"


VALUES = [0, -0.0, 1, 1.0005, 1.0009, 1.0011, 1.002, 1.016, 1.03, 2, -1, 1e-7, 3e-7, 100, 100.09,
          100.2, np.inf, -np.inf, np.nan, 65000]  # fmt: skip
TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
         "float16", "float32", "float64", "complex64", "complex128", "bfloat16", "float8_e4m3fn",
         "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "int4", "uint4",
         "int2", "uint2", "float4_e2m1fn"]  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.filterwarnings("ignore")
def test_each_two_elements_are_near_just_where_the_official_runner_has_it(name: str) -> None:
    elements = np.array(VALUES).astype(dtype(name))
    for want in elements:
        for have in elements:
            pair = [np.asarray(x, elements.dtype).reshape(1) for x in (want, have)]
            tensors = [parse_any_tensor(numpy_helper.from_array(a).SerializeToString())
                       for a in pair]  # fmt: skip
            try:
                Runner.assert_similar_outputs([pair[0]], [pair[1]], 1e-3, 1e-7)
                near = True
            except AssertionError:
                near = False
            assert (beyond(tensors[0], tensors[1], Tolerance()) is None) is near, pair


def test_record_and_summary_say_who_judged(tmp_path: Path) -> None:
    ones = np.ones(2, F32)
    identity_case(tmp_path / "in" / "test_a", ones, ones)
    dequantize_case(tmp_path / "in" / "test_b", y=(0, 0.5, 7))
    file, results = tmp_path / "r.jsonl", []
    with start_run(tmp_path / "in", REFERENCE) as session, RecordWriter(file, session) as record:
        for result in session.results():
            results.append(result)
            record.add(result)
    lines = {line["case"]: line for line in read_record(file).cases}
    assert [lines[n]["judged_by"] for n in ("test_a", "test_b")] == ["tolerance", "reference"]
    assert "y[2]: expected 1, got 7" in lines["test_b"]["disagreement"]
    assert "disagreement" not in lines["test_a"]
    stream = io.StringIO()
    print_summary("x", results, stream)
    printed = stream.getvalue().splitlines()
    assert "judged  1 by reference" in printed
    assert any(line.startswith("disagreement  test_b: the folder's") for line in printed)


def test_a_refused_case_is_no_failure(tmp_path: Path) -> None:
    node = helper.make_node("NoSuchOperator", ["x"], ["y"])
    ones = np.ones(2, F32)
    write_case(tmp_path / "test_a", model_of([node], {"x": ones}, {"y": ones}), [ones], [ones])
    assert run(tmp_path, "onnxruntime")["test_a"].verdict == "refused"
