"""Time a run of the suite on ONNX Runtime against a bare loop and against ONNX's own runner.

Run as ``python benchmarks/time_run.py [ROUNDS]``. The bare loop loads each model in a session of
one thread and runs it on its own inputs: no worker, no verdicts. ONNX's runner gets the value cases
as files, with onnxruntime.backend. All are in this process's Python, in turn; the figures are of
the best round, with the worst in brackets, and the ratio of the best ones.
"""

from __future__ import annotations

import io
import sys
import time
import unittest
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from onnx_cts_harness import open_suite, start_run
from onnx_cts_harness.adapters.onnxruntime import Adapter
from onnx_cts_harness.case import LoadedCase

SUITE = Path(__file__).parents[1] / "generated_tests"


def timed(work: Callable[[], int]) -> float:
    """Milliseconds that some work takes on the clock for each thing that it counts."""
    start = time.perf_counter()
    count = work()
    return 1000 * (time.perf_counter() - start) / count


def said(times: Sequence[float]) -> str:
    """The best and the worst of some times."""
    return f"{min(times):.2f} ms ({max(times):.2f})"


def plain_cases() -> list[LoadedCase]:
    """The cases that need no files beside the model."""
    suite = open_suite(SUITE)
    return [loaded for e in suite.entries.values() if not (loaded := suite.load(e)).files]


def bare_loop(cases: Sequence[LoadedCase]) -> int:
    """Load and run each model, and say how many there are."""
    adapter = Adapter(None)
    for case in cases:
        tensors = zip(case.case.inputs, case.inputs, strict=True)
        feeds = [(name, t.code, t.shape, t.data) for name, t in tensors]
        with suppress(Exception):  # What ONNX Runtime refuses, it refuses.
            adapter.run(adapter.load(case.model, None), feeds)
    return len(cases)


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


def official_run(tests: unittest.TestSuite) -> int:
    """Run them."""
    unittest.TextTestRunner(stream=io.StringIO()).run(tests)
    return tests.countTestCases()


def main(rounds: int) -> None:
    """Print the times and their ratios."""
    cases = plain_cases()
    with start_run(SUITE, "onnxruntime") as run:
        bare_loop(cases)
        loops = [timed(lambda: bare_loop(cases)) for _ in range(rounds)]
        runs = [timed(lambda: sum(1 for _ in run.results())) for _ in range(rounds)]
    official = [timed(lambda: official_run(official_tests())) for _ in range(rounds)]
    print(f"bare loop      {said(loops)} a model, {len(cases)} models")
    print(f"suite run      {said(runs)} a case, verdicts included")
    print(f"ONNX's runner  {said(official)} a case, {official_tests().countTestCases()} cases")
    print(f"run / loop     {min(runs) / min(loops):.2f}")
    print(f"runner / run   {min(official) / min(runs):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
