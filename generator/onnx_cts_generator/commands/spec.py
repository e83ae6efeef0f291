"""``onnx-cts spec``: list, show, compare and check specs, and write their pages."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import FAILED, clear_errors, compare_with

if TYPE_CHECKING:
    from onnx_cts_specs import Spec

_DOMAIN = click.option(
    "--domain", default="", help="Domain of the operator; ONNX's own if not given."
)


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
@_DOMAIN
@click.option(
    "--markdown",
    "as_page",
    is_flag=True,
    help="The page as ONNX has it, with the differences with the version before.",
)
@clear_errors
def show(operator: str, version: int, domain: str, *, as_page: bool) -> None:
    """Show one version of an operator: types, granularities, rules, readings, open questions."""
    from onnx_cts_generator.render import operator_page, spec_page
    from onnx_cts_specs import spec_for
    from onnx_cts_specs.locations import domain_of

    page = operator_page if as_page else spec_page
    click.echo(page(spec_for(operator, version, domain_of(domain))), nl=False)


@spec.command()
@click.argument("operator")
@click.argument("old", type=int)
@click.argument("new", type=int)
@_DOMAIN
@click.option("--json", "form", flag_value="json", help="Print one JSON object.")
@click.option("--markdown", "form", flag_value="markdown", help="Print Markdown.")
@click.option(
    "--from-onnx",
    is_flag=True,
    help="Compare what onnx.defs of the installed onnx has, for any operator of ONNX.",
)
@clear_errors
def diff(
    operator: str, old: int, new: int, domain: str, form: str | None, *, from_onnx: bool
) -> None:
    """Show what changed from version OLD of an operator to NEW, and whether it breaks models."""
    from onnx_cts_generator.render import schema_diff_markdown, schema_diff_text
    from onnx_cts_generator.schema_differences import document
    from onnx_cts_specs import spec_for
    from onnx_cts_specs.locations import domain_of
    from onnx_cts_specs.op_schema import OperatorSchema, schema_in_onnx, schema_of
    from onnx_cts_specs.schema_diff import compare

    def schema(version: int) -> OperatorSchema:
        if from_onnx:
            return schema_in_onnx(operator, version, domain_of(domain))
        return schema_of(spec_for(operator, version, domain_of(domain)))

    found = compare(schema(old), schema(new))
    if form == "json":
        click.echo(json.dumps(document(found), indent=2, ensure_ascii=False))
        return
    render = schema_diff_markdown if form == "markdown" else schema_diff_text
    click.echo(render(found), nl=False)


@spec.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write.")
@click.option("--check", "compare", is_flag=True, help="Write nothing; fail if the folder differs.")
@clear_errors
def pages(out: Path, *, compare: bool) -> None:
    """Write the page of every spec as `show --markdown` has it, and a page that lists them."""
    from onnx_cts_generator.operator_pages import INDEX, page_files
    from onnx_cts_generator.writing import write_suite
    from onnx_cts_specs import all_specs

    specs = all_specs()
    if compare:
        compare_with(page_files(specs), out)
        return
    write_suite(page_files(specs), out, INDEX)
    click.echo(f"{len(specs)} pages written to {out}")


@spec.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@clear_errors
def check(files: tuple[Path, ...]) -> None:
    """Check specs: schema, expressions, soundness, and agreement with onnx.defs.

    Checks the specs of the package, and the examples, chains, sweeps and profiles beside them; or
    the specs in the FILES that are named.
    """
    from onnx_cts_generator.soundness import unsound
    from onnx_cts_specs import all_specs, load
    from onnx_cts_specs.agreement import disagreements

    specs = [load(file) for file in files] if files else all_specs()
    problems: list[Exception] = [] if files else list(_at_fault_beside(specs))
    for one in specs:
        problems += list(disagreements(one)) or list(unsound(one))
    for error in problems:
        click.echo(f"onnx-cts: {error}", err=True)
    if problems:
        sys.exit(FAILED)
    click.echo(f"{len(specs)} specs agree with onnx.defs")


def _at_fault_beside(specs: Iterable[Spec]) -> Iterator[Exception]:
    """What is wrong with the files beside specs: the first thing of each file."""
    from onnx_cts_harness.errors import ProfileError
    from onnx_cts_harness.profiles import load_profile
    from onnx_cts_specs import SpecError
    from onnx_cts_specs.chains import chains_of
    from onnx_cts_specs.examples import examples_of
    from onnx_cts_specs.locations import profiles_folder
    from onnx_cts_specs.sweeps import sweeps_of

    reads: list[Callable[[], object]] = [
        partial(read, *operator)
        for operator in dict.fromkeys((one.operator, one.domain) for one in specs)
        for read in (examples_of, chains_of, sweeps_of)
    ]
    reads += [partial(load_profile, file) for file in sorted(profiles_folder().glob("*.yaml"))]
    for read in reads:
        try:
            read()
        except (ProfileError, SpecError) as error:
            yield error
