"""The commands of the command line, and what they share: exit statuses, errors, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

import click

if TYPE_CHECKING:
    from onnx_cts_generator.cases import Chapter
    from onnx_cts_generator.emit import File

P = ParamSpec("P")

FAILED = 1
"""Exit status: the command did its work, and found something wrong with what it looked at."""
TROUBLE = 2
"""Exit status: the command could not do its work."""


def clear_errors(command: Callable[P, None]) -> Callable[P, None]:
    """Turn the errors that users can cause into one line on standard error."""

    @wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        from onnx_cts_generator.errors import GenerateError
        from onnx_cts_harness import HarnessError
        from onnx_cts_specs import SpecError, UnknownOperatorError

        try:
            command(*args, **kwargs)
        except (SpecError, UnknownOperatorError, GenerateError, HarnessError) as error:
            click.echo(f"onnx-cts: {error}", err=True)
            sys.exit(TROUBLE)

    return guarded


def watched(files: Iterable[File], chapters: list[Chapter]) -> Iterator[File]:
    """The files as they come, with a progress bar on a terminal and none in a pipe."""
    if not sys.stderr.isatty():
        yield from files
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("generating", total=len(chapters))
        for folder, name, content in files:
            yield folder, name, content
            if name.endswith(".py"):
                progress.advance(task)


def compare_with(files: Iterable[File], out: Path) -> None:
    """Say whether a folder holds these files and no others; exit with FAILED if it does not."""
    from onnx_cts_generator.writing import differences

    found = list(differences(files, out))
    for line in found:
        click.echo(line)
    if found:
        click.echo(f"onnx-cts: {out} differs from the specs in {len(found)} files", err=True)
        sys.exit(FAILED)
    click.echo(f"{out} is as the specs have it")
