"""``onnx-cts compare``: what changed from one run to another."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from onnx_cts_generator.commands import FAILED, TROUBLE, clear_errors
from onnx_cts_generator.commands.output import (
    OUTPUT,
    STDOUT,
    check_one_to_stdout,
    write_output,
)


@click.command()
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("head", type=click.Path(path_type=Path))
@click.option("--markdown", type=OUTPUT, help="Write the changes here as Markdown.")
@click.option("--json", "json_file", type=OUTPUT, help="Write them here as JSON.")
@click.option("--annotations", is_flag=True, help="Print what got worse as GitHub's annotations.")
@clear_errors
def compare(
    base: Path,
    head: Path,
    *,
    markdown: Path | None,
    json_file: Path | None,
    annotations: bool,
) -> None:
    """Say what changed from the record BASE to the record HEAD.

    A case is worse if the backend was right and no longer is, or if it is wrong and was not: then
    the exit status is 1. Records of different suites are compared on the cases that both have.
    The changes are printed, or written to the named files; - is standard output.
    """
    from onnx_cts_harness.comparison import compare as compared
    from onnx_cts_harness.comparison_shown import (
        comparison_data,
        comparison_markdown,
        comparison_text,
    )
    from onnx_cts_harness.report.annotations import error_annotations
    from onnx_cts_harness.report.jsontext import json_text

    check_one_to_stdout({"--markdown": markdown, "--json": json_file})
    comparison = compared(base, head)
    if markdown:
        write_output(markdown, comparison_markdown(comparison))
    if json_file:
        write_output(json_file, json_text(comparison_data(comparison)))
    if STDOUT not in {markdown, json_file}:
        write_output(STDOUT, comparison_text(comparison))
    if annotations:
        for line in error_annotations([changed.shown for changed in comparison.of("worse")]):
            click.echo(line)
    if comparison.has_errors:
        sys.exit(TROUBLE)
    if comparison.is_worse:
        sys.exit(FAILED)
