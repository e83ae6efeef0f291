"""``onnx-cts findings``: a page with what run records show."""

from __future__ import annotations

from pathlib import Path

import click

from onnx_cts_generator.commands import clear_errors
from onnx_cts_generator.commands.output import STDOUT, write_output


@click.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--suite",
    required=True,
    type=click.Path(path_type=Path),
    help="The suite that the records are of.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the page here; to standard output if not given.",
)
@clear_errors
def findings(records: tuple[Path, ...], suite: Path, out: Path | None) -> None:
    """Write a page of Markdown with what RECORDS show.

    For each backend and version it has the counts, which sum up to the suite's size, and each
    distinct wrong answer with its least example: the model as text, inputs, what was expected and
    permitted, what came, the text of the standard and the diagnosis.
    """
    from onnx_cts_harness import open_suite
    from onnx_cts_harness.findings import findings_page

    page = findings_page(records, open_suite(suite))
    write_output(out or STDOUT, page)
    if out:
        click.echo(f"{out} written")
