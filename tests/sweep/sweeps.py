"""Small sweeps, and what the command line makes of them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from command_line import Finished, onnx_cts

from onnx_cts_generator.sweep.grids import Grid
from onnx_cts_generator.sweep.plan import Domain, Plan, blocks_at, plan_of

DEVIANT = Path(__file__).parents[1] / "diagnosis" / "deviant.py"
CROWDED = Path(__file__).parent / "fakes" / "crowded.py"
#: Few elements in several blocks: int4, with the zero point absent or each there is.
SMALL = ("DequantizeLinear", "--version", 23, "--types", "x=int4", "--sweep", "zero-points")
SLOW = Path(__file__).parent / "fakes" / "slow.py"
#: Some fifteen blocks, in a few of which ties are rounded wrongly.
MANY = (
    "DequantizeLinear",
    "--version",
    28,
    "--types",
    "x=uint2,x_scale=float16",
    "--backend",
    SLOW,
)


def swept(*arguments: object, workers: int = 1) -> Finished:
    """Run ``onnx-cts sweep``, in this process unless there is more than one worker."""
    return onnx_cts("sweep", *arguments, "--workers", workers)


def small_plan() -> Plan:
    return plan_of(Domain("DequantizeLinear", 23, "", ("zero-points",), (("x", "int4"),)))


def grids_of(domain: Domain) -> list[Grid]:
    """Every grid of a plan, once."""
    plan = plan_of(domain)
    blocks = [blocks_at(domain, place.combination)[place.number] for place in plan.blocks]
    return list({id(block.grid): block.grid for block in blocks}.values())


def lines_of(record: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.read_text("utf-8").splitlines()]


def started(*arguments: object) -> subprocess.Popen[bytes]:
    """Start the command line in a process of its own."""
    program = "from onnx_cts_generator.cli import main; main()"
    return subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)])


def wait_for_lines(record: Path, count: int) -> None:
    """Wait until a record that is being written has this many lines."""
    part = record.with_name(f"{record.name}.part")
    deadline = time.monotonic() + 60
    while not part.exists() or part.read_bytes().count(b"\n") < count:
        assert time.monotonic() < deadline
        assert not record.exists()
        time.sleep(0.01)


def findings_of(record: Path) -> list[dict[str, Any]]:
    return [finding for line in lines_of(record) for finding in line.get("findings", ())]
