"""``onnx-cts generate``: write a suite, or compare one with the specs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import FAILED, clear_errors, watched

if TYPE_CHECKING:
    from onnx_cts_specs import Spec


@click.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the suite.")
@click.option("--operator", "operators", multiple=True, help="Only this operator; repeatable.")
@click.option(
    "--version", "versions", multiple=True, type=int, help="Only this version; repeatable."
)
@click.option("--level", type=click.Choice(["core", "full"]), default="core", show_default=True)
@click.option("--check", "compare", is_flag=True, help="Compare with the folder; write nothing.")
@clear_errors
def generate(
    out: Path, operators: tuple[str, ...], versions: tuple[int, ...], level: str, compare: bool
) -> None:
    """Generate a suite from the specs."""
    from onnx_cts_generator.cases import Chapter
    from onnx_cts_generator.emit import SuiteFiles
    from onnx_cts_generator.writing import differences, write_suite

    chapters = [Chapter(one, level) for one in _selected(operators, versions)]
    files = watched(SuiteFiles(chapters), chapters)
    if not compare:
        write_suite(files, out)
        click.echo(f"{_count_cases(out)} cases written to {out}")
        return
    found = list(differences(files, out))
    for line in found:
        click.echo(line)
    if found:
        click.echo(f"onnx-cts: {out} differs from the specs in {len(found)} files", err=True)
        sys.exit(FAILED)
    click.echo(f"{out} is as the specs have it")


def _count_cases(out: Path) -> int:
    from onnx_cts_harness import open_suite

    return len(open_suite(out).entries)


def _selected(operators: tuple[str, ...], versions: tuple[int, ...]) -> list[Spec]:
    from onnx_cts_generator.errors import GenerateError
    from onnx_cts_specs import all_specs

    every = all_specs()
    for wanted, known, kind in (
        (operators, {s.operator for s in every}, "operator"),
        (versions, {s.since_version for s in every}, "version"),
    ):
        for name in wanted:
            if name not in known:
                listed = ", ".join(map(str, sorted(known)))
                raise GenerateError(f"there is no spec for {kind} {name}; there are: {listed}")
    chosen = [
        s
        for s in every
        if (not operators or s.operator in operators)
        and (not versions or s.since_version in versions)
    ]
    if not chosen:
        raise GenerateError("no operator named has a version named; see `onnx-cts spec list`")
    return chosen
