"""Time a run of the suite on ONNX Runtime against a bare loop over the same models.

Run as ``python benchmarks/time_run.py [ROUNDS]``. The bare loop loads each model that ONNX Runtime
takes in a session of one thread and runs it on its own inputs: no worker, no verdicts. Both run in
this process's Python, in turn; the figures are medians.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median

from onnx_cts_harness import start_run
from onnx_cts_harness.adapters.onnxruntime import Adapter

SUITE = Path(__file__).parents[1] / "generated_tests"


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """Seconds that some work takes on the clock, and what it counted."""
    start = time.perf_counter()
    count = work()
    return time.perf_counter() - start, count


def main(rounds: int) -> None:
    """Print both times and their ratio."""
    with start_run(SUITE, "onnxruntime") as run:
        cases = [
            loaded for e in run.suite.entries.values() if not (loaded := run.suite.load(e)).files
        ]
        adapter = Adapter(None)

        def bare() -> int:
            for case in cases:
                tensors = zip(case.case.inputs, case.inputs, strict=True)
                feeds = [(name, t.code, t.shape, t.data) for name, t in tensors]
                with suppress(Exception):  # What ONNX Runtime refuses, it refuses.
                    adapter.run(adapter.load(case.model, None), feeds)
            return len(cases)

        def whole() -> int:
            return sum(1 for _ in run.results())

        bare()
        loops = [timed(bare) for _ in range(rounds)]
        runs = [timed(whole) for _ in range(rounds)]
    loop, count = median(seconds for seconds, _ in loops), loops[0][1]
    suite, total = median(seconds for seconds, _ in runs), runs[0][1]
    print(f"bare loop  {1000 * loop / count:.2f} ms a model, {count} models")
    print(f"suite run  {1000 * suite / total:.2f} ms a case, {total} cases, verdicts included")
    print(f"ratio      {(suite / total) / (loop / count):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
