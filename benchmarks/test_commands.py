"""Whole commands in fresh processes: start, generation, pytest over the suite, and growth."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import SUITE, Say
from processes import COMMAND, peak_megabytes, run_python
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


def timed(benchmark: BenchmarkFixture, *arguments: str, rounds: int = ROUNDS) -> None:
    """Time a process."""
    benchmark.pedantic(run_python, arguments, rounds=rounds)


def count() -> int:
    return len(open_suite(SUITE).entries)


@pytest.mark.benchmark(group="start")
@pytest.mark.parametrize("name", ["--help", "spec check"])
def test_start(name: str, benchmark: BenchmarkFixture) -> None:
    timed(benchmark, *COMMAND, *name.split(), rounds=5)


@pytest.mark.benchmark(group="generation")
def test_node_cases_of_onnx_in_memory(benchmark: BenchmarkFixture, say: Say) -> None:
    timed(benchmark, "-W", "ignore", "-c", SERIALIZE)
    say(ONNX_CASES)


@pytest.mark.benchmark(group="generation")
def test_generate_core(benchmark: BenchmarkFixture, tmp_path: Path, say: Say) -> None:
    # The first round makes the suite, and each that follows replaces it.
    timed(benchmark, *COMMAND, "generate", "--out", str(tmp_path / "suite"))
    say(count())


@pytest.mark.benchmark(group="export")
def test_node_cases_of_onnx_built(benchmark: BenchmarkFixture, say: Say) -> None:
    timed(benchmark, "-W", "ignore", "-c", BUILD)
    say(ONNX_CASES)


@pytest.mark.benchmark(group="export")
def test_export(benchmark: BenchmarkFixture, tmp_path: Path, say: Say) -> None:
    timed(benchmark, *COMMAND, "upstream", "export", "--out", str(tmp_path / "suite"))
    say(ONNX_CASES)


@pytest.mark.benchmark(group="suite on ONNX's reference")
def test_pytest(benchmark: BenchmarkFixture, say: Say) -> None:
    timed(benchmark, "-c", PYTEST)
    say(count())


@pytest.mark.benchmark(group="suite on ONNX's reference")
def test_run_command(benchmark: BenchmarkFixture, say: Say) -> None:
    timed(benchmark, *COMMAND, "run", "onnx-reference", "--suite", str(SUITE), "--exit-zero")
    say(count())


@pytest.mark.benchmark(group="growth")
@pytest.mark.parametrize("share", [100, 10, 1])
def test_run_share(share: int, benchmark: BenchmarkFixture, say: Say) -> None:
    suite = ["--suite", str(SUITE), "--shard", f"1/{share}"]
    run = [*COMMAND, "run", "onnxruntime", *suite, "--exit-zero"]
    timed(benchmark, *run)
    say(-(-count() // share), more=f"at most {peak_megabytes(*run):.0f} MB")
