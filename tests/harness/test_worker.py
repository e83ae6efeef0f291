"""Whatever a backend does in its worker costs one case, and the parent says what it was."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from harness_suites import SuiteBuilder, coded, fake, tensor

from onnx_cts_harness import backend as backend_module
from onnx_cts_harness import worker
from onnx_cts_harness.backend import Backend
from onnx_cts_harness.errors import BackendError, RecordError
from onnx_cts_harness.record import read_record
from onnx_cts_harness.recording import RecordWriter
from onnx_cts_harness.registry import ADAPTERS, resolve
from onnx_cts_harness.run import Run, run_suite, start_run
from onnx_cts_harness.suite import open_suite
from onnx_cts_harness.tensor import Tensor
from onnx_cts_harness.verify import Result

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def act(text: str) -> Tensor:
    """An input that tells the scripted fake what to do."""
    return coded(list(text.encode()), "uint8")


def results(builder: SuiteBuilder, *acts: str, timeout: float = 30.0) -> list[Result]:
    """The results of the scripted fake's acts, in order; its other outputs echo the input."""
    for number, text in enumerate(acts):
        builder.value(f"{number:02}", [act(text)], [act(text)])
    return list(run_suite(builder.write(), fake("scripted"), timeout=timeout))


def verdicts(found: list[Result]) -> list[str]:
    """The verdicts of results."""
    return [str(result.verdict) for result in found]


@pytest.mark.parametrize(
    ("text", "stage", "message"),
    [
        ("raise", "run", "ValueError: first line"),
        ("stage", "check", "StagedError: bad graph"),
        ("panic", "run", "Panic: pyo3 panicked"),
        ("unprintable", "run", "UnprintableError: unprintable: RuntimeError"),
        ("exit", "run", "SystemExit: 3"),
    ],
)
def test_an_exception_is_a_refusal_with_its_stage_and_first_line(
    builder: SuiteBuilder, text: str, stage: str, message: str
) -> None:
    refused, after = results(builder, text, "echo")
    assert (refused.verdict, refused.stage, refused.message) == ("refused", stage, message)
    assert after.verdict == "exact"


def test_a_message_does_not_say_which_case_of_the_run_it_was(builder: SuiteBuilder) -> None:
    for number in range(3):
        case = builder.value(f"{number}", [act("x")], [act("x")])
        (builder.path / case / "other.bin").write_bytes(b"abc")
    found = run_suite(builder.write(), fake("external"))
    assert {result.message for result in found} == {"OSError: no weights beside model.onnx"}


def test_a_message_has_no_random_names_of_folders(builder: SuiteBuilder) -> None:
    (result,) = results(builder, "path")
    assert result.message == "OSError: cannot load m.onnx"


def test_a_refusal_at_load_says_so(builder: SuiteBuilder) -> None:
    builder.value("a", [act("x")], [act("x")])
    (result,) = run_suite(builder.write(), fake("scripted") + ":load")
    assert (result.verdict, result.stage) == ("refused", "load")


def test_an_adapter_can_say_that_it_cannot_be_fed(builder: SuiteBuilder) -> None:
    (result,) = results(builder, "notrun")
    assert (result.verdict, result.message) == ("not_runnable", "no int4")


@pytest.mark.parametrize("text", ["none", "junk", "numbers", "short"])
def test_an_adapter_that_returns_no_tensors_is_a_harness_error(
    builder: SuiteBuilder, text: str
) -> None:
    assert verdicts(results(builder, text, "echo")) == ["harness_error", "exact"]


def test_too_few_outputs_are_a_wrong_shape(builder: SuiteBuilder) -> None:
    assert verdicts(results(builder, "nothing", "echo")) == ["wrong_shape", "exact"]


@pytest.mark.parametrize("text", ["print", "chdir", "thread"])
def test_prints_a_changed_folder_and_threads_do_no_harm(builder: SuiteBuilder, text: str) -> None:
    assert verdicts(results(builder, text, "echo")) == ["exact", "exact"]


