from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import REFUSES, RETURNS_ITS_INPUT, Cache, Finished, onnx_cts

from onnx_cts_harness import read_record

FAILED = {"wrong_type", "accepted_invalid"}


def run(backend: str, suite: Path, *options: object) -> Finished:
    return onnx_cts("run", backend, "--suite", suite, *options)


def test_a_backend_that_fails_cases_gives_status_1_and_a_table(suite_10: Path) -> None:
    done = run(RETURNS_ITS_INPUT, suite_10)
    assert (done.status, done.err) == (1, "")
    assert "returns_its_input 1.0" in done.out.splitlines()
    assert "DequantizeLinear" in done.out
    assert "accepted_invalid" in done.out


def test_exit_zero_forgives_failed_cases(suite_10: Path) -> None:
    assert run(RETURNS_ITS_INPUT, suite_10, "--exit-zero").status == 0


def test_a_backend_that_refuses_everything_fails_nothing(suite_10: Path) -> None:
    done = run(REFUSES, suite_10)
    assert (done.status, done.err) == (0, "")
    assert "refused" in done.out


def test_onnxruntime_fails_no_case_of_version_10_but_those_that_tell_it_from_13(
    suite_10: Path,
) -> None:
    assert run("onnxruntime", suite_10, "--without", "version-difference").status == 0


def test_a_case_that_cannot_be_read_gives_status_2_even_with_exit_zero(own_suite_10: Path) -> None:
    next(own_suite_10.rglob("model.onnx")).write_bytes(b"edited")
    done = run(REFUSES, own_suite_10, "--exit-zero")
    assert done.status == 2
    assert "harness_error" in done.out


def test_the_record_has_every_case_and_its_verdict(suite_10: Path, tmp_path: Path) -> None:
    file = tmp_path / "records" / "run.jsonl"
    done = run(RETURNS_ITS_INPUT, suite_10, "--record", file)
    assert done.out.endswith(f"record: {file}\n")
    record = read_record(file)
    assert record.header["backend"]["name"] == "returns_its_input"
    ids = [f"{p.parent.relative_to(suite_10).as_posix()}" for p in suite_10.rglob("case.json")]
    assert sorted(line["case"] for line in record.cases) == sorted(ids)
    # Data that is dequantized and quantized again is what it was.
    right = {line["case"] for line in record.cases if line["verdict"] == "exact"}
    assert all("round_trip" in case for case in right)
    assert {v for v in record.verdicts if v not in {"open", "exact"}} == FAILED
    lines = file.read_text("utf-8").splitlines()
    assert json.loads(lines[-1])["cases"] == len(ids)


def test_filters_run_some_of_a_suite(tmp_path: Path) -> None:
    suite, file = tmp_path / "suite", tmp_path / "run.jsonl"
    onnx_cts("generate", "--out", suite, "--version", 10, "--version", 13)
    options = ("--version", 13, "--operator", "DequantizeLinear", "--record", file)
    assert run(REFUSES, suite, *options).status == 0
    assert {line["version"] for line in read_record(file).cases} == {13}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--version", 13], "the suite has no case of version 13; it has 10"),
        (["--operator", "Quantise"], "the suite has no case of operator Quantise; it has "),
    ],
)
def test_a_filter_that_selects_nothing_is_one_line(
    suite_10: Path, options: list[object], complaint: str
) -> None:
    assert run(REFUSES, suite_10, *options).complaint.startswith(complaint)


def test_an_unknown_backend_is_one_line_with_the_known_ones(suite_10: Path) -> None:
    complaint = run("nothing", suite_10).complaint
    assert complaint.startswith("unknown backend 'nothing'; known are ")
    assert "onnx-reference, " in complaint


def test_an_adapter_that_is_not_there_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    file = tmp_path / "none.py"
    assert run(str(file), suite_10).complaint == f"backend '{file}': there is no file {file}"


