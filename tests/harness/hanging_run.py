"""Starts a run that hangs, and says the worker's process id: ``python hanging_run.py FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from harness_suites import SuiteBuilder, coded, fake

from onnx_cts_harness.run import start_run

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    builder = SuiteBuilder(folder / "suite")
    sleep = coded(list(b"sleep"), "uint8")
    builder.value("sleep", [sleep], [sleep])
    with start_run(builder.write(), fake("scripted")) as run:
        (folder / "pid").write_text(str(run.backend._pool._places.queue[-1]._process.pid))  # type: ignore[union-attr]
        list(run.results())
