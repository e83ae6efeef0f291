"""``onnx-cts spec``: list, show and check specs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from onnx_cts_generator.commands import FAILED, clear_errors


@click.group()
def spec() -> None:
    """What the standard says of each operator version."""


@spec.command("list")
@clear_errors
def list_specs() -> None:
    """List the operators and versions that have specs."""
    from onnx_cts_specs import domains, operators, versions

    for domain in domains():
        for operator in operators(domain):
            prefix = f"{domain}." if domain else ""
            listed = " ".join(map(str, versions(operator, domain)))
            click.echo(f"{prefix}{operator} {listed}")


@spec.command()
@click.argument("operator")
@click.argument("version", type=int)
@click.option("--domain", default="", help="Domain of the operator; ONNX's own if not given.")
@clear_errors
def show(operator: str, version: int, domain: str) -> None:
    """Show one version of an operator: types, granularities, rules, readings, open questions."""
    from onnx_cts_generator.render import spec_page
    from onnx_cts_specs import spec_for

    click.echo(spec_page(spec_for(operator, version, domain)), nl=False)


@spec.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@clear_errors
def check(files: tuple[Path, ...]) -> None:
    """Check specs: schema, expressions, soundness, and agreement with onnx.defs.

    Checks the specs of the package, or the FILES that are named.
    """
    from onnx_cts_generator.soundness import unsound
    from onnx_cts_specs import SpecError, all_specs, load
    from onnx_cts_specs.agreement import disagreements

    specs = [load(file) for file in files] if files else all_specs()
    problems: list[SpecError] = []
    for one in specs:
        problems += list(disagreements(one)) or list(unsound(one))
    for error in problems:
        click.echo(f"onnx-cts: {error}", err=True)
    if problems:
        sys.exit(FAILED)
    click.echo(f"{len(specs)} specs agree with onnx.defs")