@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_that_is_no_suite_is_one_line(tmp_path: Path, exists: bool) -> None:
    folder = tmp_path / "folder"
    if exists:
        folder.mkdir()
    assert run(REFUSES, folder).complaint == (
        f"{folder}: no suite here (no manifest.json); "
        "name the folder that `onnx-cts generate --out` wrote"
    )


def test_a_record_that_cannot_be_written_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    complaint = run(REFUSES, suite_10, "--record", tmp_path / "file" / "run.jsonl").complaint
    assert "cannot be written" in complaint


def test_a_run_that_was_killed_is_finished_by_resume(suite_10: Path, tmp_path: Path) -> None:
    whole, file = tmp_path / "whole.jsonl", tmp_path / "r.jsonl"
    done = run(RETURNS_ITS_INPUT, suite_10, "--record", whole, "-n", 2)
    lines = whole.read_bytes().splitlines(keepends=True)
    (tmp_path / "r.jsonl.part").write_bytes(b"".join(lines[:20]) + lines[20][:30])
    resumed = run(RETURNS_ITS_INPUT, suite_10, "--record", file, "--resume")
    assert file.read_bytes() == whole.read_bytes()
    assert resumed.out.replace(str(file), str(whole)) == done.out
    assert resumed.status == done.status


def test_a_run_that_cannot_be_resumed_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    complaint = run(REFUSES, suite_10, "--record", file, "--resume").complaint
    assert complaint == f"{file}: there is no record to resume; run without --resume"
    run(REFUSES, suite_10, "--record", file, "--shard", "1/2")
    complaint = run(REFUSES, suite_10, "--record", file, "--shard", "2/2", "--resume").complaint
    assert complaint.startswith(f"{file}: cannot be resumed: it is of another selection of cases: ")
    assert "--resume needs --record" in run(REFUSES, suite_10, "--resume").err


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_timeout_that_leaves_no_time_is_a_usage_error(suite_10: Path, seconds: int) -> None:
    done = run(REFUSES, suite_10, "--timeout", seconds)
    assert (done.status, done.out) == (2, "")
    assert f"Invalid value for '--timeout': {float(seconds)} is not in the range x>0" in done.err


def test_a_record_that_is_a_folder_is_a_usage_error(suite_10: Path, tmp_path: Path) -> None:
    done = run(REFUSES, suite_10, "--record", tmp_path)
    assert (done.status, done.out) == (2, "")
    assert f"Invalid value for '--record': File '{tmp_path}' is a directory." in done.err


def test_a_python_that_is_not_there_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    complaint = run(REFUSES, suite_10, "--python", tmp_path / "python").complaint
    assert "could not be started" in complaint
    assert "--python names another" in complaint


def test_without_a_suite_one_is_generated_once_and_kept(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache.first.status == 0
    manifest = cache.suite / "manifest.json"
    assert cache.suite.parent == cache.folder / "onnx-cts" / "suites"
    versions = {e["version"] for e in json.loads(manifest.read_text("utf-8"))["operators"]}
    assert {10, 28} <= versions
    monkeypatch.setattr("onnx_cts_generator.coverings.cover", None)
    written = manifest.stat().st_mtime_ns
    assert onnx_cts("run", REFUSES, "--version", 10, **cache.environment).status == 0
    assert manifest.stat().st_mtime_ns == written
    assert manifest.parent == cache.suite


def test_models_are_converted_before_they_run(suite_10: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    done = run("onnxruntime", suite_10, "--convert-to", 13, "--record", file)
    assert (done.status, done.err) == (0, "")
    assert " models converted to opset 13 by onnx.version_converter " in done.out
    record = read_record(file)
    assert record.header["backend"]["conversion"]["opset"] == 13
    converted = [case["converted"] for case in record.cases]
    assert {said["from"] for said in converted} == {10, 11, 12}
    assert {said["to"] for said in converted} == {13}


def test_an_opset_that_onnx_does_not_have_is_one_line(suite_10: Path) -> None:
    assert "converts to the opsets 1 to " in run(REFUSES, suite_10, "--convert-to", 999).complaint
    assert run(REFUSES, suite_10, "--convert-to", 0).status == 2
