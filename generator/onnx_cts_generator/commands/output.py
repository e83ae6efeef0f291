"""Write what a command made: to a file, or to standard output for ``-``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

STDOUT = Path("-")
#: The type of an option that names such an output.
OUTPUT = click.Path(dir_okay=False, allow_dash=True, path_type=Path)


def check_one_to_stdout(outputs: Mapping[str, Path | None]) -> None:
    """Check that no two options name standard output.

    Raises:
        UsageError: Two do.
    """
    names = [name for name, path in outputs.items() if path == STDOUT]
    if len(names) > 1:
        raise click.UsageError(f"only one of {' and '.join(names)} can go to standard output")


def write_output(path: Path, text: str) -> None:
    """Write a text as UTF-8, the same bytes on every system.

    Raises:
        GenerateError: The file cannot be written.
    """
    if path == STDOUT:
        click.echo(text.encode(), nl=False)
        return
    from onnx_cts_generator.errors import GenerateError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    except OSError as error:
        raise GenerateError(f"{path}: cannot be written: {error.strerror}") from None
