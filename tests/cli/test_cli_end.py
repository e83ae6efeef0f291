"""A command whose job is cancelled cleans up: what it had begun to write, and its workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGTERM")

SUITE = Path(__file__).parents[2] / "generated_tests"
PROGRAM = "from onnx_cts_generator.cli import main; main()"


def started(*arguments: object) -> subprocess.Popen[bytes]:
    """A command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, and fail if it never comes."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def cancelled(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """Send SIGTERM; gives the exit status, and what the command said of it."""
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    return process.returncode, said


def test_a_generation_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    out = tmp_path / "suite"
    process = started("generate", "--out", out)
    wait_until(lambda: any(tmp_path.rglob("model.onnx")))
    assert cancelled(process) == (143, b"")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_cancelled_leaves_its_part_and_no_worker(tmp_path: Path) -> None:
    pid, record = tmp_path / "pid", tmp_path / "r.jsonl"
    adapter = tmp_path / "hangs.py"
    adapter.write_text(HANGS.format(pid=str(pid)))
    process = started("run", adapter, "--suite", SUITE, "--record", record)
    wait_until(lambda: pid.exists() and pid.read_text() != "")
    assert cancelled(process)[0] == 143
    assert record.with_name("r.jsonl.part").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


HANGS = """
import os, time

class Adapter:
    version = "1.0"

    def __init__(self, variant):
        pass

    def load(self, model, folder):
        with open({pid!r}, "w") as file:
            file.write(str(os.getpid()))
        time.sleep(1000)
"""
