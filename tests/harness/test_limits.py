"""What a worker may take is limited, and what it does to its surroundings ends with the case."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness_suites import SuiteBuilder, coded, fake, tensor

from onnx_cts_harness.backend import Backend
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.run import run_suite
from onnx_cts_harness.verify import Result

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")


def results(builder: SuiteBuilder, *acts: str, **options: Any) -> list[Result]:
    """The results of the scripted fake's acts, in order; its other outputs echo the input."""
    for number, text in enumerate(acts):
        said = coded(list(text.encode()), "uint8")
        output = coded([ord("1")], "uint8") if text == "where" else said
        builder.value(f"{number:02}", [said], [output])
    return list(run_suite(builder.write(), fake("scripted"), **options))


def verdicts(found: list[Result]) -> list[str]:
    """The verdicts of results."""
    return [str(result.verdict) for result in found]


@linux
def test_a_backend_that_wants_more_memory_than_it_may_have_crashes(builder: SuiteBuilder) -> None:
    crashed, after = results(builder, "allocate", "echo", memory=2048)
    assert (crashed.verdict, after.verdict) == ("crashed", "exact")
    assert crashed.message == "out of memory: the limit is 2048 MiB"


@linux
def test_a_backend_that_cannot_start_within_its_memory_is_one_clear_error(tmp_path: Path) -> None:
    greedy = tmp_path / "greedy.py"
    greedy.write_text("taken = bytearray(1 << 33)\n")
    with pytest.raises(BackendError, match="could not be started: MemoryError"):
        Backend(resolve(str(greedy)), memory=2048)


@linux
def test_what_the_backend_starts_has_the_same_limit(builder: SuiteBuilder, tmp_path: Path) -> None:
    program = f"{sys.executable} -c 'bytearray(1 << 33)' {{model}} {{inputs}} {{outputs}}"
    one = tensor([1.0])
    builder.value("a", [one], [one])
    (result,) = run_suite(builder.write(), f"command:{program}", memory=2048)
    assert (result.verdict, "MemoryError" in result.message) == ("harness_error", False)
    assert "the command ended with status 1: Traceback" in result.message


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that the fake connects to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("FAKE_PORT", str(server.getsockname()[1]))
        yield


def _can_be_cut_off() -> bool:
    done = subprocess.run(["unshare", "--user", "--net", "true"], capture_output=True, check=False)
    return done.returncode == 0


@linux
@pytest.mark.usefixtures("port")
def test_a_backend_that_is_offline_reaches_nothing(builder: SuiteBuilder) -> None:
    if not _can_be_cut_off():
        pytest.skip("this system lets no user cut off a process")
    refused, after = results(builder, "network", "echo", offline=True)
    assert (refused.verdict, after.verdict) == ("refused", "exact")
    assert "Network is unreachable" in refused.message


@pytest.mark.usefixtures("port")
def test_a_backend_that_is_not_offline_reaches_the_network(builder: SuiteBuilder) -> None:
    assert verdicts(results(builder, "network")) == ["exact"]


def test_a_system_that_cannot_cut_off_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from onnx_cts_harness import worker

    class NoUnshare:
        def __init__(self, *_: object, **__: object) -> None:
            pass

    monkeypatch.setattr("ctypes.CDLL", NoUnshare)
    with pytest.raises(OSError, match=r"cannot cut off one process from the network \(--offline"):
        worker._cut_off()


def test_each_case_begins_in_the_workers_own_folder(builder: SuiteBuilder) -> None:
    assert verdicts(results(builder, "chdir", "where")) == ["exact", "exact"]


def test_a_backend_that_rewrites_the_model_file_spoils_no_other_case(
    builder: SuiteBuilder,
) -> None:
    one = coded([1], "uint8")
    for name in ("a", "b"):
        case = builder.value(name, [one], [one])
        (builder.path / case / "weights.bin").write_bytes(b"data")
    suite = builder.write()
    before = {file: file.read_bytes() for file in suite.rglob("*") if file.is_file()}
    assert verdicts(list(run_suite(suite, fake("rewrites")))) == ["exact", "exact"]
    assert before == {file: file.read_bytes() for file in suite.rglob("*") if file.is_file()}
