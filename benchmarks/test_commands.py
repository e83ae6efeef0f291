"""Whole commands in fresh processes: start, generation, pytest over the suite, and growth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import SUITE, Say
from processes import COMMAND, run_python
from pytest_benchmark.fixture import BenchmarkFixture

from onnx_cts_harness import open_suite

ROUNDS = 3
ONNX_CASES = 1884
BUILD = "from onnx.backend.test.case.node import collect_testcases; cases = collect_testcases(None)"
SERIALIZE = f"{BUILD}; [(c.model.SerializeToString(), c.data_sets) for c in cases]"
#: The suite by pytest, whose exit status says that cases fail.
PYTEST = (
    "import pytest; pytest.main(['-q', '-p', 'no:cacheprovider', '-p', 'no:benchmark', "
    f"{str(SUITE)!r}, '--backend', 'onnx-reference'])"
)


def timed(benchmark: BenchmarkFixture, arguments: Sequence[str], rounds: int = ROUNDS) -> str:
    """Time a process, and say what memory it took at most."""
    megabytes: list[float] = []
    benchmark.pedantic(lambda: megabytes.append(run_python(*arguments)), rounds=rounds)
    return f"at most {max(megabytes):.0f} MB"


def count() -> int:
    return len(open_suite(SUITE).entries)


@pytest.mark.benchmark(group="start")
@pytest.mark.parametrize("name", ["--help", "spec check"])
def test_start(name: str, benchmark: BenchmarkFixture) -> None:
    timed(benchmark, [*COMMAND, *name.split()], rounds=5)


@pytest.mark.benchmark(group="generation")
def test_node_cases_of_onnx_in_memory(benchmark: BenchmarkFixture, say: Say) -> None:
    say(ONNX_CASES, more=timed(benchmark, ["-W", "ignore", "-c", SERIALIZE]))


@pytest.mark.benchmark(group="generation")
def test_generate_core(benchmark: BenchmarkFixture, tmp_path: Path, say: Say) -> None:
    # The first round makes the suite, and each that follows replaces it.
    say(count(), more=timed(benchmark, [*COMMAND, "generate", "--out", str(tmp_path / "suite")]))


@pytest.mark.benchmark(group="export")
def test_node_cases_of_onnx_built(benchmark: BenchmarkFixture, say: Say) -> None:
    say(ONNX_CASES, more=timed(benchmark, ["-W", "ignore", "-c", BUILD]))


@pytest.mark.benchmark(group="export")
def test_export(benchmark: BenchmarkFixture, tmp_path: Path, say: Say) -> None:
    folder = str(tmp_path / "suite")
    say(ONNX_CASES, more=timed(benchmark, [*COMMAND, "upstream", "export", "--out", folder]))


@pytest.mark.benchmark(group="suite on ONNX's reference")
def test_pytest(benchmark: BenchmarkFixture, say: Say) -> None:
    say(count(), more=timed(benchmark, ["-c", PYTEST]))


@pytest.mark.benchmark(group="suite on ONNX's reference")
def test_run_command(benchmark: BenchmarkFixture, say: Say) -> None:
    run = ["run", "onnx-reference", "--suite", str(SUITE), "--exit-zero"]
    say(count(), more=timed(benchmark, [*COMMAND, *run]))


@pytest.mark.benchmark(group="growth")
@pytest.mark.parametrize("share", [100, 10, 1])
def test_run_share(share: int, benchmark: BenchmarkFixture, say: Say) -> None:
    run = ["run", "onnxruntime", "--suite", str(SUITE), "--exit-zero", "--shard", f"1/{share}"]
    say(-(-count() // share), more=timed(benchmark, [*COMMAND, *run]))
