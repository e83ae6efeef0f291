"""The score of suites against the catalogue of wrong implementations."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cache, Finished, onnx_cts

OPERATOR = "DequantizeLinear"
VERSION_10 = f"ai.onnx/{OPERATOR}/v10"


def mutation(*options: object) -> Finished:
    return onnx_cts("mutation", "--operator", OPERATOR, *options)


@pytest.fixture(scope="module")
def of_core(cache: Cache) -> Finished:
    """The score of the suite that is taken where none is named."""
    return onnx_cts("mutation", "--operator", OPERATOR, "--json", **cache.environment)


@pytest.fixture(scope="module")
def of_onnx() -> Finished:
    return mutation("--onnx", "--json")


def test_the_core_suite_catches_every_deviation(of_core: Finished) -> None:
    found = json.loads(of_core.out)
    assert [d["name"] for d in found["deviations"] if d["first"] is None] == []
    assert found["caught"] == len(found["deviations"]) >= 100
    assert (of_core.status, of_core.err) == (0, "")


def test_the_cases_of_onnx_catch_less_than_half(of_onnx: Finished) -> None:
    found = json.loads(of_onnx.out)
    assert 0 < found["caught"] < len(found["deviations"]) / 2
    assert (of_onnx.status, of_onnx.err) == (1, "")


def test_json_tells_of_each_deviation_what_it_does_and_which_case_catches_it(
    cache: Cache, of_core: Finished
) -> None:
    found = json.loads(of_core.out)
    assert found.keys() == {"operator", "caught", "deviations"}
    assert found["operator"] == OPERATOR
    names = [deviation["name"] for deviation in found["deviations"]]
    assert len(set(names)) == len(names)
    suite = cache.suite
    for deviation in found["deviations"]:
        assert deviation.keys() == {"name", "category", "says", "first", "caught"}
        assert deviation["category"]
        assert deviation["says"].endswith(".")
        assert_cases_are_there(suite, deviation)


def assert_cases_are_there(suite: Path, deviation: dict[str, Any]) -> None:
    versions = sorted(suite.glob(f"ai.onnx/{OPERATOR}/v*"), key=lambda path: int(path.name[1:]))
    assert list(deviation["caught"]) == [path.name[1:] for path in versions]
    named = {version: case for version, case in deviation["caught"].items() if case}
    assert deviation["first"] == next(iter(named.values()))
    for version, case in named.items():
        assert case.startswith(f"ai.onnx/{OPERATOR}/v{version}/")
        assert (suite / case / "case.json").is_file()


def test_without_json_it_is_a_line_for_each_deviation_and_a_total(suite_10: Path) -> None:
    done = mutation("--suite", suite_10)
    *lines, total = done.out.splitlines()
    found = json.loads(mutation("--suite", suite_10, "--json").out)
    assert [line.split(maxsplit=1) for line in lines] == [
        [deviation["name"], deviation["first"] or "NOT CAUGHT"] for deviation in found["deviations"]
    ]
    # Deviations know one node, and no chain.
    cases = sum("round_trip" not in str(path) for path in suite_10.rglob("case.json"))
    assert total == f"{found['caught']} of {len(lines)} caught by {cases} cases"


def test_a_suite_that_lets_one_through_gives_status_1(suite_10: Path) -> None:
    """Version 10 knows neither axes nor blocks."""
    done = mutation("--suite", suite_10, "--json")
    first = {d["name"]: d["first"] for d in json.loads(done.out)["deviations"]}
    assert first["axis-always-first"] is first["blocks-interleaved"] is None
    assert first["zero-point-ignored"] is not None
    assert (done.status, done.err) == (1, "")


def test_a_wrong_expected_value_is_the_fault_of_the_suite(own_suite_10: Path) -> None:
    case = f"{VERSION_10}/test_int8_per_tensor"
    file = "test_data_set_0/output_0.pb"
    content = bytearray((own_suite_10 / case / file).read_bytes())
    content[-1] ^= 0x80
    (own_suite_10 / case / file).write_bytes(content)
    path = own_suite_10 / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["files"][case][file] = hashlib.sha256(content).hexdigest()
    path.write_text(json.dumps(manifest), "utf-8")
    assert mutation("--suite", own_suite_10).complaint == (
        f"{case}: a right implementation fails it; the case or the reference is at fault, "
        "and must be mended first"
    )


def test_a_suite_and_the_cases_of_onnx_exclude_each_other(suite_10: Path) -> None:
    done = mutation("--suite", suite_10, "--onnx")
    assert (done.status, done.out) == (2, "")
    assert "--suite and --onnx exclude each other" in done.err


def test_the_operator_must_be_named() -> None:
    done = onnx_cts("mutation")
    assert (done.status, done.out) == (2, "")
    assert "Missing option '--operator'" in done.err


@pytest.mark.parametrize("options", [["--suite"], ["--onnx"]])
def test_an_operator_without_a_spec_is_one_line(options: list[object], suite_10: Path) -> None:
    options = [*options, suite_10] if options == ["--suite"] else options
    complaint = onnx_cts("mutation", "--operator", "Quantise", *options).complaint
    assert "operator Quantise" in complaint
    assert OPERATOR in complaint


def test_a_folder_that_is_no_suite_is_one_line(tmp_path: Path) -> None:
    complaint = mutation("--suite", tmp_path).complaint
    assert complaint.startswith(f"{tmp_path}: no suite here (no manifest.json)")
