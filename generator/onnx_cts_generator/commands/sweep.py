"""``onnx-cts sweep``: whole domains of an operator's inputs on a backend."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import FAILED, TROUBLE, clear_errors
from onnx_cts_generator.commands.options import MEMORY, OFFLINE, PYTHON, TIMEOUT

if TYPE_CHECKING:
    from onnx_cts_generator.scheduling import Workers
    from onnx_cts_generator.sweep.plan import Plan
    from onnx_cts_generator.sweep.sweeping import Advance, Line


def _types(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    pairs = [part.partition("=") for text in given for part in text.split(",")]
    for name, equals, dtype in pairs:
        if not (name and equals and dtype):
            raise click.BadParameter("it takes INPUT=TYPE, such as x=int8", ctx, param)
    return {name: dtype for name, _, dtype in pairs}


@click.command()
@click.argument("operator")
@click.option("--version", type=int, help="Its version; the newest if not given.")
@click.option("--domain", default="", help="Its domain; ONNX's own if not given.")
@click.option("--backend", help="The backend, as `onnx-cts run` takes it.")
@click.option("--against", type=int, metavar="VERSION", help="Compare two versions instead.")
@click.option(
    "--sweep", "names", multiple=True, metavar="NAME", help="Only this sweep; repeatable."
)
@click.option(
    "--types",
    multiple=True,
    callback=_types,
    metavar="INPUT=TYPE",
    help="Only calls whose input has this type; repeatable, or with commas.",
)
@click.option("--list", "only_list", is_flag=True, help="Print the size of the sweeps and stop.")
@click.option(
    "--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the record here."
)
@click.option("--resume", is_flag=True, help="Go on with the record of a stopped sweep.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write what is found here, as a suite of cases."
)
@PYTHON
@TIMEOUT
@MEMORY
@OFFLINE
@click.option(
    "-n",
    "--workers",
    type=click.IntRange(min=1),
    help="Processes on this machine; one for each processor if not given.",
)
@click.option("--scheduler", metavar="ADDRESS", help="A dask scheduler, whose workers do it.")
@clear_errors
def sweep(
    operator: str,
    version: int | None,
    domain: str,
    backend: str | None,
    against: int | None,
    *,
    names: tuple[str, ...],
    types: dict[str, str],
    only_list: bool,
    record: Path | None,
    resume: bool,
    out: Path | None,
    python: Path | None,
    timeout: float,
    memory: int | None,
    offline: bool,
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Run whole domains of OPERATOR's inputs on a backend, and check every element.

    What is gone through is in the operator's sweeps.yaml; --list shows it. A difference is shrunk
    to the smallest element that shows it; with --out it becomes a case. With --against no backend
    is asked: what two versions permit is compared. The exit status is 1 if the backend is wrong.
    """
    from onnx_cts_generator.sweep.plan import Domain, plan_of
    from onnx_cts_generator.sweep.summary import plan_lines
    from onnx_cts_generator.sweep.sweeping import swept
    from onnx_cts_generator.sweep.work import Job
    from onnx_cts_harness.backend import Limits
    from onnx_cts_harness.recording import harness_version
    from onnx_cts_specs import versions
    from onnx_cts_specs.locations import domain_of

    if not only_list and (backend is None) == (against is None):
        raise click.UsageError("name what to sweep by --backend or by --against, one of the two")
    if resume and record is None:
        raise click.UsageError("--resume needs --record, which names the record to go on with")
    if against and out:
        raise click.UsageError("--out goes with --backend")
    of = domain_of(domain)
    newest = version or versions(operator, of)[-1]
    swept_domain = Domain(operator, newest, of, names, tuple(sorted(types.items())), against or 0)
    plan = plan_of(swept_domain)
    for line in plan_lines(plan):
        click.echo(line)
    if only_list:
        return
    name = _portable(backend or "")
    limits = Limits(timeout, memory, offline)
    job = Job(swept_domain, swept_domain.hash, harness_version(), name, python, limits)
    with _workers(scheduler, workers, plan) as chosen, _progress(plan) as advance:
        lines = swept(plan, job, chosen, record, advance, resume=resume)
    status = _finish(plan, lines, out)
    if record:
        click.echo(f"record: {record}")
    sys.exit(status)


def _finish(plan: Plan, lines: list[Line], out: Path | None) -> int:
    """Print what was found, and write it as cases; gives the exit status."""
    from onnx_cts_generator.sweep.found import faults, write_found
    from onnx_cts_generator.sweep.summary import differing_lines, summary_lines
    from onnx_cts_harness import Verdict

    if plan.domain.against:
        _print(differing_lines(plan, lines))
        return 0
    found = faults(plan, lines)
    _print(summary_lines(plan, lines, found))
    if out and found:
        click.echo(f"{write_found(plan.domain, found, out)} cases written to {out}")
    if any(Verdict.HARNESS_ERROR in line["verdicts"] for line in lines):
        return TROUBLE
    return FAILED if found else 0


@contextmanager
def _workers(scheduler: str | None, count: int | None, plan: Plan) -> Iterator[Workers]:
    """The workers that the user named, or a process for each processor that has work."""
    from onnx_cts_generator.scheduling import EXTRA, has_distributed, processors, workers_at

    if count is None and not scheduler:
        count = min(processors(), len(plan.blocks))
        if count > 1 and not has_distributed():
            click.echo(f"onnx-cts: in one process, since more of them need dask: {EXTRA}", err=True)
            count = 1
    with workers_at(scheduler, count or 1) as workers:
        yield workers


@contextmanager
def _progress(plan: Plan) -> Iterator[Advance]:
    """A progress bar of elements on a terminal, and none in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _count: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("sweeping", total=plan.elements)
        yield lambda count: progress.advance(task, count)


def _portable(backend: str) -> str:
    """The name of a backend, with the whole path of an adapter's file, for other processes."""
    file, dot, rest = backend.partition(".py")
    return f"{Path(file).resolve()}.py{rest}" if dot and Path(f"{file}.py").is_file() else backend


def _print(lines: Iterator[str]) -> None:
    from onnx_cts_harness.summary import encodable

    for line in lines:
        click.echo(encodable(line, sys.stdout))
