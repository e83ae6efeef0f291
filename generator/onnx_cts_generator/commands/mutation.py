"""``onnx-cts mutation``: how many wrong implementations a suite catches."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import FAILED, clear_errors, watched

if TYPE_CHECKING:
    from onnx_cts_generator.mutation import Finding


@click.command()
@click.option("--operator", required=True, help="The operator.")
@click.option("--suite", type=click.Path(path_type=Path), help="Folder of a suite.")
@click.option("--onnx", "official", is_flag=True, help="Score ONNX's own node tests instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@clear_errors
def mutation(operator: str, suite: Path | None, official: bool, as_json: bool) -> None:
    """Run the catalogue of wrong implementations against a suite, and print its score.

    For each one the first case that catches it is named. Without --suite the core suite is
    generated into a cache; with --onnx the official node tests of the installed onnx are judged as
    ONNX's own runner judges them. The exit status is 1 if one gets through.
    """
    from onnx_cts_generator.cache import cached_suite
    from onnx_cts_generator.mutation import official_trials, score, suite_trials

    if official and suite:
        raise click.UsageError("--suite and --onnx exclude each other")
    trials = (
        official_trials(operator)
        if official
        else suite_trials(operator, suite or cached_suite(watched))
    )
    findings = list(score(operator, trials))
    caught = sum(1 for finding in findings if finding.first)
    if as_json:
        click.echo(json.dumps(_document(operator, findings), indent=2))
    else:
        width = max(len(finding.deviation.name) for finding in findings)
        for finding in findings:
            click.echo(f"{finding.deviation.name:{width}}  {finding.first or 'NOT CAUGHT'}")
        click.echo(f"{caught} of {len(findings)} caught by {len(trials)} cases")
    if caught < len(findings):
        sys.exit(FAILED)


def _document(operator: str, findings: list[Finding]) -> dict[str, object]:
    return {
        "operator": operator,
        "caught": sum(1 for finding in findings if finding.first),
        "deviations": [
            {
                "name": finding.deviation.name,
                "category": finding.deviation.category,
                "says": finding.deviation.says,
                "first": finding.first,
                "caught": {str(v): case for v, case in finding.caught.items()},
            }
            for finding in findings
        ],
    }
