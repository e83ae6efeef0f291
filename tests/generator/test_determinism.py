from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from emitted import EmittedSuite

import onnx_cts_generator
import onnx_cts_harness
import onnx_cts_reference
import onnx_cts_specs

VERSIONS = (10, 28)
"""The versions compared: the first and the last, with the fewest and the most factors."""
GENERATE = "from onnx_cts_generator.cli import main; main()"
PACKAGES = (onnx_cts_generator, onnx_cts_harness, onnx_cts_reference, onnx_cts_specs)
ROOTS = [str(Path(package.__path__[0]).parent) for package in PACKAGES]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def emitted_by(python: str, out: Path, **environment: str) -> dict[int, dict[str, bytes]]:
    """What an interpreter emits for the versions compared, in one run."""
    arguments = [f"--version={version}" for version in VERSIONS]
    subprocess.run(
        [python, "-c", GENERATE, "generate", f"--out={out}", *arguments],
        check=True,
        capture_output=True,
        env=os.environ | environment,
        timeout=120,
    )
    return {v: contents(EmittedSuite(out).version_folder(v)) for v in VERSIONS}


def assert_same(suite: EmittedSuite, emitted: dict[int, dict[str, bytes]]) -> None:
    for version, files in emitted.items():
        here = contents(suite.version_folder(version))
        assert files.keys() == here.keys()
        assert [name for name, content in files.items() if content != here[name]] == []


def test_the_bytes_depend_neither_on_the_seed_of_hashes_nor_on_what_else_is_generated(
    suite: EmittedSuite, tmp_path: Path
) -> None:
    assert_same(suite, emitted_by(sys.executable, tmp_path / "one", PYTHONHASHSEED="1"))
    out = tmp_path / "other"
    assert_same(suite, emitted_by(sys.executable, out, PYTHONHASHSEED="4294967295"))
    mine, whole = EmittedSuite(out).manifest, suite.manifest
    assert mine["files"] == {folder: whole["files"][folder] for folder in mine["files"]}
    assert mine["operators"] == [e for e in whole["operators"] if e["version"] in VERSIONS]


@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13"])
def test_the_bytes_do_not_depend_on_the_python(
    suite: EmittedSuite, tmp_path: Path, name: str
) -> None:
    python = shutil.which(name)
    path = {"PYTHONPATH": os.pathsep.join(ROOTS)}
    if python is None or not _has_the_package(python, path):
        pytest.skip(f"there is no {name} with what the package needs")
    assert_same(suite, emitted_by(python, tmp_path / "suite", **path))


def _has_the_package(python: str, environment: dict[str, str]) -> bool:
    probe = (
        "import onnx_cts_generator.emit, importlib.metadata as m; "
        "m.version('onnx-cts'), m.version('covertable')"
    )
    tried = subprocess.run(
        [python, "-c", probe], check=False, capture_output=True, env=os.environ | environment
    )
    return tried.returncode == 0
