"""``onnx-cts expect``: a first file of expectations."""

from __future__ import annotations

from pathlib import Path

import click

from onnx_cts_generator.commands import clear_errors
from onnx_cts_generator.commands.output import STDOUT, write_output


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the file here, where none is yet; to standard output if not given.",
)
@clear_errors
def expect(record: Path, out: Path | None) -> None:
    """Write a first file of expectations from the run RECORD, grouped by diagnosis.

    It lists every case that failed or was refused. `onnx-cts run --expect FILE` then fails by what
    is not listed.
    """
    from onnx_cts_harness import ExpectationError, read_record
    from onnx_cts_harness.expectations.drafting import draft

    if out and out.exists():
        raise ExpectationError(
            f"{out}: exists already, and may have reasons in it; name another file"
        )
    write_output(out or STDOUT, draft(read_record(record)))
    if out:
        click.echo(f"{out} written")
