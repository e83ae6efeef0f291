from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command_line import REFUSES, Cache, onnx_cts


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """Made by a run that names no suite; to be read and never changed."""
    folder = tmp_path_factory.mktemp("cache")
    return Cache(folder, onnx_cts("run", REFUSES, "--version", 10, XDG_CACHE_HOME=str(folder)))


@pytest.fixture(scope="session")
def suite_10(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cases of DequantizeLinear 10, to be read and never changed."""
    folder = tmp_path_factory.mktemp("version_10") / "suite"
    options = ("--operator", "DequantizeLinear", "--version", 10)
    assert onnx_cts("generate", "--out", folder, *options).status == 0
    return folder


@pytest.fixture
def own_suite_10(suite_10: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(suite_10, tmp_path / "suite"))
