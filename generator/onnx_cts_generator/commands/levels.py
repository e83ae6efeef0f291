"""``onnx-cts levels``: which levels of conformance backends have."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import FAILED, TROUBLE, clear_errors
from onnx_cts_generator.commands.output import OUTPUT, write_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onnx_cts_harness.profiles import Standing

#: Cases that are named of those that fall short of a profile.
EXAMPLES = 5


@click.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--profile",
    "names",
    multiple=True,
    metavar="NAME",
    help="This profile, published or the path of a file; repeatable. All published ones if none.",
)
@click.option("--json", "json_file", type=OUTPUT, help="Write the standings here as JSON.")
@clear_errors
def levels(records: tuple[Path, ...], names: tuple[str, ...], json_file: Path | None) -> None:
    """Say which levels of conformance the backends of RECORDS have.

    A level is a profile: a named list of what a backend must do. The exit status is 1 if a profile
    is named and a backend does not reach it, 2 if it cannot be said, since a record is not whole.
    """
    from onnx_cts_generator.errors import GenerateError
    from onnx_cts_harness.profiles import find_profile, published_profiles, standings
    from onnx_cts_harness.report.data import level_data
    from onnx_cts_harness.report.gathered import gather
    from onnx_cts_harness.report.jsontext import json_text

    profiles = tuple(map(find_profile, names)) if names else published_profiles()
    found = list(standings(gather(records), profiles))
    told = {standing.profile.name for standing in found}
    for profile in profiles:
        if names and profile.name not in told:
            raise GenerateError(
                f"the records have no case of some demand of {profile.name}; run all of the suite"
            )
    if json_file:
        write_output(json_file, json_text(level_data(found)))
    else:
        for standing in found:
            for line in _lines(standing):
                click.echo(line)
    if names and any(standing.unknown for standing in found):
        sys.exit(TROUBLE)
    if names and not all(standing.is_reached for standing in found):
        sys.exit(FAILED)


def _lines(standing: Standing) -> Iterator[str]:
    from onnx_cts_harness.lines import result_line

    yield f"{standing.profile.name}  {standing.backend}  {standing.said}"
    if standing.unknown:
        return
    for result in standing.short[:EXAMPLES]:
        yield f"  {result_line(result)}"
    if (more := len(standing.short) - EXAMPLES) > 0:
        yield f"  and {more} more"
