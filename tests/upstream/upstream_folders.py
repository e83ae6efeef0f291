"""Run the command line in this process, and change files of an export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
from click.testing import CliRunner

from onnx_cts_generator.cli import main

INPUT = "test_data_set_0/input_0.pb"
OUTPUT = "test_data_set_0/output_0.pb"


@dataclass(frozen=True)
class Finished:
    """What a command left: its exit status and what it wrote to its two streams."""

    status: int
    out: str
    err: str


def onnx_cts(*arguments: object) -> Finished:
    """Run a command; an exception that gets out of it fails the test."""
    result = CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)
    return Finished(result.exit_code, result.stdout, result.stderr)


def complaint(done: Finished) -> str:
    """The one line of a command that could do nothing at all."""
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith("onnx-cts: ")
    return line.removeprefix("onnx-cts: ")


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def change(path: Path, kind: Any, how: Callable[[Any], object]) -> None:
    """Parse a file as a message, change it in place, write it back."""
    message = kind.FromString(path.read_bytes())
    how(message)
    path.write_bytes(message.SerializeToString())


def change_model(case: Path, how: Callable[[onnx.ModelProto], object]) -> None:
    change(case / "model.onnx", onnx.ModelProto, how)
