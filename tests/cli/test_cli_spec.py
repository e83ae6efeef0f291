from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from command_line import onnx_cts

from onnx_cts_harness import profiles
from onnx_cts_specs import chains, examples, spec_for, sweeps
from onnx_cts_specs.locations import specs_folder

OPERATOR = "DequantizeLinear"


def test_list_names_each_operator_with_its_versions() -> None:
    done = onnx_cts("spec", "list")
    assert (done.status, done.err) == (0, "")
    assert f"{OPERATOR} 10 13 19 21 23 24 25 28" in done.out.splitlines()


@pytest.mark.parametrize("version", [10, 21, 28])
def test_show_has_every_part_of_the_spec_by_name(version: int) -> None:
    done = onnx_cts("spec", "show", OPERATOR, version)
    assert (done.status, done.err) == (0, "")
    spec = spec_for(OPERATOR, version)
    named = [*spec.inputs, *spec.outputs, *spec.attributes, *spec.granularities]
    names = {part.name for part in (*named, *spec.readings, *spec.type_constraints)}
    names |= {part.id for part in (*spec.rules, *spec.open_questions)}
    names |= {answer.name for q in spec.open_questions for answer in q.readings}
    shown = set(re.findall(r"^ *- \*{1,2}([^*]+)\*", done.out, re.MULTILINE))
    assert names <= shown
    assert done.out.startswith(f"# {OPERATOR} {version}\n")
    for rule in spec.rules:
        assert rule.require in done.out
        assert rule.says in done.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["Quantise", 10], r"there is no spec for Quantise; there are: DequantizeLinear.*"),
        ([OPERATOR, 22], r"there is no spec for version 22 of DequantizeLinear; there are: 10, .*"),
        ([OPERATOR, 21, "--domain", "com.nobody"], r".* of the domain com\.nobody; .*"),
    ],
)
def test_show_of_what_has_no_spec_is_one_line(arguments: list[object], complaint: str) -> None:
    assert re.fullmatch(complaint, onnx_cts("spec", "show", *arguments).complaint)


def test_a_version_that_is_no_number_is_a_usage_error() -> None:
    done = onnx_cts("spec", "show", OPERATOR, "newest")
    assert done.status == 2
    assert "'newest' is not a valid integer" in done.err


def test_check_finds_that_the_specs_agree_with_onnx() -> None:
    done = onnx_cts("spec", "check")
    assert (done.status, done.err) == (0, "")
    assert re.fullmatch(r"\d+ specs agree with onnx\.defs\n", done.out)


@pytest.mark.parametrize(
    ("module", "read", "load"),
    [
        (examples, "examples_of", examples.load_examples),
        (chains, "chains_of", chains.load_chains),
        (sweeps, "sweeps_of", sweeps.load_sweeps),
        (profiles, "load_profile", profiles.load_profile),
    ],
)
def test_check_says_what_is_wrong_with_the_files_beside_the_specs(
    module: ModuleType,
    read: str,
    load: Callable[[Path], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "beside.yaml"
    file.write_text("unheard-of: []\n")
    monkeypatch.setattr(module, read, lambda *_: load(file))
    done = onnx_cts("spec", "check")
    assert (done.status, done.out) == (1, "")
    lines = set(done.err.splitlines())
    assert len(lines) == 1
    assert lines.pop().startswith(f"onnx-cts: {file}:1: ")


def spec_with(tmp_path: Path, old: str, new: str) -> Path:
    """A copy of a spec with one text in place of another."""
    text = (specs_folder() / "ai.onnx" / OPERATOR / "10.yaml").read_text("utf-8")
    assert old in text
    file = tmp_path / "edited.yaml"
    file.write_text(text.replace(old, new, 1), "utf-8")
    return file


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        (
            "rank(x_scale) == 0",
            "rnk(x_scale) == 0",
            ("granularities[0].when", "unknown function `rnk`", "correct the expression"),
        ),
        ("since_version: 10\n", "", ("'since_version' is a required property", "add it")),
        ("role: scale\n", "roll: scale\n", ("inputs[1]", "roll")),
    ],
)
def test_check_of_a_spec_at_fault_says_where_what_and_what_to_do(
    tmp_path: Path, old: str, new: str, parts: tuple[str, ...]
) -> None:
    file = spec_with(tmp_path, old, new)
    complaint = onnx_cts("spec", "check", file).complaint
    assert re.match(re.escape(str(file)) + r":\d+: ", complaint)
    for part in parts:
        assert part in complaint


def test_check_of_a_spec_that_disagrees_with_onnx_fails(tmp_path: Path) -> None:
    file = spec_with(tmp_path, "types: [int8, uint8, int32]", "types: [int8, uint8]")
    done = onnx_cts("spec", "check", file)
    assert (done.status, done.out) == (1, "")
    (line,) = done.err.splitlines()
    assert re.match(
        re.escape(f"onnx-cts: {file}:") + r"\d+: type_constraints\[0\]\.types: .*int32", line
    )


def test_check_of_a_spec_that_is_cut_short_is_one_line(tmp_path: Path) -> None:
    file = spec_with(tmp_path, "", "")
    file.write_text(file.read_text("utf-8")[:900], "utf-8")
    assert onnx_cts("spec", "check", file).complaint.startswith(f"{file}:")


def test_check_of_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    complaint = onnx_cts("spec", "check", tmp_path / "none.yaml").complaint
    assert "none.yaml: cannot be read: No such file or directory" in complaint
