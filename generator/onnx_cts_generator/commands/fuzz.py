"""``onnx-cts fuzz``: search for models that a backend gets wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click
import platformdirs

from onnx_cts_generator.commands import FAILED, TROUBLE, clear_errors
from onnx_cts_generator.commands.options import (
    MEMORY,
    OFFLINE,
    OPERATORS,
    PYTHON,
    TIMEOUT,
    VERSIONS,
)

if TYPE_CHECKING:
    from onnx_cts_generator.fuzz.faults import Fault
    from onnx_cts_harness import Result
    from onnx_cts_harness.backend import Options

EXTRA = "pip install 'onnx-cts[fuzz]'"


@click.command()
@click.argument("backend")
@OPERATORS
@VERSIONS
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Time of the search, for all versions together.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write what is found here, as a suite of cases."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Another seed, other examples."
)
@PYTHON
@TIMEOUT
@MEMORY
@OFFLINE
@clear_errors
def fuzz(
    backend: str,
    *,
    operators: tuple[str, ...],
    versions: tuple[int, ...],
    seconds: float,
    out: Path | None,
    seed: int,
    **options: Unpack[Options],
) -> None:
    """Search for models that BACKEND gets wrong, past those of the suite.

    BACKEND is as for `onnx-cts run`. Valid and invalid models are drawn from the specs by
    Hypothesis and judged as the suite's cases are. A model that fails is made as small as it can be
    and printed; then the search goes on for other faults. With --out the models found are written
    as a suite, in place of an older one. The exit status is 1 if there are any.
    """
    from onnx_cts_generator.commands.suite import selected_specs
    from onnx_cts_generator.errors import GenerateError

    if not find_spec("hypothesis"):
        raise GenerateError(f"fuzz needs Hypothesis: {EXTRA}")
    # It keeps what it learns of the code of a project, by default in the folder where it is run.
    cache = platformdirs.user_cache_path("onnx-cts", appauthor=False)
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(cache / "hypothesis"))
    from onnx_cts_generator.fuzz.backends import Asked
    from onnx_cts_generator.fuzz.found import write_found
    from onnx_cts_generator.fuzz.searching import Search
    from onnx_cts_generator.fuzz.summary import Seen, fault_lines, fault_notes, ordered
    from onnx_cts_generator.writing import check_replaceable
    from onnx_cts_harness import print_summary
    from onnx_cts_harness.summary import encodable

    specs = selected_specs(operators, versions)
    if out:
        check_replaceable(out)
    seen = Seen()
    faults: list[Fault] = []
    with Asked(backend, **options) as asked, _progress(seconds) as advance:

        def note(result: Result) -> None:
            seen.add(result)
            advance(seen.count, len(faults))

        search = Search(asked.result, note, seed)
        # Who is tired of waiting wants to see what was found.
        with suppress(KeyboardInterrupt):
            for fault in search.run(specs, seconds):
                faults.append(fault)
                for line in fault_lines(fault):
                    click.echo(encodable(line, sys.stdout))
                if out:
                    write_found(faults, out)
        title = f"{asked.backend.spec.label} {asked.backend.identity.version}"
    if faults:
        click.echo()
    results = ordered(seen, faults)
    title += f", {seen.count} examples, seed {seed}"
    print_summary(title, results, sys.stdout, list(fault_notes(faults)))
    if out and faults:
        click.echo(f"{len(faults)} cases written to {out}")
    if any(result.verdict.is_error for result in results):
        sys.exit(TROUBLE)
    if faults:
        sys.exit(FAILED)


@contextmanager
def _progress(seconds: float) -> Iterator[Callable[[int, int], None]]:
    """A bar of seconds with the number of examples and faults on a terminal; none in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _examples, _faults: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("fuzzing", total=seconds)

        def advance(examples: int, faults: int) -> None:
            elapsed = progress.tasks[task].elapsed or 0.0
            words = f"fuzzing, {examples} examples, {faults} faults"
            progress.update(task, completed=min(elapsed, seconds), description=words)

        yield advance
