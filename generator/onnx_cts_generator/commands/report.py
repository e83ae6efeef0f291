"""``onnx-cts report``: what run records show, for people and for CI systems."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import clear_errors, watched
from onnx_cts_generator.commands.options import OPERATORS
from onnx_cts_generator.commands.output import OUTPUT, check_one_to_stdout, write_output

if TYPE_CHECKING:
    from onnx_cts_harness.report.gathered import Gathered


@click.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path))
@OPERATORS
@click.option("--html", type=OUTPUT, help="Write one HTML file here, which needs no network.")
@click.option(
    "--suite",
    type=click.Path(path_type=Path),
    help="The suite that the records are of, for --html; if not given, the core suite.",
)
@click.option("--markdown", type=OUTPUT, help="Write Markdown here, for a job's summary.")
@click.option("--junit", "junit_file", type=OUTPUT, help="Write JUnit XML here.")
@click.option(
    "--badge",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write badges into this folder: <backend>/<Operator>.json for shields.io.",
)
@click.option("--json", "json_file", type=OUTPUT, help="Write JSON here.")
@clear_errors
def report(
    records: tuple[Path, ...],
    *,
    operators: tuple[str, ...],
    html: Path | None,
    suite: Path | None,
    markdown: Path | None,
    junit_file: Path | None,
    badge: Path | None,
    json_file: Path | None,
) -> None:
    """Report what RECORDS of one suite show, of one backend or many.

    Records of one backend are the shards of one run. A record that was cut off is marked, and so is
    a shard that is missing. A file named - is standard output.
    """
    from onnx_cts_harness.report.badges import badges
    from onnx_cts_harness.report.data import report_data
    from onnx_cts_harness.report.gathered import gather
    from onnx_cts_harness.report.jsontext import json_text
    from onnx_cts_harness.report.junit import junit
    from onnx_cts_harness.report.markdown import markdown as page

    if not (html or markdown or junit_file or badge or json_file):
        raise click.UsageError("say what to write: --html, --markdown, --junit, --badge or --json")
    if suite and not html:
        raise click.UsageError("--suite goes with --html, which shows the cases")
    check_one_to_stdout(
        {"--html": html, "--markdown": markdown, "--junit": junit_file, "--json": json_file}
    )
    gathered = gather(records).only(operators)
    # All of it is made before any of it is written.
    files: dict[Path, str] = {}
    if html:
        files[html] = _html(gathered, suite, operators)
    if markdown:
        files[markdown] = page(gathered)
    if junit_file:
        files[junit_file] = junit(gathered)
    if json_file:
        files[json_file] = json_text(report_data(gathered))
    if badge:
        files |= {badge / name: text for name, text in badges(gathered).items()}
    for file, text in files.items():
        write_output(file, text)
    for ran in gathered.backends:
        for lack in ran.lacks:
            click.echo(f"onnx-cts: {ran.title}: {lack}; the report says so", err=True)


def _html(gathered: Gathered, suite: Path | None, operators: tuple[str, ...]) -> str:
    from onnx_cts_generator.cache import cached_suite
    from onnx_cts_harness.classic import open_folder
    from onnx_cts_harness.report.html.document import html_page

    return html_page(gathered, open_folder(suite or cached_suite(watched)), operators)
