"""Spec files with one thing changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from onnx_cts_specs import SpecError, load, spec_for

VERSIONS = (10, 13, 19, 21, 23, 24, 25, 28)


def original(version: int) -> str:
    """The text of a spec of DequantizeLinear."""
    return spec_for("DequantizeLinear", version).path.read_text("utf-8")


def written(folder: Path, text: str | bytes, version: int = 13) -> Path:
    """A spec file with this text."""
    path = folder / "DequantizeLinear" / f"{version}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def edited(folder: Path, old: str, new: str, version: int = 13) -> Path:
    """A copy of a spec in which the first occurrence of a text is replaced."""
    text = original(version)
    assert old in text
    return written(folder, text.replace(old, new, 1), version)


def without_entry(text: str, key: str) -> str:
    """A spec's text without a top-level key and all that belongs to it."""
    lines = text.splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{key}:"))
    after = (i for i in range(start + 1, len(lines)) if lines[i][0] not in " \n#")
    return "".join(lines[:start] + lines[next(after, len(lines)) :])


def line_of(path: Path, text: str) -> int:
    """The number of the first line that holds a text."""
    lines = path.read_text("utf-8").splitlines()
    return next(i for i, line in enumerate(lines, start=1) if text in line)


def error_of(path: Path) -> SpecError:
    """The one error with which a file is refused: short, on one line, with place and remedy."""
    with pytest.raises(SpecError) as caught:
        load(path)
    error = caught.value
    assert error.path == path
    assert error.problem
    assert error.remedy
    place = f"{path}:{error.line}" if error.line else str(path)
    key = f"{error.key}: " if error.key else ""
    assert str(error) == f"{place}: {key}{error.problem}; {error.remedy}"
    return error