@posix
@pytest.mark.parametrize(
    ("text", "how", "said"),
    [("_exit", "exit code 3", ()), ("abort", "killed by SIGABRT", ("the last words",))],
)
def test_a_crash_costs_one_case(
    builder: SuiteBuilder, text: str, how: str, said: tuple[str, ...]
) -> None:
    before, crashed, after = results(builder, "echo", text, "echo")
    assert verdicts([before, crashed, after]) == ["exact", "crashed", "exact"]
    assert (crashed.message, crashed.stderr) == (how, said)


@pytest.mark.parametrize("text", ["sleep", pytest.param("fork", marks=posix)])
def test_a_hang_costs_one_case_and_its_timeout(builder: SuiteBuilder, text: str) -> None:
    start = time.monotonic()
    found = results(builder, "echo", text, "echo", timeout=1.0)
    assert verdicts(found)[::2] == ["exact", "exact"]
    assert time.monotonic() - start < 20
    if text == "sleep":
        assert found[1].verdict == "timed_out"
        assert found[1].message == "no answer within 1 s"


@posix
def test_the_worker_ends_with_its_parent_though_the_backend_hangs(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    script = Path(__file__).with_name("hanging_run.py")
    parent = subprocess.Popen([sys.executable, str(script), str(tmp_path)], env=environment)
    wait_until(lambda: pid.exists() and pid.read_text() != "")
    parent.kill()
    parent.wait()
    wait_until(lambda: not _runs(int(pid.read_text())))
    assert not list(tmp_path.glob("onnx-cts-*"))


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, for at most 20 seconds."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    # A zombie that nobody has waited for has ended too.
    done = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()[:1] not in {"", "Z"}


@posix
def test_a_crash_shows_though_a_child_holds_the_pipes(builder: SuiteBuilder) -> None:
    crashed, after = results(builder, "orphan", "echo", timeout=1.0)
    assert (crashed.verdict, crashed.message, after.verdict) == ("crashed", "exit code 3", "exact")


@posix
def test_a_kill_in_the_middle_of_a_run_costs_at_most_one_case(builder: SuiteBuilder) -> None:
    for number in range(5):
        builder.value(str(number), [act("echo")], [act("echo")])
    with start_run(builder.write(), fake("scripted")) as run:
        found = []
        for number, result in enumerate(run.results()):
            found.append(result)
            if number == 1:
                os.kill(_worker_pid(run), signal.SIGKILL)
    assert len(found) == 5
    assert verdicts(found).count("exact") >= 4


@posix
def test_a_kill_in_the_middle_of_a_case_costs_that_case(builder: SuiteBuilder) -> None:
    builder.value("0", [act("sleep")], [act("sleep")])
    builder.value("1", [act("echo")], [act("echo")])
    with (
        start_run(builder.write(), fake("scripted")) as run,
        subprocess.Popen(["/bin/sh", "-c", f"sleep 0.3; kill -9 {_worker_pid(run)}"]),
    ):
        found = list(run.results())
    assert verdicts(found) == ["crashed", "exact"]
    assert found[0].message == "killed by SIGKILL"


def _worker_pid(run: Run) -> int:
    (worker,) = run.backend._pool._workers
    return worker._process.pid


def test_a_backend_that_dies_20_times_in_a_row_ends_the_run_with_a_clear_error(
    builder: SuiteBuilder, tmp_path: Path
) -> None:
    for number in range(22):
        builder.value(f"{number:02}", [act("_exit")], [act("_exit")])
    suite, file = builder.write(), tmp_path / "r.jsonl"

    def recorded() -> None:
        with start_run(suite, fake("scripted")) as run, RecordWriter(file, run) as record:
            for result in run.results():
                record.add(result)

    with pytest.raises(BackendError, match="crashed or hung 20 times in a row; the run ends here"):
        recorded()
    with pytest.raises(RecordError, match="incomplete"):
        read_record(file)
    assert file.with_name("r.jsonl.part").read_text().count('"crashed"') == 20


def test_a_backend_that_lives_in_between_does_not_end_the_run(
    builder: SuiteBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend_module, "MOST_DEATHS", 2)
    assert len(results(builder, "_exit", "echo", "_exit", "echo", "_exit")) == 5


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("broken_import", "could not be started: ImportError: libsomething.so.1: cannot open; it"),
        ("dies_at_import", "could not be started: exit code 7, illegal instruction, it says; it"),
        ("reference_backend", "could not be started: AttributeError: .* no attribute 'Adapter'"),
    ],
)
def test_a_backend_that_cannot_start_gives_one_clear_error(name: str, says: str) -> None:
    with pytest.raises(BackendError, match=says) as caught:
        Backend(resolve(fake(name)))
    assert "\n" not in str(caught.value)


