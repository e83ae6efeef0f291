"""Models go through a version converter: the answer must remain, or the conversion be refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from harness_suites import FAKES, SuiteBuilder, fake, tensor

from onnx_cts_harness.comparison import compare
from onnx_cts_harness.conversion import converter
from onnx_cts_harness.conversion.judging import OTHER_MEANING
from onnx_cts_harness.errors import BackendError, RecordError
from onnx_cts_harness.findings import CONVERSION, findings_page
from onnx_cts_harness.record import read_record
from onnx_cts_harness.record_line import case_line, result_of
from onnx_cts_harness.recording import RecordWriter
from onnx_cts_harness.report.gathered import gather
from onnx_cts_harness.run import run_suite, start_run
from onnx_cts_harness.suite import open_suite
from onnx_cts_harness.summary import print_summary
from onnx_cts_harness.verify import Conversion, Result

CORE = Path(__file__).parents[2] / "generated_tests"
EXACT = fake("exact")
X = tensor([[1, 2, 3], [4, 5, 6]], "int8")
Y = tensor([[1, 4, 9], [4, 10, 18]])
PER_AXIS = (
    "(int8[2, 3] x) => (float[2, 3] y) <float[3] s = {1, 2, 3}, int8[3] z = {0, 0, 0}>"
    "{ y = DequantizeLinear <axis = 1> (x, s, z) }"
)
PER_TENSOR = (
    "(int8[2, 3] x) => (float[2, 3] y) <float s = {2}, int8 z = {0}>"
    "{ y = DequantizeLinear (x, s, z) }"
)
TO_FLOAT16 = (
    "(int8[1] x) => (float16[1] y) <float s = {1}>"
    "{ y = DequantizeLinear <output_dtype = 10> (x, s) }"
)
OF_INT32 = (
    "(int32[1] x) => (int8[1] y) <float s = {1}, int8 z = {0}> { y = QuantizeLinear (x, s, z) }"
)
DOUBLED = tensor([[2, 4, 6], [8, 10, 12]])


def parsed(body: str, opset: int, name: str = "g") -> bytes:
    """A model of ONNX's textual form."""
    model = onnx.parser.parse_model(f'<ir_version: 7, opset_import: ["" : {opset}]> g {body}')
    model.graph.name = name
    return model.SerializeToString()


def only(builder: SuiteBuilder, to: int, backend: str = EXACT, **options: Any) -> Result:
    """The result of the one case of a suite."""
    (result,) = run_suite(builder.write(), backend, convert_to=to, **options)
    return result


@pytest.fixture
def lax(monkeypatch: pytest.MonkeyPatch) -> None:
    """A converter that changes the opset and nothing else, unless the graph's name says more."""
    monkeypatch.setattr(converter, "ADAPTER", FAKES / "lax_converter.py")


def test_the_answer_of_a_converted_model_is_judged_by_the_model_before(
    builder: SuiteBuilder,
) -> None:
    builder.value("a", [X], [Y], model=parsed(PER_AXIS, 13))
    result = only(builder, 23)
    assert (result.verdict, result.converted) == ("exact", Conversion(13, 23))


def test_the_backend_gets_the_converted_model(builder: SuiteBuilder) -> None:
    builder.value("a", [X], [DOUBLED], model=parsed(PER_TENSOR, 10))
    result = only(builder, 13, "onnx-reference")
    assert (result.verdict, result.stage) == ("refused", "load")
    assert "domain '' and version 13" in result.message


def test_a_model_of_the_wanted_opset_just_runs(builder: SuiteBuilder, lax: None) -> None:
    builder.value("a", [X], [Y], model=parsed(PER_AXIS, 13, "dies"))
    result = only(builder, 13)
    assert (result.verdict, result.converted) == ("exact", None)


def test_external_data_is_in_the_converted_model(builder: SuiteBuilder) -> None:
    model = onnx.ModelProto.FromString(parsed(PER_TENSOR, 13))
    scale = model.graph.initializer[0]
    scale.ClearField("float_data")
    scale.data_location = onnx.TensorProto.EXTERNAL
    scale.external_data.add(key="location", value="s.bin")
    case = builder.value("a", [X], [DOUBLED], model=model.SerializeToString())
    (builder.path / case / "s.bin").write_bytes(tensor(2.0).data)
    result = only(builder, 21)
    assert (result.verdict, result.converted) == ("exact", Conversion(13, 21))


def test_a_refused_conversion_says_whose_words_they_are(builder: SuiteBuilder) -> None:
    model = parsed(PER_AXIS, 13)
    builder.value("a", [X], [Y], model=model)
    builder.reject("b", [X], model=model)
    builder.open("c", [X], {"exact": [Y]}, model=model)
    results = list(run_suite(builder.write(), EXACT, convert_to=12))
    assert [r.verdict for r in results] == ["refused", "rejected", "open"]
    assert {(r.stage, r.refusal) for r in results} == {("convert", "unsupported")}
    assert results[2].reading == "refused"
    for result in results:
        assert result.message.startswith("onnx.version_converter: RuntimeError: ")
        assert "No Adapter From Version $13 for DequantizeLinear" in result.message


