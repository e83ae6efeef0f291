"""``onnx-cts upstream``: ONNX's own node cases as files, and what differs between two exports."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import FAILED, TROUBLE, clear_errors
from onnx_cts_generator.commands.options import OPERATORS

if TYPE_CHECKING:
    from onnx_cts_generator.upstream.building import OfficialCase, OfficialCases


@click.group()
def upstream() -> None:
    """ONNX's own node cases: write them as files, compare two releases."""


@upstream.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write.")
@OPERATORS
@click.option(
    "--baseline",
    metavar="MANIFEST",
    type=click.Path(path_type=Path),
    help="Manifest of an earlier export: fail, and write nothing, if any of its cases is lost.",
)
@clear_errors
def export(out: Path, operators: tuple[str, ...], baseline: Path | None) -> None:
    """Write the node cases of the installed onnx in the layout that ONNX's data had."""
    from onnx_cts_generator.upstream.export import export as write
    from onnx_cts_generator.upstream.manifest import LostCasesError

    try:
        done = write(out, operators, baseline, watched)
    except LostCasesError as error:
        for name in error.lost:
            click.echo(f"lost: {name}")
        click.echo(f"onnx-cts: {error}", err=True)
        sys.exit(FAILED)
    click.echo(f"{done.cases} cases in {done.files} files written to {out}")


def watched(cases: OfficialCases) -> Iterable[list[OfficialCase]]:
    """The batches as they come, with a progress bar on a terminal and none in a pipe."""
    if not sys.stderr.isatty():
        return cases
    from rich.console import Console
    from rich.progress import track

    return track(cases, "exporting", console=Console(stderr=True), transient=True)


@upstream.command()
@click.argument("first", metavar="DIR1", type=click.Path(path_type=Path))
@click.argument("second", metavar="DIR2", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@clear_errors
def compare(first: Path, second: Path, as_json: bool) -> None:
    """Say what differs between two exports, or folders of ONNX's old data, and by how much.

    Exit status 0: they are equal; 1: they differ; 2: some or all could not be compared.
    """
    import json

    from onnx_cts_generator.upstream import report
    from onnx_cts_generator.upstream.comparing import compare as compared

    comparison = compared(first, second)
    if as_json:
        click.echo(json.dumps(report.document(comparison, first, second), indent=1))
    else:
        for line in report.lines(comparison):
            click.echo(line)
        click.echo(report.total(comparison))
    for trouble in comparison.troubles:
        click.echo(f"onnx-cts: {trouble}", err=True)
    if comparison.troubles:
        sys.exit(TROUBLE)
    if not comparison.same:
        sys.exit(FAILED)
