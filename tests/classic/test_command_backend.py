"""Any program is a backend; what it says by its end is told apart."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from classic_folders import FAKES, dequantize_case, has_ended, identity_case, only, run

from onnx_cts_harness import BackendError, Result, resolve
from onnx_cts_harness.backend import Backend

ONES = np.ones(3, np.float32)
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "node"
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def command(act: str) -> str:
    """The name of the backend that is the fake program."""
    program = FAKES / "program.py"
    return f"command:'{sys.executable}' '{program}' {act} {{model}} {{inputs}} {{outputs}}"


def result_of(act: str, folder: Path, **options: float) -> Result:
    """What the fake program gives."""
    return only(identity_case(folder / "test_a", ONES, ONES), command(act), **options)


@pytest.mark.parametrize("act", ["copy", "print", "spoil", "leave"])
def test_outputs_are_read_whatever_else_the_program_does(tmp_path: Path, act: str) -> None:
    start = time.monotonic()
    assert result_of(act, tmp_path).verdict == "exact"
    assert time.monotonic() - start < 3


def test_the_files_of_the_suite_are_never_handed_out(tmp_path: Path) -> None:
    result_of("spoil", tmp_path)
    assert all(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())


KNOWN = "(0 is for outputs, 20 for a refusal, 21 for not runnable)"


@pytest.mark.parametrize(
    ("act", "verdict", "stage", "message"),
    [
        ("refuse", "refused", "", "Refused: no such operator"),
        ("stage", "refused", "load", "Refused: no such operator"),
        ("unsupported", "refused", "check", "Refused: unsupported: int4"),
        ("unfed", "not_runnable", "", "no int4"),
        pytest.param("abort", "crashed", "", "killed by SIGABRT", marks=posix),
        pytest.param("shell", "crashed", "", "killed by SIGSEGV", marks=posix),
        ("throw", "harness_error", "", f"status 1: Error: cannot find module {KNOWN}"),
        ("silent", "harness_error", "", f"status 3: no message {KNOWN}"),
        ("nothing", "harness_error", "", "status 0, and wrote no output_0.pb"),
    ],
)
def test_the_end_of_the_program_says_what_happened(
    tmp_path: Path, act: str, verdict: str, stage: str, message: str
) -> None:
    result = result_of(act, tmp_path)
    said = result.message.removeprefix("the command ended with ")
    assert (result.verdict, result.stage, said) == (verdict, stage, message)
    assert result.refusal == ("unsupported" if act == "unsupported" else "")
    if act == "abort":
        assert result.stderr == ("last words",)


def test_an_output_that_cannot_be_read_breaks_the_convention(tmp_path: Path) -> None:
    result = result_of("junk", tmp_path)
    assert result.verdict == "harness_error"
    assert "wrote no tensor that can be read to output_0.pb" in result.message


@posix
def test_a_timeout_ends_the_program_and_what_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PID_FILE", str(tmp_path / "pid"))
    assert result_of("hang", tmp_path, timeout=1.5).verdict == "timed_out"
    assert has_ended(int((tmp_path / "pid").read_text()), seconds=5)


def test_a_crash_costs_one_case_and_no_restart(tmp_path: Path) -> None:
    for name in ("test_a", "test_b"):
        identity_case(tmp_path / name, ONES, ONES)
    assert {str(r.verdict) for r in run(tmp_path, command("abort")).values()} == {"crashed"}


def test_a_relative_program_is_that_of_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "runner"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKES / "program.py"}" copy "$@"\n')
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    case = identity_case(tmp_path / "test_a", ONES, ONES)
    assert only(case, "command:./runner {model} {inputs} {outputs}").verdict == "exact"


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("", r"the command has no \{model\}; such as command:./runner \{model\}"),
        ("./runner {model} {inputs}", r"the command has no \{outputs\}"),
        ("no-such-program {model} {inputs} {outputs}", "there is no program no-such-program"),
        ("./no-such {model} {inputs} {outputs}", "there is no program ./no-such"),
        ("'runner {model} {inputs} {outputs}", "No closing quotation"),
    ],
)
def test_a_command_that_cannot_run_is_one_clear_error(template: str, says: str) -> None:
    with pytest.raises(BackendError, match=says):
        Backend(resolve(f"command:{template}"))


def node_modules() -> Path | None:
    """Where the packages of the Node example are installed, if they are."""
    folders = [Path(os.environ.get("ONNX_CTS_NODE_MODULES", EXAMPLE / "node_modules"))]
    return next((f for f in folders if (f / "onnxruntime-node").is_dir()), None)


@pytest.mark.skipif(shutil.which("node") is None or node_modules() is None,
                    reason="needs node, and the packages of docs/examples/node")  # fmt: skip
def test_the_node_runner_agrees_with_the_python_adapter(tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copytree(EXAMPLE, program, ignore=shutil.ignore_patterns("node_modules"))
    (program / "node_modules").symlink_to(node_modules() or "")
    suite = tmp_path / "suite"
    dequantize_case(suite / "test_value")
    dequantize_case(suite / "test_reject", zero=np.array(1, np.int8))
    dequantize_case(suite / "test_open", zero=np.array([1], np.uint8))
    for name in ("float16", "int64", "bool", "uint8", "int32", "float64"):
        given = np.array([0, 1, 1]).astype(name)
        identity_case(suite / f"test_{name}", given, given)
    node = run(suite, f"command:node {program / 'run-one.mjs'} {{model}} {{inputs}} {{outputs}}")
    python = run(suite, "onnxruntime")
    assert {c: r.verdict for c, r in node.items()} == {c: r.verdict for c, r in python.items()}
    assert {c: r.answer for c, r in node.items()} == {c: r.answer for c, r in python.items()}
