"""A backend is found by its name, or the error says which names there are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.registry import ADAPTERS, built_in, known_names, resolve


def test_each_file_of_the_folder_is_a_built_in_backend() -> None:
    files = {file for file in ADAPTERS.glob("*.py") if file.stem != "__init__"}
    assert set(built_in().values()) == files
    assert built_in()["onnx-reference"] == ADAPTERS / "onnx_reference.py"
    assert built_in()["onnxruntime"] == ADAPTERS / "onnxruntime.py"


def test_a_variant_follows_a_colon() -> None:
    spec = resolve("onnxruntime:optimized")
    assert (spec.name, spec.variant, spec.argument) == ("onnxruntime", "optimized", "optimized")


@pytest.mark.parametrize("name", ["onnxruntim", "", ":", "a.b:", "a..b", "a b.c"])
def test_an_unknown_name_gives_one_clear_error(name: str) -> None:
    with pytest.raises(BackendError, match=r"known are backend-api, command, .*onnx-reference, "):
        resolve(name)


def test_a_missing_file_gives_one_clear_error() -> None:
    with pytest.raises(BackendError, match=r"there is no file no/such\.py"):
        resolve("no/such.py")


@pytest.fixture
def third_party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed distribution with an adapter whose package must not be imported."""
    info = tmp_path / "third_party-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third-party\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[onnx_cts.adapters]\ntheirs = third_party.adapter\ngone = third_party.gone\n"
    )
    package = tmp_path / "third_party"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('imported')")
    (package / "adapter.py").write_text("raise ImportError('imported')")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    return package


def test_other_distributions_register_adapters(third_party: Path) -> None:
    spec = resolve("theirs:some")
    assert (spec.name, spec.variant) == ("theirs", "some")
    assert spec.adapter == third_party / "adapter.py"
    assert "theirs" in known_names()
    assert "third_party" not in sys.modules


def test_a_registered_adapter_without_a_file_gives_one_clear_error(third_party: Path) -> None:
    with pytest.raises(BackendError, match=r"'gone': no file of the module third_party\.gone"):
        resolve("gone")
