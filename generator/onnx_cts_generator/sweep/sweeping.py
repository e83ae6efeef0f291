"""Do the blocks of a sweep and record them, or go on with the record of one that was stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from onnx_cts_generator.scheduling import Workers
from onnx_cts_generator.sweep.plan import Plan
from onnx_cts_generator.sweep.work import Job, Task, close_backends, described, done
from onnx_cts_harness.part_file import PartFile
from onnx_cts_harness.record import FORMAT_VERSION, SWEEP, title_of

Line = Mapping[str, Any]
Advance = Callable[[int], object]
"""Is told the number of elements that are done since it was told last."""


@dataclass
class Lines:
    """The lines of the blocks of a sweep so far, in order, written to a record if there is one."""

    file: PartFile | None = None
    all: list[Line] = field(default_factory=list)

    def add(self, line: Line) -> None:
        """Take the next line."""
        self.all.append(line)
        if self.file:
            self.file.write(line)


def swept(
    plan: Plan, job: Job, workers: Workers, record: Path | None, advance: Advance, *, resume: bool
) -> list[Line]:
    """The line of each block, in the order of the plan.

    Args:
        plan: The plan.
        job: What its blocks are done with.
        workers: Who does them.
        record: Where the lines are recorded; None for nowhere.
        advance: Shows the progress.
        resume: Go on with the record that is there.

    Raises:
        RecordError: The record cannot be written, or not be gone on with.
        BackendError: The backend cannot be started, or cannot go on.
        GenerateError: The workers are not what the sweep needs.
    """
    try:
        (about,) = workers.in_order(described, [job])
        if "backend" in about:
            job = replace(job, title=title_of(about["backend"]))
        with _recorded(record, _header(plan, about), resume=resume) as lines:
            advance(sum(line["elements"] for line in lines.all))
            left = (Task(job, place) for place in plan.blocks[len(lines.all) :])
            for line in workers.in_order(done, left):
                lines.add(line)
                advance(line["elements"])
        return lines.all
    finally:
        workers.everywhere(close_backends)


@contextmanager
def _recorded(record: Path | None, header: Line, *, resume: bool) -> Iterator[Lines]:
    """Where lines go; the record is complete if no exception ends the context."""
    if record is None:
        yield Lines()
        return
    file = PartFile(record, header, SWEEP, _identity, resume=resume)
    lines = Lines(file, list(file.known))
    end = None
    try:
        yield lines
        end = {"kind": "end", "blocks": len(lines.all)}
    finally:
        file.close(end)


def _header(plan: Plan, about: Line) -> dict[str, Any]:
    domain = plan.domain
    sweep = {
        "hash": domain.hash,
        "domain": domain.domain,
        "operator": domain.operator,
        "version": domain.version,
        **({"against": domain.against} if domain.against else {}),
        "sweeps": [sweep.name for sweep in plan.sweeps],
        **({"types": dict(domain.types)} if domain.types else {}),
        "blocks": len(plan.blocks),
        "elements": plan.elements,
    }
    return {"kind": "header", "format": FORMAT_VERSION, "sweep": sweep, **about}


def _identity(header: Line) -> dict[str, object]:
    return {
        "sweep": header["sweep"],
        "backend": title_of(header["backend"]) if "backend" in header else "no backend",
        "version of onnx-cts": header["harness"]["version"],
    }
