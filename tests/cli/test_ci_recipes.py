"""What docs/ci.md tells people to copy is what the command line takes."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
import yaml

from onnx_cts_generator.cli import main
from onnx_cts_harness.expectations.entries import load_expectations

PAGE = (Path(__file__).parents[2] / "docs" / "ci.md").read_text("utf-8")
YAML = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"onnx-cts (run|report|compare|expect)\b([^`\n]*)", PAGE)


def test_each_command_has_the_options_that_it_is_given() -> None:
    assert {name for name, _ in COMMANDS} == {"run", "report", "compare", "expect"}
    for name, arguments in COMMANDS:
        options = {o for p in main.commands[name].params for o in p.opts if o.startswith("--")}
        assert set(re.findall(r"--[a-z-]+", arguments)) <= options


def test_each_option_of_report_and_compare_is_explained() -> None:
    for name in ("report", "compare"):
        for option in main.commands[name].params:
            if isinstance(option, click.Option):
                assert re.search(rf"\[{option.opts[0]}[] ]", PAGE)


@pytest.mark.parametrize("recipe", YAML)
def test_each_recipe_is_valid_yaml(recipe: str) -> None:
    assert isinstance(yaml.safe_load(recipe), dict)


def test_the_example_of_expectations_is_one(tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(YAML[0], "utf-8")
    first, second = load_expectations(file)
    assert (first.features, second.features) == (("subnormal",), ())
    assert len(second.cases) == 2