@pytest.mark.parametrize(
    ("source", "to", "body", "says"),
    [
        (
            19,
            18,
            "(int8[1] x) => (float16[1] y) <float16 s = {15360}> { y = DequantizeLinear (x, s) }",
            "x_scale typestr: tensor(float), has unsupported type: tensor(float16)",
        ),
        (
            23,
            22,
            TO_FLOAT16,
            "Unrecognized attribute: output_dtype for operator DequantizeLinear",
        ),
        (
            13,
            19,
            OF_INT32,
            "y_scale has inconsistent type tensor(float)",
        ),
    ],
)
def test_a_converted_model_that_the_checker_rejects_is_the_converters_fault(
    builder: SuiteBuilder, source: int, to: int, body: str, says: str
) -> None:
    builder.value("a", [tensor([1])], [tensor([1])], model=parsed(body, source))
    result = only(builder, to)
    assert result.verdict == "wrong_value"
    assert result.converted is not None
    assert result.converted.fault.startswith("the converted model is invalid: ")
    assert says in result.converted.fault


def test_a_converted_model_that_breaks_a_rule_is_the_converters_fault(
    builder: SuiteBuilder, lax: None
) -> None:
    builder.value("a", [X], [Y], model=parsed(PER_AXIS.replace("<axis = 1>", ""), 13))
    result = only(builder, 10)
    assert result.verdict == "wrong_value"
    assert result.converted is not None
    assert result.converted.fault.startswith("the converted model is invalid: scalar-scale: ")


def test_the_page_with_findings_quotes_what_the_converter_promises(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    with start_run(CORE, "onnx-reference", convert_to=13) as run, RecordWriter(file, run) as out:
        for result in run.results(["DequantizeLinear"], [23]):
            out.add(result)
    page = findings_page([file], open_suite(CORE))
    assert f"> {CONVERSION}" in page
    assert "conversion from opset 23 to 13: the converted model is invalid: " in page


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ("other-output", "the converted model has other outputs"),
        ("other-input", "the converted model has other inputs"),
        ("no-opset", "the converted model has the opset 1"),
    ],
)
def test_a_converted_model_that_is_fed_or_read_otherwise_is_the_converters_fault(
    builder: SuiteBuilder, lax: None, act: str, says: str
) -> None:
    builder.value("a", [X], [DOUBLED], model=parsed(PER_TENSOR, 13, act))
    result = only(builder, 21)
    assert result.verdict == "wrong_value"
    assert result.converted == Conversion(13, 21, says)


def test_an_answer_that_is_right_by_the_converted_model_alone_is_the_converters_fault(
    builder: SuiteBuilder, lax: None
) -> None:
    square = tensor([[1, 2], [3, 4]], "int8")
    body = (
        "(int8[2, 2] x) => (float[2, 2] y) <float[2] s = {1, 2}>"
        "{ y = DequantizeLinear <axis = 1> (x, s) }"
    )
    expected = tensor([[1, 4], [3, 8]])
    builder.value("a", [square], [expected], model=parsed(body, 13, "another-axis"))
    result = only(builder, 21)
    assert (result.verdict, result.diagnosis) == ("wrong_value", None)
    assert result.converted == Conversion(13, 21, OTHER_MEANING)


def test_a_wrong_answer_by_both_models_is_the_backends_fault(builder: SuiteBuilder) -> None:
    builder.value("a", [X], [Y], model=parsed(PER_AXIS, 13))
    result = only(builder, 21, fake("echo"))
    assert (result.verdict, result.converted) == ("wrong_type", Conversion(13, 21))


def test_what_the_converted_model_leaves_open_is_no_failure(
    builder: SuiteBuilder, lax: None
) -> None:
    body = (
        "(int32[1] x) => (float[1] y) <float s = {1}, int32 z = {1}>"
        "{ y = DequantizeLinear (x, s, z) }"
    )
    builder.value("a", [tensor([3], "int32")], [tensor([3])], model=parsed(body, 13))
    result = only(builder, 21)
    assert (result.verdict, result.expectation) == ("open", "value")
    assert (result.rule, result.reading) == ("int32-zero-point", "subtracted-exactly")


def test_an_invalid_model_that_conversion_makes_valid_is_open(builder: SuiteBuilder) -> None:
    builder.reject("a", [X], model=parsed(PER_AXIS, 10))
    result = only(builder, 13)
    assert (result.verdict, result.expectation) == ("open", "reject")
    assert (result.rule, result.reading) == ("some-rule", "made-valid")


def test_an_invalid_model_that_remains_so_must_be_refused(builder: SuiteBuilder) -> None:
    body = PER_AXIS.replace("axis = 1", "axis = 2")
    builder.reject("a", [X], model=parsed(body, 13))
    suite = builder.write()
    for backend, verdict in ((fake("echo"), "accepted_invalid"), (EXACT, "rejected")):
        found = [result.verdict for result in run_suite(suite, backend, convert_to=21)]
        assert found == [verdict]


