"""Time the export of the whole corpus against ONNX building it in memory.

Run as ``python benchmarks/time_export.py [ROUNDS]``. Both run in fresh processes, in turn, in
one run. Times are of whole processes, start and imports included, on the clock and on the
processor; the memory is each one's peak.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

BUILD = (
    "import warnings; warnings.simplefilter('ignore');"
    "from onnx.backend.test.case.node import collect_testcases; collect_testcases()"
)


@dataclass(frozen=True)
class Taken:
    clock: float
    processor: float
    megabytes: float


def timed(arguments: Sequence[str]) -> Taken:
    """What a Python takes with these arguments."""
    start = time.perf_counter()
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawn(
        sys.executable, [sys.executable, *arguments], os.environ, file_actions=quiet
    )
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"failed: {arguments}")
    clock = time.perf_counter() - start
    return Taken(clock, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        export = ["-c", "from onnx_cts_generator.cli import main; main()", "upstream", "export"]
        built, written = [], []
        for i in range(rounds):
            built.append(timed(["-c", BUILD]))
            written.append(timed([*export, "--out", str(Path(folder) / str(i))]))
    for name, rows in (("build in memory", built), ("export", written)):
        seconds = "  ".join(f"{row.clock:.2f} ({row.processor:.2f})" for row in rows)
        click.echo(f"{name}: {seconds} s, at most {max(row.megabytes for row in rows):.0f} MB")
    for what in ("clock", "processor"):
        low, high = (median(getattr(row, what) for row in rows) for rows in (built, written))
        click.echo(f"median on the {what}: {low:.2f} and {high:.2f} s, {high / low:.2f} times")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
