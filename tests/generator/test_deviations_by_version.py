"""Which wrong implementation is caught in which version: in each that can show it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from emitted import EmittedSuite

from onnx_cts_generator.mutation import Finding, score, suite_trials
from onnx_cts_specs import versions

TABLE = yaml.safe_load(Path(__file__).with_name("deviation_versions.yaml").read_text("utf-8"))


def possible(operator: str) -> dict[str, set[int]]:
    """The versions in which each deviation of an operator can change an answer."""
    every = versions(operator)
    since = {
        name: {version for version in every if version >= first}
        for first, names in TABLE[operator]["since"].items()
        for name in names.split()
    }
    until = TABLE[operator]["until"].items()
    return since | {name: {v for v in every if v <= last} for name, last in until}


POSSIBLE = {
    (operator, name): versions_of
    for operator in TABLE
    for name, versions_of in possible(operator).items()
}
NAMED = (
    "ties-away",
    "rounded-after-zero-point",
    "multiplied-by-reciprocal",
    "divided-in-float16",
    "quotient-cut-off-in-float16",
    "symmetric-range",
    "saturate-ignored",
    "precision-ignored",
)
"""What every suite for quantization must catch: see also where saturate and precision begin."""


@pytest.fixture(scope="module")
def findings(suite: EmittedSuite) -> dict[tuple[str, str], Finding]:
    return {
        (operator, finding.deviation.name): finding
        for operator in TABLE
        for finding in score(operator, suite_trials(operator, suite.folder))
    }


def test_every_deviation_of_the_catalogue_has_its_versions(
    findings: dict[tuple[str, str], Finding],
) -> None:
    assert findings.keys() == POSSIBLE.keys()


@pytest.mark.parametrize(("operator", "name"), POSSIBLE)
def test_a_deviation_is_caught_in_every_version_that_can_show_it(
    findings: dict[tuple[str, str], Finding], operator: str, name: str
) -> None:
    caught = {version for version, case in findings[operator, name].caught.items() if case}
    assert caught == POSSIBLE[operator, name]


@pytest.mark.parametrize("name", NAMED)
def test_the_usual_mistakes_of_quantization_are_caught_wherever_they_can_be_made(
    name: str,
) -> None:
    first = {"saturate-ignored": 19, "precision-ignored": 23}.get(name, 10)
    assert POSSIBLE["QuantizeLinear", name] == {v for v in versions("QuantizeLinear") if v >= first}


def test_the_case_that_catches_a_deviation_is_of_the_version(
    findings: dict[tuple[str, str], Finding],
) -> None:
    for (operator, _), finding in findings.items():
        assert tuple(finding.caught) == versions(operator)
        for version, case in finding.caught.items():
            assert case is None or f"/{operator}/v{version}/" in case
