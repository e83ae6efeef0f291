"""``onnx-cts backends``, ``new-adapter`` and ``check-adapter``: which there are, and one more."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import FAILED, clear_errors
from onnx_cts_generator.commands.options import PYTHON, TIMEOUT

if TYPE_CHECKING:
    from onnx_cts_harness.probe import Probe


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@PYTHON
@clear_errors
def backends(as_json: bool, python: Path | None) -> None:
    """List the backends: version in this environment or why there is none, what they can be fed.

    Each is started in a worker of its own, so that one that crashes harms no other. Adapters by
    their file, classes of ONNX's Backend API and command lines are backends too; see docs/backends.
    """
    import json

    from onnx_cts_harness.probe import probe_all

    found = probe_all(python)
    if as_json:
        click.echo(json.dumps([_document(one) for one in found], indent=2))
        return
    for index, one in enumerate(found):
        if index:
            click.echo()
        for line in _lines(one):
            click.echo(line)


def _lines(one: Probe) -> list[str]:
    from onnx_cts_harness.probe import fed

    lines = [f"{one.name}  {one.identity.version if one.identity else 'not here'}"]
    if one.identity:
        lines.append(f"  fed   {fed(one.identity.declared.feeds)}")
    else:
        lines.append(f"  why   {one.why}")
    return [*lines, f"  docs  {one.documentation}"] if one.documentation else lines


def _document(one: Probe) -> dict[str, object]:
    document: dict[str, object] = {"name": one.name}
    if one.identity:
        feeds = one.identity.declared.feeds
        document |= {
            "version": one.identity.version,
            "feeds": {
                "inputs": None if feeds.inputs is None else sorted(feeds.inputs),
                "initializers": sorted(feeds.initializers),
                "constant_parameters": feeds.constant_parameters,
            },
        }
    else:
        document["why"] = one.why
    return document | ({"documentation": one.documentation} if one.documentation else {})


@click.command("new-adapter")
@click.argument("name")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Folder for the file; the current one by default.",
)
@clear_errors
def new_adapter(name: str, out: Path) -> None:
    """Write a template of an adapter for the runtime NAME, to be filled in."""
    from onnx_cts_harness.template import write_template

    file = write_template(name, out)
    click.echo(f"{file} written; fill it in, then run: onnx-cts check-adapter {file}")


@click.command("check-adapter")
@click.argument("backend")
@PYTHON
@TIMEOUT
@clear_errors
def check_adapter(backend: str, python: Path | None, timeout: float) -> None:
    """Drive the adapter of BACKEND through one case of each kind, and say what it lacks.

    BACKEND is a name that `onnx-cts run` takes. The models are tiny and no test of the runtime. The
    exit status is 1 if the adapter is at fault.
    """
    from onnx_cts_harness.selftest import checked

    failed = False
    for finding in checked(backend, python=python, timeout=timeout):
        failed |= finding.is_fault
        click.echo(f"{finding.state:7}  {finding.kind}{finding.said and f': {finding.said}'}")
    if failed:
        click.echo("the adapter is not done yet")
        sys.exit(FAILED)
    click.echo("the adapter does its part")