def test_an_open_case_keeps_the_readings_of_the_model_before(builder: SuiteBuilder) -> None:
    builder.open("a", [X], {"one": [DOUBLED], "other": [Y]}, model=parsed(PER_AXIS, 13))
    result = only(builder, 21)
    assert (result.verdict, result.reading) == ("open", "other")


@pytest.mark.parametrize(("version", "to"), [(13, 21), (19, 28), (23, 13)])
def test_a_right_backend_fails_by_faults_of_the_conversion_alone(version: int, to: int) -> None:
    results = list(run_suite(CORE, EXACT, versions=[version], convert_to=to, workers=2))
    failed = [result for result in results if result.verdict.is_failure]
    assert all(result.converted and result.converted.fault for result in failed)
    assert not [result for result in results if result.verdict.is_error]
    right = [result for result in results if result.verdict in {"exact", "permitted"}]
    assert any(result.converted for result in right)


def test_a_crash_of_the_converter_costs_one_case(builder: SuiteBuilder, lax: None) -> None:
    for name in ("dies", "plain"):
        builder.value(name, [X], [Y], model=parsed(PER_AXIS, 13, name))
    results = list(run_suite(builder.write(), EXACT, convert_to=21))
    assert [r.verdict for r in results] == ["crashed", "exact"]
    assert results[0].message.startswith("onnx.version_converter: ")


def test_a_hang_of_the_converter_is_ended(builder: SuiteBuilder, lax: None) -> None:
    builder.value("a", [X], [Y], model=parsed(PER_AXIS, 13, "hangs"))
    result = only(builder, 21, timeout=1)
    assert result.verdict == "timed_out"
    assert result.message == "onnx.version_converter: no answer within 1 s"


def test_an_opset_that_onnx_does_not_have_is_one_line(builder: SuiteBuilder) -> None:
    builder.value("a", [X], [Y], model=parsed(PER_AXIS, 13))
    newest = onnx.defs.onnx_opset_version()
    with pytest.raises(BackendError, match=f"converts to the opsets 1 to {newest}, and not to 999"):
        only(builder, 999)


def recorded(suite: Path, file: Path, to: int | None, **options: Any) -> Path:
    with start_run(suite, EXACT, convert_to=to) as run, RecordWriter(file, run, **options) as out:
        for result in run.results(known=[result.case for result in out.known]):
            out.add(result)
    return file


@pytest.fixture
def records(builder: SuiteBuilder, tmp_path: Path) -> dict[int | None, Path]:
    """Records of one suite by the opset that its models were converted to."""
    builder.value("a", [X], [Y], model=parsed(PER_AXIS, 13))
    builder.value("b", [X], [Y], model=parsed(PER_AXIS, 13))
    suite = builder.write()
    return {to: recorded(suite, tmp_path / f"{to}.jsonl", to) for to in (None, 12, 21)}


def test_the_record_says_what_was_converted_and_by_what(
    records: dict[int | None, Path],
) -> None:
    record = read_record(records[21])
    assert record.header["backend"]["conversion"] == {
        "opset": 21,
        "by": "onnx.version_converter",
        "version": onnx.__version__,
    }
    assert [case["converted"] for case in record.cases] == [{"from": 13, "to": 21}] * 2
    assert "conversion" not in read_record(records[None]).header["backend"]


def test_a_fault_of_a_conversion_is_read_back() -> None:
    result = Result("a", "", "Op", 1, "value", "wrong_value", converted=Conversion(1, 2, "bad"))
    assert result_of(json.loads(json.dumps(case_line(result)))) == result


def test_records_of_other_conversions_are_other_backends_in_a_report(
    records: dict[int | None, Path],
) -> None:
    labels = [ran.label for ran in gather(list(records.values())).backends]
    assert labels == ["exact", *(f"exact, models converted to opset {to}" for to in (12, 21))]


def test_a_comparison_says_if_models_were_converted(records: dict[int | None, Path]) -> None:
    notes = compare(records[None], records[21]).notes
    assert notes == ("the models were not converted to the same opset",)
    assert not compare(records[21], records[21]).notes


def test_a_run_is_not_resumed_with_another_conversion(
    builder: SuiteBuilder, records: dict[int | None, Path]
) -> None:
    with pytest.raises(RecordError, match="it is of another backend: exact 1, models converted"):
        recorded(builder.path, records[21], None, resume=True)
    recorded(builder.path, records[21], 21, resume=True)


def test_the_summary_counts_conversions(builder: SuiteBuilder) -> None:
    builder.value("a", [tensor([1])], [tensor([1])], model=parsed(TO_FLOAT16, 23))
    stream = io.StringIO()
    print_summary("title", list(run_suite(builder.write(), EXACT, convert_to=22)), stream)
    printed = stream.getvalue()
    assert "converted  1, of which 0 were refused and 1 came out wrong" in printed
    assert "conversion from opset 23 to 22: the converted model is invalid: " in printed
