from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import onnx_cts
from record_files import Verdicts, header, lines, record

from onnx_cts_harness.profiles import published_profiles

PROFILE: dict[str, Any] = {
    "format": 1,
    "name": "some-level-1",
    "says": "Some calls.",
    "demands": [
        {
            "operators": ["DequantizeLinear"],
            "opset": 20,
            "expectation": "value",
            "types": ["int8", "float"],
            "verdicts": ["exact", "permitted"],
        },
        {
            "operators": ["DequantizeLinear"],
            "opset": 20,
            "expectation": "reject",
            "verdicts": ["rejected"],
        },
    ],
}
INT8 = {"x": "int8", "y": "float"}
GOOD: Verdicts = {
    "DequantizeLinear/v19/test_a": {"verdict": "exact", "dtypes": INT8},
    "DequantizeLinear/v19/test_b": {"verdict": "permitted", "dtypes": INT8},
    "DequantizeLinear/v19/test_other_type": {"verdict": "refused", "dtypes": {"x": "float8e5m2"}},
    "DequantizeLinear/v21/test_other_version": {"verdict": "crashed", "dtypes": INT8},
    "DequantizeLinear/v19/reject_c": "rejected",
    "DequantizeLinear/v19/open_d": {"verdict": "open", "reading": "x"},
}


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return written(tmp_path, PROFILE)


def written(folder: Path, data: Any) -> Path:
    file = folder / "p.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False), "utf-8")
    return file


def test_a_profile_asks_for_the_version_that_is_current_and_for_its_types(
    tmp_path: Path, profile: Path
) -> None:
    file = record(tmp_path / "r.jsonl", GOOD)
    done = onnx_cts("levels", file, "--profile", profile)
    assert (done.status, done.out) == (
        0,
        "some-level-1  runtime 1.0  reached: all of 3 cases\n",
    )


@pytest.mark.parametrize(
    ("case", "verdict"),
    [("test_b", "wrong_value"), ("test_b", "refused"), ("reject_c", "accepted_invalid")],
)
def test_whatever_is_not_as_it_must_be_falls_short(
    tmp_path: Path, profile: Path, case: str, verdict: str
) -> None:
    name = f"DequantizeLinear/v19/{case}"
    cases = {**GOOD, name: {"verdict": verdict, "dtypes": INT8}}
    done = onnx_cts("levels", record(tmp_path / "r.jsonl", cases), "--profile", profile)
    assert done.status == 1
    head, line = done.out.splitlines()
    assert head == "some-level-1  runtime 1.0  not reached: 1 of 3 cases fall short"
    assert line.startswith(f"  {name}  {verdict}")


def test_a_record_that_is_not_whole_says_nothing(tmp_path: Path, profile: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text("".join(lines(GOOD, header())[:-1]))
    done = onnx_cts("levels", file, "--profile", profile)
    assert (done.status, done.out) == (
        2,
        "some-level-1  runtime 1.0  not known: the record is cut off after 6 cases\n",
    )
    file = record(tmp_path / "s.jsonl", dict(list(GOOD.items())[:5]))
    done = onnx_cts("levels", file, "--profile", profile)
    assert done.status == 2
    assert "not known: 5 of 6 cases are in the records" in done.out


def test_a_case_that_could_not_be_judged_leaves_it_open(tmp_path: Path, profile: Path) -> None:
    cases = {**GOOD, "DequantizeLinear/v19/test_a": {"verdict": "harness_error", "dtypes": INT8}}
    done = onnx_cts("levels", record(tmp_path / "r.jsonl", cases), "--profile", profile)
    assert (done.status, "not known: some cases could not be judged" in done.out) == (2, True)


def test_json_names_what_falls_short(tmp_path: Path, profile: Path) -> None:
    cases = {**GOOD, "DequantizeLinear/v19/reject_c": {"verdict": "accepted_invalid"}}
    file = record(tmp_path / "r.jsonl", cases)
    done = onnx_cts("levels", file, "--profile", profile, "--json", "-")
    (standing,) = json.loads(done.out)
    assert (standing["reached"], standing["cases"]) == (False, 3)
    assert [one["case"] for one in standing["short"]] == ["DequantizeLinear/v19/reject_c"]


def test_the_published_profiles_are_about_the_suite() -> None:
    names = [profile.name for profile in published_profiles()]
    assert names == ["onnx-quantization-0", "onnx-quantization-1", "onnx-quantization-2"]


def test_a_demand_without_a_case_is_one_line(tmp_path: Path, profile: Path) -> None:
    file = record(tmp_path / "r.jsonl", {"Op/v1/test_a": "exact"})
    assert onnx_cts("levels", file, "--profile", profile).complaint == (
        "the records have no case of some demand of some-level-1; run all of the suite"
    )
    assert onnx_cts("levels", file).out == ""


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("opset", 9, "DequantizeLinear has no version at opset 9; its first is 10"),
        ("operators", ["DequantiseLinear"], "there is no spec for DequantiseLinear; there are: "),
        ("verdicts", ["correct"], "'correct' is none of exact, permitted, rejected, refused"),
    ],
)
def test_a_profile_that_cannot_be_used_is_one_line(
    tmp_path: Path, key: str, value: Any, says: str
) -> None:
    demands = [PROFILE["demands"][0] | {key: value}]
    file = written(tmp_path, PROFILE | {"demands": demands})
    complaint = onnx_cts("levels", "r.jsonl", "--profile", file).complaint
    assert complaint.startswith(f"{file}:")
    assert says in complaint


def test_a_profile_that_there_is_not_is_one_line() -> None:
    assert onnx_cts("levels", "r.jsonl", "--profile", "best").complaint == (
        "there is no profile best, nor such a file; there are: onnx-quantization-0, "
        "onnx-quantization-1, onnx-quantization-2"
    )


def test_reports_and_badges_have_the_published_levels(tmp_path: Path) -> None:
    cases: dict[str, Any] = {}
    for operator in ("DequantizeLinear", "QuantizeLinear"):
        cases[f"{operator}/v21/test_a"] = {"verdict": "exact", "dtypes": INT8}
        cases[f"{operator}/v21/reject_b"] = "rejected"
    cases["DequantizeLinear/v10/test_a"] = "wrong_type"
    cases["DequantizeLinear/v10/test_b"] = "exact"
    file = record(tmp_path / "r.jsonl", cases)
    onnx_cts("report", file, "--badge", tmp_path / "b", "--markdown", tmp_path / "m",
             "--json", tmp_path / "j")  # fmt: skip
    badge = json.loads((tmp_path / "b/runtime/onnx-quantization-1.json").read_text("utf-8"))
    assert (badge["message"], badge["color"]) == ("reached", "brightgreen")
    page = (tmp_path / "m").read_text("utf-8")
    assert "| runtime 1.0 | reached: all of 4 cases |" in page
    (level,) = json.loads((tmp_path / "j").read_text("utf-8"))["levels"]
    assert (level["profile"], level["reached"]) == ("onnx-quantization-1", True)
