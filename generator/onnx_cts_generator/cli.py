"""The command line: ``onnx-cts spec``, ``generate`` and ``run``.

Heavy imports happen inside the commands, so that help and errors come at once.
"""

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
    from onnx_cts_specs import Spec

P = ParamSpec("P")

FAILED = 1
"""Exit status: the command did its work, and found something wrong with what it looked at."""
TROUBLE = 2
"""Exit status: the command could not do its work."""


def _clear_errors(command: Callable[P, None]) -> Callable[P, None]:
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


@click.group()
@click.version_option(package_name="onnx-cts")
def main() -> None:
    """Conformance tests of ONNX operators, for any runtime."""


@main.group()
def spec() -> None:
    """What the standard says of each operator version."""


@spec.command("list")
@_clear_errors
def list_specs() -> None:
    """List the operators and versions that have specs."""
    from onnx_cts_specs import domains, operators, versions

    for domain in domains():
        for operator in operators(domain):
            prefix = f"{domain}." if domain else ""
            listed = " ".join(map(str, versions(operator, domain)))
            click.echo(f"{prefix}{operator} {listed}")


@spec.command()
@click.argument("operator")
@click.argument("version", type=int)
@click.option("--domain", default="", help="Domain of the operator; ONNX's own if not given.")
@_clear_errors
def show(operator: str, version: int, domain: str) -> None:
    """Show one version of an operator: types, granularities, rules, readings, open questions."""
    from onnx_cts_generator.render import spec_page
    from onnx_cts_specs import spec_for

    click.echo(spec_page(spec_for(operator, version, domain)), nl=False)


@spec.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@_clear_errors
def check(files: tuple[Path, ...]) -> None:
    """Check specs: schema, expressions, and agreement with onnx.defs.

    Checks the specs of the package, or the FILES that are named.
    """
    from onnx_cts_specs import SpecError, all_specs, load
    from onnx_cts_specs.agreement import disagreements

    specs = [load(file) for file in files] if files else all_specs()
    problems: list[SpecError] = [error for one in specs for error in disagreements(one)]
    for error in problems:
        click.echo(f"onnx-cts: {error}", err=True)
    if problems:
        sys.exit(FAILED)
    click.echo(f"{len(specs)} specs agree with onnx.defs")


@main.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the suite.")
@click.option("--operator", "operators", multiple=True, help="Only this operator; repeatable.")
@click.option(
    "--version", "versions", multiple=True, type=int, help="Only this version; repeatable."
)
@click.option("--level", type=click.Choice(["core", "full"]), default="core", show_default=True)
@click.option("--check", "compare", is_flag=True, help="Compare with the folder; write nothing.")
@_clear_errors
def generate(
    out: Path, operators: tuple[str, ...], versions: tuple[int, ...], level: str, compare: bool
) -> None:
    """Generate a suite from the specs."""
    from onnx_cts_generator.cases import Chapter
    from onnx_cts_generator.emit import SuiteFiles
    from onnx_cts_generator.writing import differences, write_suite

    chapters = [Chapter(one, level) for one in _selected(operators, versions)]
    files = _watched(SuiteFiles(chapters), chapters)
    if not compare:
        write_suite(files, out)
        click.echo(f"{_count_cases(out)} cases written to {out}")
        return
    found = list(differences(files, out))
    for line in found:
        click.echo(line)
    if found:
        click.echo(f"onnx-cts: {out} differs from the specs in {len(found)} files", err=True)
        sys.exit(FAILED)
    click.echo(f"{out} is as the specs have it")


def _count_cases(out: Path) -> int:
    from onnx_cts_harness import open_suite

    return len(open_suite(out).entries)


def _selected(operators: tuple[str, ...], versions: tuple[int, ...]) -> list[Spec]:
    from onnx_cts_generator.errors import GenerateError
    from onnx_cts_specs import all_specs

    every = all_specs()
    for wanted, known, kind in (
        (operators, {s.operator for s in every}, "operator"),
        (versions, {s.since_version for s in every}, "version"),
    ):
        for name in wanted:
            if name not in known:
                listed = ", ".join(map(str, sorted(known)))
                raise GenerateError(f"there is no spec for {kind} {name}; there are: {listed}")
    chosen = [
        s
        for s in every
        if (not operators or s.operator in operators)
        and (not versions or s.since_version in versions)
    ]
    if not chosen:
        raise GenerateError("no operator named has a version named; see `onnx-cts spec list`")
    return chosen


def _watched(files: Iterable[File], chapters: list[Chapter]) -> Iterator[File]:
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


@main.command()
@click.argument("backend")
@click.option("--suite", "suite", type=click.Path(path_type=Path), help="Folder of a suite.")
@click.option("--operator", "operators", multiple=True, help="Only this operator; repeatable.")
@click.option(
    "--version", "versions", multiple=True, type=int, help="Only this version; repeatable."
)
@click.option("--record", type=click.Path(path_type=Path), help="Write the run record here.")
@click.option(
    "--python", type=click.Path(path_type=Path), help="Python of the backend's environment."
)
@click.option("--timeout", type=float, default=30.0, show_default=True, help="Seconds a case.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if the backend fails cases.")
@_clear_errors
def run(  # noqa: PLR0917 - click passes each option by name
    backend: str,
    suite: Path | None,
    operators: tuple[str, ...],
    versions: tuple[int, ...],
    record: Path | None,
    python: Path | None,
    timeout: float,
    exit_zero: bool,
) -> None:
    """Run a suite on BACKEND and print the table of verdicts.

    BACKEND is an adapter (onnxruntime, onnxruntime:optimized, onnx-reference), the path of an
    adapter file, or the import path of a class of ONNX's Backend API. Without --suite the core
    suite is generated into a cache.
    """
    from contextlib import ExitStack

    from onnx_cts_generator.cache import cached_suite
    from onnx_cts_harness import RecordWriter, Result, print_summary, start_run

    results: list[Result] = []
    folder = suite or cached_suite(_watched)
    with ExitStack() as stack:
        session = stack.enter_context(start_run(folder, backend, python=python, timeout=timeout))
        writer = stack.enter_context(RecordWriter(record, session)) if record else None
        for result in session.results(operators, versions):
            results.append(result)
            if writer:
                writer.add(result)
        title = f"{session.backend.spec.label} {session.backend.identity.version}"
    print_summary(title, results, sys.stdout)
    if record:
        click.echo(f"record: {record}")
    if any(r.verdict.is_error for r in results):
        sys.exit(TROUBLE)
    if any(r.verdict.is_failure for r in results) and not exit_zero:
        sys.exit(FAILED)
