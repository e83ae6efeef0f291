from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from upstream_folders import onnx_cts


@pytest.fixture(scope="session")
def official() -> dict[str, Any]:
    """ONNX's own node cases as its own builder keeps them in memory, by name."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {case.name: case for case in collect_testcases(None)}


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole corpus, to be read and never changed."""
    folder = tmp_path_factory.mktemp("upstream") / "export"
    done = onnx_cts("upstream", "export", "--out", folder)
    assert (done.status, done.err) == (0, "")
    return folder


@pytest.fixture
def pair(exported: Path, tmp_path: Path) -> Callable[..., tuple[Path, Path]]:
    """Gives two equal folders with the cases named, to be changed."""

    def copied(*names: str) -> tuple[Path, Path]:
        roots = tmp_path / "first", tmp_path / "second"
        for root in roots:
            for name in names:
                shutil.copytree(exported / "node" / name, root / "node" / name)
        return roots

    return copied
