"""How the command line starts, and how it works away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from command_line import REFUSES, onnx_cts

ROOT = Path(__file__).parents[2]
HEAVY = ("onnx", "numpy", "ml_dtypes", "jinja2", "covertable", "rich", "pytest", "yaml")


COMMANDS = (
    "generate", "run", "backends", "new-adapter", "check-adapter", "findings", "mutation",
    "report", "levels", "compare", "expect",
)  # fmt: skip


@pytest.mark.parametrize("arguments", [[], ["spec"], *([command] for command in COMMANDS)])
def test_help_tells_what_there_is(arguments: list[str]) -> None:
    done = onnx_cts(*arguments, "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Usage: ")


def test_version_is_that_of_the_distribution() -> None:
    assert onnx_cts("--version").out.split()[-1] == version("onnx-cts")


@pytest.mark.parametrize("command", [[], *([command] for command in COMMANDS)])
def test_help_imports_nothing_heavy(command: list[str]) -> None:
    code = (
        "import sys\n"
        "from onnx_cts_generator.cli import main\n"
        f"main({[*command, '--help']!r}, standalone_mode=False)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stderr.strip() == "[]"


def test_no_traceback_reaches_a_user(tmp_path: Path) -> None:
    code = "from onnx_cts_generator.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "spec", "show", "Quantise", "10"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree, if there is what builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    builders = {
        "hatchling": ["build", "--target=wheel", f"--directory={folder}"],
        "build": ["--wheel", f"--outdir={folder}", "."],
    }
    builder = next((name for name in builders if find_spec(name)), None)
    if builder is None:
        pytest.skip(f"none of {', '.join(builders)} is here to build a wheel")
    command = [sys.executable, "-m", builder, *builders[builder]]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT, timeout=120)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_has_every_spec_schema_and_template(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    specs = {p.relative_to(ROOT / "specs") for p in (ROOT / "specs").rglob("*.yaml")}
    assert specs
    assert {f"onnx_cts_specs/data/{path.as_posix()}" for path in specs} <= inside
    roots = {
        "reference": ("*.yaml",),
        "generator": ("*.j2", "py.typed"),
        "harness": ("*.json", "*.j2", "*.yaml", "*.css", "*.js"),
    }
    for root, patterns in roots.items():
        for pattern in patterns:
            found = {p.relative_to(ROOT / root).as_posix() for p in (ROOT / root).rglob(pattern)}
            assert found, f"{root} has no {pattern}"
            assert found <= inside
    assert "onnx_cts_specs/data/spec.schema.json" in inside
    assert not any(name.startswith(("tests/", "generated_tests/")) for name in inside)


def test_the_installed_wheel_works_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=False)
    python = next(path for path in (tmp_path / "env").glob("*/python*") if path.is_file())
    site = next((tmp_path / "env").rglob("site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # What the package needs comes from this environment, and the package itself must not.
    here = [entry for entry in sys.path if entry.endswith("site-packages")]
    (site / "borrowed.pth").write_text("\n".join(here), "utf-8")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")

    def command(*arguments: str) -> str:
        code = (
            "import onnx_cts_generator, onnx_cts_specs, onnx_cts_reference, onnx_cts_harness\n"
            "packages = onnx_cts_generator, onnx_cts_specs, onnx_cts_reference, onnx_cts_harness\n"
            f"assert all(p.__path__[0].startswith({str(site)!r}) for p in packages)\n"
            "from onnx_cts_generator.cli import main; main()"
        )
        done = subprocess.run(
            [str(python), "-c", code, *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert command("spec", "list").startswith("DequantizeLinear 10 13")
    assert "scalar-scale" in command("spec", "show", "DequantizeLinear", "10")
    command("generate", "--out", "suite", "--version", "10")
    assert "refused" in command("run", REFUSES, "--suite", "suite")
    run = ("run", "onnxruntime", "--suite", "suite", "--without", "version-difference")
    assert "exact" in command(*run, "--record", "r.jsonl")
    command("report", "r.jsonl", "--suite", "suite", "--html", "r.html")
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!doctype html>")
    assert command("levels", "r.jsonl") == ""
