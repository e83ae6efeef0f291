"""What a sweep costs: some blocks of each sweep are run, and the rest is reckoned from them.

    python benchmarks/time_sweep.py [BACKEND] [BLOCKS]

BLOCKS blocks in equal distances are run for each sweep of each operator version, on one processor.
Seconds are those of the processor: of this process and of the backend's together.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.sweep.blocks import block_line
from onnx_cts_generator.sweep.plan import Domain, Place, Plan, blocks_at, plan_of
from onnx_cts_harness.backend import Backend
from onnx_cts_harness.registry import resolve
from onnx_cts_specs import all_specs
from onnx_cts_specs.sweeps import sweeps_of


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "onnxruntime"
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    print("operator version sweep blocks elements ns-an-element s-a-block stdev refused hours")
    totals = {"default": [0, 0, 0.0], "named": [0, 0, 0.0]}
    for plan in plans():
        domain = plan.domain
        step = -(-len(plan.blocks) // most)
        seconds, elements, refused = timed(name, plan, plan.blocks[::step])
        whole = sum(seconds) / elements * plan.elements
        print(
            domain.operator,
            domain.version,
            domain.sweeps[0],
            len(plan.blocks),
            plan.elements,
            f"{sum(seconds) / elements * 1e9:.1f}",
            f"{statistics.mean(seconds):.3f}",
            f"{statistics.pstdev(seconds):.3f}",
            f"{refused / elements:.0%}",
            f"{whole / 3600:.3f}",
            flush=True,
        )
        total = totals["named" if plan.sweeps[0].named else "default"]
        total[0] += len(plan.blocks)
        total[1] += plan.elements
        total[2] += whole
    for kind, (blocks, elements, seconds) in totals.items():
        print(f"{kind}: {blocks} blocks, {elements} elements, {seconds / 3600:.2f} hours of a core")


def plans() -> Iterator[Plan]:
    """A plan for each sweep of each version that has calls of it."""
    for spec in all_specs():
        known = sweeps_of(spec.operator, spec.domain)
        for sweep in known.sweeps if known else ():
            try:
                yield plan_of(Domain(spec.operator, spec.since_version, spec.domain, (sweep.name,)))
            except GenerateError:
                continue


def timed(name: str, plan: Plan, places: tuple[Place, ...]) -> tuple[list[float], int, int]:
    seconds, elements, refused = [], 0, 0
    with Backend(resolve(name)) as backend:
        for place in places:
            block = blocks_at(plan.domain, place.combination)[place.number]
            before = spent(backend)
            line = block_line(block, backend)
            seconds.append(spent(backend) - before)
            elements += place.elements
            refused += line["verdicts"].get("refused", 0)
    return seconds, elements, refused


def spent(backend: Backend) -> float:
    """Seconds of the processor that this process and the backend's have taken."""
    worker = backend._pool._places.queue[-1]
    stat = Path(f"/proc/{worker._process.pid}/stat").read_text()
    fields = stat.rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    own = os.times()
    return own.user + own.system + ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
