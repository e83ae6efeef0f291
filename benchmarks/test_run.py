"""A run of the suite on ONNX Runtime against a bare loop, and against ONNX's own runner.

All are in this process's Python, and over the same cases. The bare loop loads each model in a
session of one thread and runs it on its own inputs, read before: no worker, no files, no verdicts.
ONNX's runner gets the value cases as files, with onnxruntime.backend.
"""

from __future__ import annotations

import io
import unittest
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import SUITE, Say
from pytest_benchmark.fixture import BenchmarkFixture

from onnx_cts_harness import Run, open_suite, start_run
from onnx_cts_harness.adapters.onnxruntime import Adapter
from onnx_cts_harness.case import LoadedCase

ROUNDS = 7


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """A run that is started."""
    with start_run(SUITE, "onnxruntime") as started:
        yield started


@pytest.mark.benchmark(group="run of all cases on ONNX Runtime")
def test_bare_loop(benchmark: BenchmarkFixture, say: Say) -> None:
    opened = open_suite(SUITE)
    cases = [(opened.load(entry), SUITE / entry.id) for entry in opened.entries.values()]
    benchmark.pedantic(bare_loop, (cases,), rounds=ROUNDS, warmup_rounds=1)
    say(len(cases))


@pytest.mark.benchmark(group="run of all cases on ONNX Runtime")
def test_run(benchmark: BenchmarkFixture, run: Run, say: Say) -> None:
    benchmark.pedantic(counted, (run,), rounds=ROUNDS, warmup_rounds=1)
    say(len(run.suite.entries))


@pytest.mark.benchmark(group="run of the value cases on ONNX Runtime")
def test_run_value_cases(benchmark: BenchmarkFixture, run: Run, say: Say) -> None:
    entries = run.suite.entries.values()
    others = frozenset(entry.id for entry in entries if entry.expectation != "value")
    benchmark.pedantic(counted, (run, others), rounds=ROUNDS, warmup_rounds=1)
    say(len(entries) - len(others))


@pytest.mark.benchmark(group="run of the value cases on ONNX Runtime")
def test_runner_of_onnx(benchmark: BenchmarkFixture, say: Say) -> None:
    benchmark.pedantic(
        official_run,
        setup=lambda: ((official_tests(),), {}),
        rounds=ROUNDS,
        warmup_rounds=1,
    )
    say(official_tests().countTestCases())


def counted(run: Run, left_out: frozenset[str] = frozenset()) -> int:
    return sum(1 for _ in run.results(known=left_out))


def bare_loop(cases: Sequence[tuple[LoadedCase, Path]]) -> None:
    adapter = Adapter(None)
    for case, folder in cases:
        tensors = zip(case.case.inputs, case.inputs, strict=True)
        feeds = [(name, t.code, t.shape, t.data) for name, t in tensors]
        with suppress(Exception):  # What ONNX Runtime refuses, it refuses.
            # External data are found beside the model's file alone.
            loaded = adapter.load(case.model, str(folder) if case.files else None)
            adapter.run(loaded, feeds)


def official_tests() -> unittest.TestSuite:
    """The value cases as tests of ONNX's own runner."""
    import onnxruntime.backend
    from onnx.backend.test.case.test_case import TestCase
    from onnx.backend.test.runner import Runner

    runner: Any = Runner(onnxruntime.backend, __name__)
    runner._test_items.clear()
    for name, entry in open_suite(SUITE).entries.items():
        if entry.expectation == "value":
            runner._add_model_test(
                TestCase(
                    name="test_" + name.replace("/", "_"), model_name=name, url=None,
                    model_dir=str(SUITE / name), model=None, data_sets=None, kind="node",
                    rtol=1e-3, atol=1e-7,
                ),
                "Node",
            )  # fmt: skip
    tests = list(runner.test_suite)
    # Each is there for another device too, where it is skipped.
    return unittest.TestSuite(test for test in tests if test.id().endswith("_cpu"))


def official_run(tests: unittest.TestSuite) -> None:
    unittest.TextTestRunner(stream=io.StringIO()).run(tests)