def test_a_missing_interpreter_gives_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"could not be started: .*nowhere: No such file"):
        Backend(resolve(fake("echo")), python=tmp_path / "nowhere")


def test_the_worker_needs_nothing_of_this_environment(
    builder: SuiteBuilder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare virtual environment runs it, whatever PYTHONPATH says here."""
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    (tmp_path / "numpy.py").write_text("raise ImportError('not this one')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    builder.value("a", [act("echo")], [act("echo")])
    python = bare / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    with start_run(builder.write(), fake("echo"), python=python) as run:
        assert verdicts(list(run.results())) == ["exact"]
        assert run.backend.identity.packages == {}
        assert run.backend.identity.version == "1.0"


def test_relative_entries_of_pythonpath_keep_their_meaning(
    builder: SuiteBuilder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "needed_by_adapter.py").write_text("VERSION = '5'")
    (tmp_path / "adapter.py").write_text(
        "import needed_by_adapter\n"
        "class Adapter:\n"
        "    version = needed_by_adapter.VERSION\n"
        "    def __init__(self, variant): pass\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "lib")
    with Backend(resolve("adapter.py")) as backend:
        assert backend.identity.version == "5"


def test_external_data_is_a_copy(builder: SuiteBuilder) -> None:
    case = builder.value("a", [tensor([1.0])], [coded([1, 2, 3], "uint8")])
    weights = builder.path / case / "weights.bin"
    weights.write_bytes(b"\1\2\3")
    (result,) = run_suite(builder.write(), fake("external"))
    assert result.verdict == "exact"
    assert weights.read_bytes() == b"\1\2\3"


def test_closing_ends_the_worker_and_removes_its_folder(builder: SuiteBuilder) -> None:
    builder.value("a", [act("echo")], [act("echo")])
    backend = Backend(resolve(fake("echo")))
    process = backend._pool._places.queue[-1]
    assert process is not None
    backend.close()
    backend.close()
    assert not process.alive
    assert not Path(process._home.name).exists()


def test_a_closed_or_killed_worker_between_cases_is_no_cases_fault(builder: SuiteBuilder) -> None:
    entry = builder.value("a", [act("echo")], [act("echo")])
    suite = open_suite(builder.write())
    with Run(suite, Backend(resolve(fake("scripted")))) as run:
        run.backend._pool._places.queue[-1]._process.kill()  # type: ignore[union-attr]
        run.backend._pool._places.queue[-1]._process.wait()  # type: ignore[union-attr]
        assert run.result(suite.entries[entry]).verdict == "exact"


@pytest.mark.parametrize(
    "file", [Path(worker.__file__), *ADAPTERS.glob("*.py")], ids=lambda file: file.stem
)
def test_what_runs_elsewhere_is_python_3_8_and_imports_nothing_of_ours(file: Path) -> None:
    tree = ast.parse(file.read_text("utf-8"), feature_version=(3, 8))
    names = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    names |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert not any(str(name).startswith("onnx_cts") for name in names)
    assert all(n.level == 0 for n in ast.walk(tree) if isinstance(n, ast.ImportFrom))
