"""The work of a sweep as functions of plain data, which any process on any machine can do.

A process keeps the backends that it has started until ``close_backends``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.sweep.blocks import block_line
from onnx_cts_generator.sweep.differing import differing_line
from onnx_cts_generator.sweep.plan import Domain, Place, blocks_at
from onnx_cts_harness.backend import Backend, Limits
from onnx_cts_harness.record import title_of
from onnx_cts_harness.recording import backend_header, harness_version
from onnx_cts_harness.registry import resolve


@dataclass(frozen=True)
class Job:
    """What every block of a sweep is done with.

    Attributes:
        domain: What is swept.
        hash: The hash of the domain where the plan was made.
        version: The version of onnx-cts there.
        backend: Name of the backend; "" where two versions of the operator are compared.
        python: Interpreter of the backend; None for the worker's own.
        limits: What a worker of the backend may take.
        title: The backend with its version, as every worker is to have it; "" where none has said.
    """

    domain: Domain
    hash: str
    version: str
    backend: str = ""
    python: Path | None = None
    limits: Limits = field(default_factory=Limits)
    title: str = ""


@dataclass(frozen=True)
class Task:
    """One block to do."""

    job: Job
    place: Place


_backends: dict[tuple[str, Path | None, Limits], Backend] = {}


def described(job: Job) -> dict[str, Any]:
    """What the header of the record says of the backend, where this process runs."""
    return backend_header(_backend(job)) if job.backend else {"harness": {"version": job.version}}


def done(task: Task) -> dict[str, Any]:
    """The line of a block, whichever process makes it.

    Raises:
        GenerateError: This machine has other specs, or another onnx-cts.
        BackendError: The backend cannot be started, or cannot go on.
    """
    job, place = task.job, task.place
    _check_same(job)
    block = blocks_at(job.domain, place.combination)[place.number]
    other = job.domain.other
    line = differing_line(block, other) if other else block_line(block, _backend(job))
    return {"kind": "block", "block": place.id} | line


def close_backends() -> None:
    """End the backends of this process."""
    while _backends:
        _backends.popitem()[1].close()


def _backend(job: Job) -> Backend:
    key = (job.backend, job.python, job.limits)
    if key not in _backends:
        close_backends()
        _backends[key] = Backend(resolve(job.backend), python=job.python, **asdict(job.limits))
    return _backends[key]


def _check_same(job: Job) -> None:
    title = title_of(described(job)["backend"]) if job.title else ""
    for what, there, here in (
        ("specs", job.hash, job.domain.hash),
        ("version of onnx-cts", job.version, harness_version()),
        ("backend", job.title, title),
    ):
        if there != here:
            raise GenerateError(
                f"a worker has another {what}: {here}, and the sweep is of {there}; install the "
                "same on every machine"
            )
