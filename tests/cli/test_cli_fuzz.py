"""``onnx-cts fuzz`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import REFUSES, Finished, files_in, onnx_cts

from onnx_cts_generator.commands import fuzz as command
from onnx_cts_harness import read_record

DEVIANT = Path(__file__).parents[1] / "diagnosis" / "deviant.py"
IGNORES = f"{DEVIANT}:zero-point-ignored"


def fuzz(backend: str, *options: object) -> Finished:
    chosen = ("--operator", "DequantizeLinear", "--version", 10, "--seconds", 2)
    return onnx_cts("fuzz", backend, *chosen, *options)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Finished, Path]:
    out = tmp_path_factory.mktemp("fuzz") / "found"
    return fuzz(IGNORES, "--out", out), out


def test_a_wrong_backend_gives_status_1_the_least_call_and_a_table(
    written: tuple[Finished, Path],
) -> None:
    done, out = written
    assert (done.status, done.err) == (1, "")
    first, *rest = done.out.splitlines()
    assert first.startswith("ai.onnx/DequantizeLinear/v10/test_fuzz_wrong_value_")
    assert "zero-point-ignored" in first
    assert rest[0].startswith("  input  x: ")
    assert any(line.startswith("  presented  opset 1") for line in rest)
    assert "diagnosis  zero-point-ignored explains 1 of 1" in rest
    assert any(line.split()[:2] == ["DequantizeLinear", "10"] for line in rest)
    assert rest[-1] == f"1 cases written to {out}"


def test_what_is_written_is_a_suite_that_the_backend_fails_in_the_same_way(
    written: tuple[Finished, Path], tmp_path: Path
) -> None:
    _, out = written
    record = tmp_path / "run.jsonl"
    again = onnx_cts("run", IGNORES, "--suite", out, "--record", record)
    assert again.status == 1
    (line,) = read_record(record).cases
    assert line["verdict"] == "wrong_value"
    assert "zero-point-ignored" in line["diagnosis"]
    assert json.loads((out / "manifest.json").read_text("utf-8"))["levels"] == ["fuzz"]
    (case,) = out.rglob("case.json")
    assert "fuzz" in json.loads(case.read_text("utf-8"))["features"]


def test_a_right_backend_gives_status_0_and_writes_nothing(tmp_path: Path) -> None:
    done = fuzz(f"{DEVIANT}:right", "--out", tmp_path / "found")
    assert (done.status, done.err) == (0, "")
    assert "0 failed, 0 errors" in done.out
    assert not (tmp_path / "found").exists()


def test_a_backend_that_refuses_everything_fails_nothing() -> None:
    done = fuzz(REFUSES)
    assert done.status == 0
    assert "refused" in done.out


def test_the_folder_where_it_is_run_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fuzz(REFUSES, "--seconds", 0.5)
    assert files_in(tmp_path) == {}


def test_without_hypothesis_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert fuzz(REFUSES).complaint == "fuzz needs Hypothesis: pip install 'onnx-cts[fuzz]'"


def test_a_folder_with_something_else_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    complaint = fuzz(REFUSES, "--out", tmp_path).complaint
    assert complaint.startswith(f"{tmp_path} is not a suite")
    assert files_in(tmp_path) == {"notes.txt": b"mine"}


def test_an_operator_without_a_spec_is_one_line() -> None:
    done = onnx_cts("fuzz", REFUSES, "--operator", "Quantise", "--seconds", 1)
    assert done.complaint.startswith("there is no spec for operator Quantise; there are: ")


def test_an_unknown_backend_is_one_line() -> None:
    assert fuzz("nothing").complaint.startswith("unknown backend 'nothing'; known are ")
