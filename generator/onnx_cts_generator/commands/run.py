"""``onnx-cts run``: run a suite on a backend."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from onnx_cts_generator.commands import FAILED, TROUBLE, clear_errors, watched
from onnx_cts_generator.commands.options import (
    MEMORY,
    OFFLINE,
    OPERATORS,
    PYTHON,
    TIMEOUT,
    VERSIONS,
)
from onnx_cts_harness.shard import WHOLE, Shard, parse_shard

if TYPE_CHECKING:
    from contextlib import ExitStack

    from onnx_cts_harness import Result, Run, Selection
    from onnx_cts_harness.backend import Options


def _shard(ctx: click.Context, param: click.Parameter, text: str) -> Shard:
    try:
        return parse_shard(text)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command()
@click.argument("backend")
@click.option(
    "--suite",
    "suite",
    type=click.Path(path_type=Path),
    help="Folder of a suite, or of cases in ONNX's classic layout.",
)
@OPERATORS
@VERSIONS
@click.option(
    "--without",
    multiple=True,
    metavar="FEATURE",
    help="Leave out cases with this feature, such as special-scale or subnormal; repeatable.",
)
@click.option(
    "--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the run record here."
)
@PYTHON
@TIMEOUT
@MEMORY
@OFFLINE
@click.option(
    "-n",
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Workers, and cases that run at the same time.",
)
@click.option(
    "--shard",
    callback=_shard,
    default=str(WHOLE),
    metavar="I/N",
    help="Only the I-th of N equal shares of the cases; report brings them together.",
)
@click.option(
    "--expect",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Fail by what this file does not expect; see `onnx-cts expect`.",
)
@click.option(
    "--strict", is_flag=True, help="Fail too if a case passes or is refused and FILE differs."
)
@click.option(
    "--annotations", is_flag=True, help="Print what was not expected as GitHub's annotations."
)
@click.option(
    "--convert-to",
    type=click.IntRange(min=1),
    metavar="OPSET",
    help="Send each model through onnx.version_converter first.",
)
@click.option("--resume", is_flag=True, help="Go on with the record that a run left unfinished.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if the backend fails cases.")
@clear_errors
def run(
    backend: str,
    suite: Path | None,
    *,
    operators: tuple[str, ...],
    versions: tuple[int, ...],
    without: tuple[str, ...],
    record: Path | None,
    shard: Shard,
    expect: Path | None,
    strict: bool,
    annotations: bool,
    convert_to: int | None,
    resume: bool,
    exit_zero: bool,
    **options: Unpack[Options],
) -> None:
    """Run a suite on BACKEND and print the table of verdicts.

    BACKEND is an adapter (onnxruntime, onnxruntime:optimized, onnx-reference), the path of an
    adapter file, the import path of a class of ONNX's Backend API, or a command line that runs one
    model ("command:./runner {model} {inputs} {outputs}"). Without --suite the core suite is
    generated into a cache. With --convert-to the models are converted first, and the answers
    must be those that they have before.
    """
    from contextlib import ExitStack

    from onnx_cts_generator.cache import cached_suite
    from onnx_cts_harness import Selection, print_summary, start_run
    from onnx_cts_harness.expectations.entries import load_expectations
    from onnx_cts_harness.expectations.judging import judge, judged_lines
    from onnx_cts_harness.expectations.matching import matched
    from onnx_cts_harness.record import title_of
    from onnx_cts_harness.recording import backend_of
    from onnx_cts_harness.report.annotations import expectation_annotations

    if resume and record is None:
        raise click.UsageError("--resume needs --record, which names the record to go on with")
    if strict and expect is None:
        raise click.UsageError("--strict needs --expect, which names the file to be strict by")
    entries = load_expectations(expect) if expect else ()
    folder = suite or cached_suite(watched)
    with ExitStack() as stack:
        session = stack.enter_context(start_run(folder, backend, convert_to=convert_to, **options))
        session.suite.select(operators, versions)
        expected = matched(entries, session.suite)
        selection = Selection(operators, versions, without, shard)
        results = _results(stack, session, selection, record, resume)
        title = title_of(backend_of(session))
    judged = judge(expected, results)
    print_summary(title, results, sys.stdout, judged_lines(judged, strict) if expect else ())
    if annotations:
        for line in expectation_annotations(judged, strict):
            click.echo(line)
    if record:
        click.echo(f"record: {record}")
    if any(r.verdict.is_error for r in results):
        sys.exit(TROUBLE)
    if judged.fails(strict) and not exit_zero:
        sys.exit(FAILED)


def _results(
    stack: ExitStack, session: Run, selection: Selection, record: Path | None, resume: bool
) -> list[Result]:
    """Run what is selected, or what the record lacks of it, and record it."""
    from onnx_cts_harness import RecordWriter

    results: list[Result] = []
    writer = None
    if record:
        writer = stack.enter_context(RecordWriter(record, session, selection, resume=resume))
        results += writer.known
    known = {result.case for result in results}
    for result in session.results(
        selection.operators, selection.versions, selection.without, known, selection.shard
    ):
        results.append(result)
        if writer:
            writer.add(result)
    return results
