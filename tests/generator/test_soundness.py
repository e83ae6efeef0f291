"""A spec whose conditions no longer do what they are there for is found out."""

from pathlib import Path

import pytest

from onnx_cts_generator.soundness import unsound
from onnx_cts_specs import SpecError, all_specs, load, spec_for
from onnx_cts_specs.agreement import disagreements

VERSION = 24
LINES = spec_for("DequantizeLinear", VERSION).path.read_text("utf-8").splitlines(keepends=True)
CONDITIONS = [n for n, line in enumerate(LINES) if line.lstrip().startswith(("when:", "excuses:"))]
ANSWERS = [
    n
    for n, line in enumerate(LINES)
    if line.lstrip().startswith(("refuse:", "reshape:", "attributes: {", "omit:", "compute:"))
]


def without(line: int, tmp_path: Path) -> Path:
    path = tmp_path / f"{VERSION}.yaml"
    path.write_text("".join(LINES[:line] + LINES[line + 1 :]), "utf-8")
    return path


def problems(path: Path) -> list[SpecError]:
    try:
        spec = load(path)
    except SpecError as error:
        return [error]
    return list(disagreements(spec)) or list(unsound(spec))


def test_every_spec_is_sound() -> None:
    assert [error for spec in all_specs() for error in unsound(spec)] == []


@pytest.mark.parametrize("line", CONDITIONS + ANSWERS)
def test_a_lost_condition_or_answer_gives_one_error(line: int, tmp_path: Path) -> None:
    (error,) = problems(without(line, tmp_path))
    assert error.remedy
    assert str(error).startswith(str(tmp_path))


@pytest.mark.parametrize("line", range(6, len(LINES), 5))
def test_a_lost_line_never_gives_more_than_one_error(line: int, tmp_path: Path) -> None:
    assert len(problems(without(line, tmp_path))) <= 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rank(x_scale) == 0", "rank(x_scale) == 9"),
        ("granularity == 'blocked'", "granularity == 'bloked'"),
        ("require: -rank(x) <= axis < rank(x)", "require: axis == axis"),
        ("dtype(x) == 'int32'", "dtype(x) == 'int23'"),
        ("require: dtype(x) in T1", "require: dtype(x) in T3"),
    ],
)
def test_a_mistyped_condition_is_found(old: str, new: str, tmp_path: Path) -> None:
    text = "".join(LINES)
    assert old in text
    path = tmp_path / f"{VERSION}.yaml"
    path.write_text(text.replace(old, new), "utf-8")
    assert len(problems(path)) == 1
