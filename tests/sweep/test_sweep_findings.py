"""A fault is found, shrunk to its smallest element, named, and becomes a case."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sweeps import CROWDED, DEVIANT, SMALL, findings_of, lines_of, swept

from onnx_cts_harness import Verdict, run_suite

TIES = ("QuantizeLinear", "--version", 23, "--sweep", "inputs", "--types")
TYPES = "x=float16,y_scale=float16,y_zero_point=uint4"


def test_a_right_backend_has_no_findings(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    done = swept(*SMALL, "--backend", f"{DEVIANT}:right", "--record", record)
    assert done.status == 0
    assert done.out.splitlines()[-2] == "17,920 elements: 17,920 exact"
    assert not findings_of(record)


def test_a_planted_fault_is_shrunk_to_one_element_named_and_written(tmp_path: Path) -> None:
    record, out, backend = tmp_path / "r.jsonl", tmp_path / "found", f"{DEVIANT}:ties-away"
    done = swept(*TIES, TYPES, "--backend", backend, "--record", record, "--out", out)
    assert done.status == 1
    found = findings_of(record)
    assert found
    for finding in found:
        assert "ties-away" in finding["diagnosis"]
        assert finding["rows"][1] - finding["rows"][0] == 1
        assert finding["columns"][1] - finding["columns"][0] == 1
    wrong = sum(line["verdicts"].get("wrong_value", 0) for line in lines_of(record)[1:-1])
    assert wrong > len(found)
    assert f"1 cases written to {out}" in done.out
    (result,) = run_suite(out, backend)
    assert result.verdict is Verdict.WRONG_VALUE
    assert result.diagnosis is not None
    assert "ties-away" in result.diagnosis
    assert result.case.endswith(f"{TYPES.replace('=', '_').replace(',', '_')}_ties_away")
    (right,) = run_suite(out, f"{DEVIANT}:right")
    assert right.verdict is Verdict.EXACT


def test_the_smallest_element_is_the_one_nearest_to_zero(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    arguments = ("DequantizeLinear", "--version", 23, "--types", "x=int4", "--sweep", "codes")
    swept(*arguments, "--backend", f"{DEVIANT}:one-too-many", "--record", record)
    inputs = [finding["inputs"] for finding in findings_of(record) if "inputs" in finding]
    assert {"x": "int4[1] [0]", "x_scale": "float16[1] [0.]"} in inputs


def test_what_fails_in_company_alone_is_shrunk_by_halving(tmp_path: Path) -> None:
    record, out = tmp_path / "r.jsonl", tmp_path / "found"
    done = swept(*SMALL, "--backend", CROWDED, "--record", record, "--out", out)
    assert done.status == 1
    finding = findings_of(record)[0]
    rows, columns = (finding[axis][1] - finding[axis][0] for axis in ("rows", "columns"))
    assert rows * columns == 2
    assert "inputs" not in finding
    results = list(run_suite(out, str(CROWDED)))
    assert results
    assert all(r.verdict is Verdict.WRONG_VALUE for r in results)


def test_a_crash_costs_a_call_and_is_shrunk_to_the_element_that_kills(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    arguments = (
        "DequantizeLinear",
        "--version",
        23,
        "--types",
        "x=uint8,x_scale=float,x_zero_point=uint8",
    )
    done = swept(*arguments, "--sweep", "codes", "--backend", f"{CROWDED}:dies", "--record", record)
    assert done.status == 1
    finding = findings_of(record)[0]
    assert finding["verdict"] == "crashed"
    assert finding["inputs"]["x"] == "uint8[1] [7]"


def test_an_answer_that_cannot_be_read_is_the_fault_of_the_adapter(tmp_path: Path) -> None:
    done = swept(*SMALL, "--backend", f"{CROWDED}:short", "--out", tmp_path / "found")
    assert done.status == 2
    assert "harness_error the adapter returned an output that cannot be read" in done.out
    assert not (tmp_path / "found").exists()


def test_what_is_refused_is_counted_and_no_failure(tmp_path: Path) -> None:
    done = swept(*SMALL, "--backend", DEVIANT.parents[1] / "cli" / "fakes" / "refuses.py")
    assert done.status == 0
    assert done.out.splitlines()[-1] == "17,920 elements: 17,920 refused"


@pytest.mark.parametrize("version", [10, 13])
def test_onnxruntime_is_right_where_parameters_are_scalars_and_where_they_are_not(
    version: int,
) -> None:
    arguments = ("DequantizeLinear", "--version", version, "--sweep", "codes", "--types", "x=int8")
    done = swept(*arguments, "--backend", "onnxruntime")
    assert done.status == 0
    assert done.out.splitlines()[-1].endswith(" exact")


@pytest.mark.skipif(sys.platform != "linux", reason="Linux enforces a limit of address space")
def test_a_worker_of_a_sweep_has_the_memory_that_it_is_given(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    greedy = Path(__file__).parent / "fakes" / "greedy.py"
    done = swept(*SMALL, "--backend", greedy, "--memory", 2048, "--record", record)
    header, *blocks, _ = lines_of(record)
    assert done.status == 1
    assert "out of memory: the limit is 2048 MiB" in done.out
    assert header["limits"] == {"timeout": 30.0, "memory": 2048}
    assert {verdict for line in blocks for verdict in line["verdicts"]} == {"crashed"}
