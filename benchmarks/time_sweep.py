"""What a sweep costs: some blocks of each sweep are run, and the rest is reckoned from them.

    python benchmarks/time_sweep.py [BACKEND] [BLOCKS]

For each sweep of each operator version BLOCKS blocks are run on one processor, those that hold
elements in equal distances. Seconds are those of the processor: of this process and of the
backend's together. Printed are blocks, elements, what the backend refuses of the sample,
nanoseconds an element and seconds a block with their deviation in the blocks that it runs, and
hours of a processor for the whole: as it is, and if nothing were refused.
"""

from __future__ import annotations

import itertools
import os
import statistics
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.sweep.blocks import block_line
from onnx_cts_generator.sweep.plan import Domain, Place, Plan, blocks_at, plan_of
from onnx_cts_harness.backend import Backend
from onnx_cts_harness.registry import resolve
from onnx_cts_specs import all_specs
from onnx_cts_specs.sweeps import sweeps_of


@dataclass
class Sample:
    """Seconds and elements of the blocks that were run, and of those that were refused."""

    ran: list[tuple[float, int]] = field(default_factory=list)
    refused: list[tuple[float, int]] = field(default_factory=list)


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "onnxruntime"
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    totals: dict[bool, list[float]] = {False: [0, 0, 0, 0], True: [0, 0, 0, 0]}
    for plan in plans():
        sample = timed(name, plan, most)
        every = sample.ran + sample.refused
        as_it_is = rate(every) * plan.elements / 3600
        all_run = rate(sample.ran or every) * plan.elements / 3600
        refused = sum(e for _, e in sample.refused) / sum(e for _, e in every)
        seconds = [s for s, _ in sample.ran or every]
        print(
            f"{plan.domain.operator} {plan.domain.version} {plan.sweeps[0].name}: "
            f"{len(plan.blocks)} blocks, {plan.elements:.3g} elements, {refused:.0%} refused, "
            f"{rate(sample.ran or every) * 1e9:.1f} ns an element, "
            f"{statistics.mean(seconds):.3f} +- {statistics.pstdev(seconds):.3f} s a block, "
            f"{as_it_is:.3f} h as it is, {all_run:.3f} h if all is run",
            flush=True,
        )
        total = totals[plan.sweeps[0].named]
        for place, number in enumerate((len(plan.blocks), plan.elements, as_it_is, all_run)):
            total[place] += number
    for named, (blocks, elements, as_it_is, all_run) in totals.items():
        print(
            f"{'named' if named else 'default'}: {blocks:.0f} blocks, {elements:.3g} elements, "
            f"{as_it_is:.2f} h as it is, {all_run:.2f} h if all is run"
        )


def rate(times: list[tuple[float, int]]) -> float:
    return sum(s for s, _ in times) / sum(e for _, e in times)


def plans() -> Iterator[Plan]:
    """A plan for each sweep of each version that has calls of it."""
    for spec in all_specs():
        known = sweeps_of(spec.operator, spec.domain)
        for sweep in known.sweeps if known else ():
            domain = Domain(spec.operator, spec.since_version, spec.domain, (sweep.name,))
            try:
                yield plan_of(domain)
            except GenerateError:
                continue


def sampled(plan: Plan, most: int) -> list[Place]:
    ends = list(itertools.accumulate(place.elements for place in plan.blocks))
    wanted = ((2 * number + 1) * ends[-1] // (2 * most) for number in range(most))
    return [plan.blocks[place] for place in dict.fromkeys(bisect_right(ends, w) for w in wanted)]


def timed(name: str, plan: Plan, most: int) -> Sample:
    sample = Sample()
    with Backend(resolve(name)) as backend:
        for place in sampled(plan, most):
            block = blocks_at(plan.domain, place.combination)[place.number]
            before = spent(backend)
            line = block_line(block, backend)
            seconds = spent(backend) - before
            is_refused = {"refused"} in (set(line["verdicts"]), set(line.get("readings", ())))
            (sample.refused if is_refused else sample.ran).append((seconds, place.elements))
    return sample


def spent(backend: Backend) -> float:
    """Seconds of the processor that this process and the backend's have taken."""
    worker = backend._pool._places.queue[-1]
    stat = Path(f"/proc/{worker._process.pid}/stat").read_text()
    fields = stat.rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
