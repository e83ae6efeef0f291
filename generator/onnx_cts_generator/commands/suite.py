"""``onnx-cts generate``: write a suite, or compare one with the specs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import clear_errors, compare_with, watched
from onnx_cts_generator.commands.options import OPERATORS, VERSIONS

if TYPE_CHECKING:
    from onnx_cts_specs import Spec


@click.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the suite.")
@OPERATORS
@VERSIONS
@click.option("--level", type=click.Choice(["core", "full"]), default="core", show_default=True)
@click.option(
    "--layout",
    "layout_name",
    type=click.Choice(["suite", "onnx-backend"]),
    default="suite",
    show_default=True,
    help="The suite, or the named examples as ONNX's backend test data.",
)
@click.option("--strict", is_flag=True, help="Correct examples that do not keep to the page.")
@click.option("--check", "compare", is_flag=True, help="Compare with the folder; write nothing.")
@click.option(
    "-n",
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes on this machine; more than one need dask.",
)
@click.option("--scheduler", metavar="ADDRESS", help="A dask scheduler, whose workers do it.")
@clear_errors
def generate(
    out: Path,
    operators: tuple[str, ...],
    versions: tuple[int, ...],
    level: str,
    layout_name: str,
    *,
    strict: bool,
    compare: bool,
    workers: int,
    scheduler: str | None,
) -> None:
    """Generate a suite from the specs, or with --layout onnx-backend ONNX's backend test data.

    The latter are the named examples of the operators, ONNX's own node tests byte for byte: the
    newest version in node/, earlier ones in v<version>/node/.
    """
    from onnx_cts_generator.cases import Chapter
    from onnx_cts_generator.emit import SuiteFiles
    from onnx_cts_generator.examples import LISTING, ExampleFiles
    from onnx_cts_generator.scheduling import workers_at
    from onnx_cts_generator.writing import write_suite

    specs = selected_specs(operators, versions)
    if layout_name == "suite" and strict:
        raise click.UsageError("--strict goes with --layout onnx-backend")
    if layout_name == "suite":
        chapters = [Chapter(one, level) for one in specs]
        with workers_at(scheduler, workers) as chosen:
            files = watched(SuiteFiles(chapters, chosen.in_order), chapters)
            if compare:
                compare_with(files, out)
                return
            write_suite(files, out)
        click.echo(f"{_count_cases(out)} cases written to {out}")
        return
    examples = ExampleFiles(specs, strict)
    if compare:
        compare_with(examples, out)
        return
    write_suite(examples, out, LISTING)
    click.echo(f"{len(list(out.rglob('model.onnx')))} examples written to {out}")


def _count_cases(out: Path) -> int:
    from onnx_cts_harness import open_suite

    return len(open_suite(out).entries)


def selected_specs(operators: tuple[str, ...], versions: tuple[int, ...]) -> list[Spec]:
    """The specs of these operators at these versions; () is all.

    Raises:
        GenerateError: There is none.
    """
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
