"""A suite is read whole, case by case, and says clearly what is wrong with it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from harness_suites import SuiteBuilder, fake, proto, tensor, typed_proto

from onnx_cts_harness import layout, worker
from onnx_cts_harness.errors import CaseError, SuiteError
from onnx_cts_harness.run import run_suite
from onnx_cts_harness.suite import open_suite
from onnx_cts_harness.tensor import parse_tensor
from onnx_cts_harness.verdicts import Verdict

ONE = [tensor([1.0])]


def test_cases_come_in_the_manifests_order_with_all_that_they_need(builder: SuiteBuilder) -> None:
    builder.value("b", ONE, ONE, bounds=(tensor([0.0]), tensor([2.0])))
    builder.open("a", ONE, {"exact": ONE, "refused": []})
    builder.reject("c", ONE)
    suite = open_suite(builder.write())
    loaded = [suite.load(entry) for entry in suite.select()]
    assert [case.case.id.rsplit("/", 1)[1] for case in loaded] == ["test_b", "open_a", "reject_c"]
    assert loaded[0].expected[0].lower == tensor([0.0])
    assert loaded[0].inputs == tuple(ONE)
    assert loaded[1].readings == {"exact": tuple(ONE)}
    assert loaded[2].case.rules == ("some-rule",)


def test_cases_are_chosen_by_operator_and_version(builder: SuiteBuilder) -> None:
    builder.value("a", ONE, ONE)
    suite = open_suite(builder.write())
    assert len(suite.select(["Identity"], [21])) == 1
    with pytest.raises(SuiteError, match="no case of operator Cast; it has Identity"):
        suite.select(["Cast"])
    with pytest.raises(SuiteError, match="no case of version 13; it has 21"):
        suite.select(versions=[13])


def test_files_beside_the_model_are_external_data(builder: SuiteBuilder) -> None:
    case = builder.value("a", ONE, ONE)
    (builder.path / case / "weights.bin").write_bytes(b"1234")
    suite = open_suite(builder.write())
    assert suite.load(suite.entries[case]).files == {"weights.bin": b"1234"}


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda m: m.unlink(), "no suite here"),
        (lambda m: m.write_text(m.read_text()[:-20]), "not valid JSON, perhaps cut short"),
        (
            lambda m: m.write_text('{"format": 2}'),
            "suite format 2, but this harness reads format 1",
        ),
        (lambda m: m.write_text('{"format": 1}'), "'generator' is a required property"),
        (lambda m: m.write_text("[]"), "is not of type 'object'"),
        (lambda m: m.write_text(m.read_text().replace("Identity/v21/", "../../", 1)), "at .*files"),
        (lambda m: m.write_text(m.read_text().replace("/v21/test", "/v21/hi")), "is not named"),
        (lambda m: shutil.rmtree(m.parent / "ai.onnx"), "1 of 1 case folders are missing"),
    ],
)
def test_an_unusable_suite_gives_one_clear_error(
    builder: SuiteBuilder, spoil: Callable[[Path], None], says: str
) -> None:
    builder.value("a", ONE, ONE)
    suite = builder.write()
    spoil(suite / layout.MANIFEST)
    with pytest.raises(SuiteError, match=says) as caught:
        open_suite(suite)
    assert str(suite) in str(caught.value)
    assert "\n" not in str(caught.value)


def _rewrite_case(folder: Path, **changes: object) -> None:
    file = folder / layout.CASE
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda c: (c / "model.onnx").write_bytes(b"\xff\xff"), "model.onnx: not a serialized"),
        (lambda c: (c / "model.onnx").write_bytes(b""), "model.onnx: a model without nodes"),
        (lambda c: (c / layout.output_path(0)).unlink(), "output_0.pb: the suite lists no such"),
        (lambda c: (c / layout.upper_path(0)).unlink(), "output_0.upper.pb: the suite lists no"),
        (lambda c: (c / layout.input_path(0)).write_bytes(b"\xff"), "input_0.pb: not a serialized"),
        (
            lambda c: (c / layout.lower_path(0)).write_bytes(proto(tensor([1.0, 2.0]))),
            "output_0.lower.pb: float.2. bounds an output that is float.1.",
        ),
        (lambda c: (c / "case.json").write_text("{"), "case.json: not valid JSON"),
        (lambda c: _rewrite_case(c, opset="x"), "case.json: at .*opset: 'x' is not of type"),
        (lambda c: _rewrite_case(c, id="other"), "case.json: at .*id: 'other' is not the folder"),
        (lambda c: _rewrite_case(c, version=13), "case.json: at .*id"),
    ],
)
def test_an_unusable_case_is_an_error_of_that_case_alone(
    builder: SuiteBuilder, spoil: Callable[[Path], None], says: str
) -> None:
    case = builder.value("a", ONE, ONE, bounds=(ONE[0], ONE[0]))
    builder.value("b", ONE, ONE)
    spoil(builder.path / case)
    suite = open_suite(builder.write())
    with pytest.raises(CaseError, match=says) as caught:
        suite.load(suite.entries[case])
    assert str(caught.value).startswith(case)
    verdicts = [result.verdict for result in run_suite(suite.path, fake("echo"))]
    assert verdicts == [Verdict.HARNESS_ERROR, Verdict.EXACT]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda f: f.unlink(), "output_0.pb: the file is missing; generate the suite again"),
        (lambda f: f.write_bytes(b"other"), "output_0.pb: changed since the suite was generated"),
    ],
)
def test_what_changed_since_the_manifest_is_an_error_of_its_case_alone(
    builder: SuiteBuilder, spoil: Callable[[Path], None], says: str
) -> None:
    case = builder.value("a", ONE, ONE)
    builder.value("b", ONE, ONE)
    suite = builder.write()
    spoil(suite / case / layout.output_path(0))
    first, second = run_suite(suite, fake("echo"))
    assert (first.verdict, second.verdict) == (Verdict.HARNESS_ERROR, Verdict.EXACT)
    assert says in first.message


@pytest.mark.parametrize(
    ("dtype", "packed"),
    [
        (np.float32, np.array([1, -2, 0], np.float32).tobytes()),
        (np.int16, np.array([1, -2, 0], np.int16).tobytes()),
        (ml_dtypes.bfloat16, b"\x80\x3f\x00\xc0\x00\x00"),
        (ml_dtypes.float8_e4m3fn, b"\x38\xc0\x00"),
        (ml_dtypes.int4, b"\xe1\x00"),
        (ml_dtypes.int2, b"\x09"),
    ],
)
def test_typed_fields_hold_the_same_as_raw_data(dtype: type, packed: bytes) -> None:
    array = np.array([1, -2, 0]).astype(dtype)
    parsed = parse_tensor(typed_proto(array))
    assert (parsed.shape, parsed.data) == ((3,), packed)


def test_a_tensor_of_another_length_than_its_shape_is_refused() -> None:
    value = tensor([1.0, 2.0])
    short = proto(type(value)(value.code, (3,), value.data))
    with pytest.raises(ValueError, match="8 bytes of data do not make a float"):
        parse_tensor(short)


def test_the_worker_and_the_suite_name_the_model_alike() -> None:
    assert worker.MODEL == layout.MODEL
