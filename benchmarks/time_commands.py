"""Time whole commands: start, generation, pytest over the suite, and growth with the cases.

Run as ``python benchmarks/time_commands.py [ROUNDS]``. Every figure is of fresh processes, imports
included, in one run: the best of the rounds, with the worst in brackets.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from time_export import BUILD, Taken, timed
from time_run import SUITE

from onnx_cts_harness import open_suite

COMMAND = ["-c", "from onnx_cts_generator.cli import main; main()"]
SERIALIZE = BUILD.replace(
    "collect_testcases()",
    "[(c.model.SerializeToString(), c.data_sets) for c in collect_testcases(None)]",
)
#: The suite by pytest, whose exit status says that cases fail.
PYTEST = (
    "import pytest; pytest.main(['-q', '-p', 'no:cacheprovider', "
    f"{str(SUITE)!r}, '--backend', 'onnx-reference'])"
)
ONNX_CASES = 1884
SHARES = (100, 10, 1)


def rounds_of(arguments: Sequence[str], rounds: int) -> list[Taken]:
    """What each round takes."""
    return [timed(arguments) for _ in range(rounds)]


def said(rows: Sequence[Taken], per: int = 1, unit: str = "s") -> str:
    """The best and the worst of the rounds on the clock, for each of some number of things."""
    scale = 1000 if unit == "ms" else 1
    clocks = [scale * row.clock / per for row in rows]
    return f"{min(clocks):.2f} {unit} ({max(clocks):.2f})"


def main(rounds: int) -> None:
    """Print a line for each figure."""
    cases = len(open_suite(SUITE).entries)
    for name in (["--help"], ["spec", "check"]):
        click.echo(f"onnx-cts {' '.join(name)}: {said(rounds_of([*COMMAND, *name], rounds))}")
    with tempfile.TemporaryDirectory() as folder:
        onnx = rounds_of(["-c", SERIALIZE], rounds)
        ours = [
            timed([*COMMAND, "generate", "--out", str(Path(folder) / str(i))])
            for i in range(rounds)
        ]
        speeds = [count / min(r.clock for r in rows) for count, rows in
                  ((ONNX_CASES, onnx), (cases, ours))]  # fmt: skip
        click.echo(f"ONNX's node cases in memory: {said(onnx)}, {speeds[0]:.0f} cases a second")
        click.echo(f"generate core: {said(ours)}, {speeds[1]:.0f} cases a second")
        tests = rounds_of(["-c", PYTEST], rounds)
        runs = rounds_of([*COMMAND, "run", "onnx-reference", "--suite", str(SUITE),
                          "--exit-zero"], rounds)  # fmt: skip
        click.echo(f"pytest: {said(tests, cases, 'ms')} a case, run {said(runs, cases, 'ms')}")
        for share in SHARES:
            rows = rounds_of([*COMMAND, "run", "onnxruntime", "--suite", str(SUITE), "--exit-zero",
                              "--shard", f"1/{share}"], rounds)  # fmt: skip
            most = max(row.megabytes for row in rows)
            click.echo(f"run 1/{share} of the cases: {said(rows)}, at most {most:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
