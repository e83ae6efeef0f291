from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import files_in, onnx_cts

VERSION_10 = "ai.onnx/DequantizeLinear/v10"

VERSION = ("--operator", "DequantizeLinear", "--version", 10)


def test_generate_writes_a_suite_and_says_how_many_cases(suite_10: Path, tmp_path: Path) -> None:
    out = tmp_path / "suite"
    done = onnx_cts("generate", "--out", out, *VERSION)
    count = len(list(out.rglob("case.json")))
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{count} cases written to {out}\n"
    assert files_in(out) == files_in(suite_10)


def test_generate_writes_the_versions_that_are_named_and_no_others(tmp_path: Path) -> None:
    out = tmp_path / "suite"
    options = ("--operator", "DequantizeLinear", "--version", 13, "--version", 10)
    assert onnx_cts("generate", "--out", out, *options).status == 0
    assert sorted(path.name for path in (out / VERSION_10).parent.iterdir()) == ["v10", "v13"]
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert [entry["version"] for entry in manifest["operators"]] == [10, 13]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--version", 12], "there is no spec for version 12; there are: 10, 11, 13, 19, "),
        (["--operator", "Quantise"], "there is no spec for operator Quantise; there are: "),
    ],
)
def test_a_filter_that_names_nothing_is_one_line_and_writes_nothing(
    tmp_path: Path, arguments: list[object], complaint: str
) -> None:
    done = onnx_cts("generate", "--out", tmp_path / "suite", *arguments)
    assert done.complaint.startswith(complaint)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_must_be_named() -> None:
    done = onnx_cts("generate")
    assert done.status == 2
    assert "Missing option '--out'" in done.err


@pytest.mark.parametrize("is_file", [True, False])
def test_what_is_no_suite_is_left_alone(tmp_path: Path, is_file: bool) -> None:
    place = tmp_path / "place"
    note = place if is_file else place / "note.txt"
    note.parent.mkdir(exist_ok=True)
    note.write_text("mine", "utf-8")
    done = onnx_cts("generate", "--out", place, *VERSION)
    assert done.complaint.startswith(f"{place} is not a suite")
    assert note.read_text("utf-8") == "mine"


def test_a_link_stays_and_the_folder_that_it_points_to_is_replaced(
    suite_10: Path, own_suite_10: Path, tmp_path: Path
) -> None:
    (own_suite_10 / "note.txt").write_text("of an older suite", "utf-8")
    link = tmp_path / "link"
    link.symlink_to(own_suite_10)
    assert onnx_cts("generate", "--out", link, *VERSION).status == 0
    assert link.readlink() == own_suite_10
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "suite"]
    assert files_in(own_suite_10) == files_in(suite_10)


def check(out: Path) -> tuple[int, list[str], str]:
    before = files_in(out)
    done = onnx_cts("generate", "--check", "--out", out, *VERSION)
    assert files_in(out) == before, "a check writes nothing"
    return done.status, done.out.splitlines(), done.err


def test_check_of_a_suite_as_it_was_written_is_content(suite_10: Path) -> None:
    assert check(suite_10) == (0, [f"{suite_10} is as the specs have it"], "")


def test_check_lists_what_is_changed_missing_and_too_many(own_suite_10: Path) -> None:
    folder = own_suite_10 / VERSION_10 / "test_int8_per_tensor"
    (folder / "model.onnx").write_bytes(b"edited")
    (folder / "case.json").unlink()
    (folder / "note.txt").write_text("more", "utf-8")
    status, lines, complaint = check(own_suite_10)
    assert status == 1
    assert sorted(lines) == [
        f"differs: {folder / 'model.onnx'}",
        f"missing: {folder / 'case.json'}",
        f"not of the suite: {folder / 'note.txt'}",
    ]
    assert complaint == f"onnx-cts: {own_suite_10} differs from the specs in 3 files\n"


def test_check_of_another_level_finds_the_cases_that_are_missing(suite_10: Path) -> None:
    done = onnx_cts("generate", "--check", "--out", suite_10, *VERSION, "--level", "full")
    assert done.status == 1
    assert any(line.startswith("missing: ") for line in done.out.splitlines())


def test_check_of_no_folder_is_one_line(tmp_path: Path) -> None:
    done = onnx_cts("generate", "--check", "--out", tmp_path / "none", *VERSION)
    assert "is no folder; generate the suite there first" in done.complaint


def test_a_pipe_gets_no_progress_bar(tmp_path: Path) -> None:
    out = tmp_path / "suite"
    code = "from onnx_cts_generator.cli import main; main()"
    command = [sys.executable, "-c", code, "generate", f"--out={out}", "--version=10"]
    done = subprocess.run(command, check=True, capture_output=True, env=os.environ, timeout=60)
    assert done.stderr == b""
    assert done.stdout.decode().startswith(f"{len(list(out.rglob('case.json')))} cases written")
