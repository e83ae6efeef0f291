"""The built-in adapters keep to what an adapter is, whether or not their runtimes are here."""

from __future__ import annotations

import ast
import re
from configparser import ConfigParser
from pathlib import Path

import pytest

from onnx_cts_harness.registry import built_in

ROOT = Path(__file__).parents[2]
#: These drive no runtime of their own.
GENERIC = {"backend-api", "command"}
ADAPTERS = sorted(built_in().items())
RUNTIMES = [(name, file) for name, file in ADAPTERS if name not in GENERIC]
each_adapter = pytest.mark.parametrize(
    "file", [f for _, f in ADAPTERS], ids=[n for n, _ in ADAPTERS]
)
each_runtime = pytest.mark.parametrize(
    ("name", "file"), RUNTIMES, ids=[name for name, _ in RUNTIMES]
)


def parsed(file: Path) -> ast.Module:
    """The file, in the grammar of the oldest Python that a worker may have."""
    return ast.parse(file.read_text("utf-8"), feature_version=(3, 8))


def declared(file: Path, name: str) -> ast.expr | None:
    """What the class Adapter assigns to an attribute; None if it assigns nothing."""
    body = next(
        node.body
        for node in parsed(file).body
        if isinstance(node, ast.ClassDef) and node.name == "Adapter"
    )
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            value: ast.expr | None = getattr(node, "value", None)
            return value
    return None


@each_adapter
def test_an_adapter_imports_nothing_of_this_package(file: Path) -> None:
    names = []
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import needs siblings"
            names.append(node.module or "")
    assert names
    assert not [name for name in names if name.startswith("onnx_cts")]


@each_adapter
def test_an_adapter_is_one_small_file(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) <= 250


@each_runtime
def test_a_runtime_names_its_documentation(name: str, file: Path) -> None:
    value = declared(file, "documentation")
    assert value is not None, name
    assert str(ast.literal_eval(value)).startswith("https://")


@each_runtime
def test_rules_for_refusals_are_data_with_patterns_that_compile(name: str, file: Path) -> None:
    value = declared(file, "refusals")
    assert value is not None, name
    rules = ast.literal_eval(value)
    assert rules
    for rule in rules:
        assert set(rule) == {"kind", "pattern"}
        assert rule["kind"] in {"unsupported", "obscure"}
        assert re.compile(rule["pattern"]).search("") is None, "it would fit every message"


def environments() -> ConfigParser:
    """The file tox.ini, its substitutions as they are written."""
    config = ConfigParser(interpolation=None)
    config.read(ROOT / "tox.ini", "utf-8")
    return config


@each_runtime
def test_a_runtime_has_an_environment_among_the_runtimes(name: str, file: Path) -> None:
    config = environments()
    bases = config[f"testenv:{name}"]["base"].replace(" ", "").split(",")
    assert bases[-1] == "runtime", file
    assert config["runtime"]["labels"] == "runtimes"
    assert f"`{name}`" in (ROOT / "docs" / "backends.md").read_text("utf-8")


def test_every_runtime_is_pinned() -> None:
    config = environments()
    for section in config.sections():
        base = config[section].get("base", "")
        if not base.endswith("runtime"):
            continue
        lines = config[section].get("deps", "") + config[section].get("commands_pre", "")
        packages = re.findall(r"[\w.\[\]-]+(?:==|@)[\w.]+", lines)
        assert packages or section == "testenv:onnx-reference", section
