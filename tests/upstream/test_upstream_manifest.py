"""The manifest tells what an export holds, and guards the next one against losing any of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from upstream_folders import complaint, onnx_cts, tree

from onnx_cts_generator.upstream import building


@pytest.fixture
def two_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets ONNX have the cases of Abs and Relu alone, which are built in no time."""

    def submodules(package: Any) -> list[str]:
        return [f"{package.__name__}.abs", f"{package.__name__}.relu"]

    monkeypatch.setattr(building, "_submodules", submodules)


@pytest.fixture(scope="module")
def manifest(exported: Path) -> Any:
    return json.loads((exported / "manifest.json").read_bytes())


def test_the_hashes_are_those_of_all_files(exported: Path, manifest: Any) -> None:
    on_disk = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in tree(exported / "node").items()
    }
    listed = {
        f"{case}/{name}": digest
        for case, entry in manifest["cases"].items()
        for name, digest in entry["files"].items()
    }
    assert listed == on_disk


def test_the_counts_are_right(exported: Path, manifest: Any) -> None:
    files = tree(exported / "node")
    assert manifest["counts"] == {
        "cases": len(list((exported / "node").iterdir())),
        "files": len(files),
        "bytes": sum(map(len, files.values())),
    }
    assert sum(manifest["operators"].values()) == manifest["counts"]["cases"]
    assert manifest["made_with"]["onnx"] == onnx.__version__


def test_each_case_has_the_operator_it_tests_and_the_stamps_of_its_model(
    exported: Path, manifest: Any
) -> None:
    for name, entry in manifest["cases"].items():
        model = onnx.load(exported / "node" / name / "model.onnx")
        assert entry["opset"] == {o.domain: o.version for o in model.opset_import}
        assert entry["ir_version"] == model.ir_version
        nodes = {(node.domain, node.op_type) for node in model.graph.node}
        assert "_expanded" in name or (entry["domain"], entry["operator"]) in nodes
        if "_expanded" in name:
            original = manifest["cases"][name.partition("_expanded")[0]]
            assert entry["operator"] == original["operator"]


def _doctored(manifest: Any, path: Path, **extra: str) -> Path:
    cases = manifest["cases"] | {
        name: {"operator": operator, "files": {}} for name, operator in extra.items()
    }
    path.write_text(json.dumps(manifest | {"cases": cases}))
    return path


@pytest.mark.usefixtures("two_modules")
def test_an_export_that_keeps_all_cases_passes_its_own_manifest(tmp_path: Path) -> None:
    arguments = ["upstream", "export", "--out", tmp_path / "out", "--operator", "Abs"]
    assert onnx_cts(*arguments).status == 0
    before = tree(tmp_path / "out")
    again = onnx_cts(*arguments, "--baseline", tmp_path / "out" / "manifest.json")
    assert (again.status, again.err) == (0, "")
    assert tree(tmp_path / "out") == before


@pytest.mark.usefixtures("two_modules")
def test_a_lost_case_fails_and_leaves_the_folder_alone(manifest: Any, tmp_path: Path) -> None:
    extra = {"test_abs_gone": "Abs", "test_relu_gone": "Relu", "test_abs_too": "Abs"}
    baseline = _doctored(manifest, tmp_path / "baseline.json", **extra)
    done = onnx_cts(
        "upstream", "export", "--out", tmp_path / "out", "--operator", "Abs", "--baseline", baseline
    )
    assert done.status == 1
    assert done.out == "lost: test_abs_gone\nlost: test_abs_too\n"
    assert done.err == (f"onnx-cts: the export lost 2 cases of {baseline}; nothing was written\n")
    assert list(tmp_path.iterdir()) == [baseline]


@pytest.mark.usefixtures("two_modules")
def test_without_operators_every_case_of_the_baseline_counts(tmp_path: Path) -> None:
    empty = {"kind": "onnx-node-cases", "format": 1, "cases": {}}
    baseline = _doctored(empty, tmp_path / "baseline.json", test_gone="Gone", test_abs="Abs")
    done = onnx_cts("upstream", "export", "--out", tmp_path / "out", "--baseline", baseline)
    assert (done.status, done.out) == (1, "lost: test_gone\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"{", "is not the manifest of an export"),
        (b"[]", "is not the manifest of an export"),
        (b'{"format": 1}', "is not the manifest of an export"),
        (b'{"kind": "onnx-node-cases", "format": 1, "cases": {"a": 3}}', "is not the manifest"),
        (b'{"kind": "other", "format": 1}', "is a manifest of kind 'other', format 1, where"),
        (b"\xff", "is not the manifest of an export"),
    ],
)
def test_a_baseline_that_is_no_manifest_is_refused_at_once(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    baseline = tmp_path / "baseline.json"
    if content is not None:
        baseline.write_bytes(content)
    done = onnx_cts("upstream", "export", "--out", tmp_path / "out", "--baseline", baseline)
    assert complaint(done).startswith(f"{baseline} {said}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("what", ["a file", "a folder of others", "a suite", "a broken export"])
def test_what_is_no_export_is_not_replaced(tmp_path: Path, what: str) -> None:
    out = tmp_path / "out"
    content = {"a suite": '{"format": 1, "files": {}}', "a broken export": '{"kind": "onnx'}
    if what == "a file":
        out.write_text("mine")
    else:
        out.mkdir()
        (out / ("note" if what == "a folder of others" else "manifest.json")).write_text(
            content.get(what, "mine")
        )
    before = tree(tmp_path)
    said = complaint(onnx_cts("upstream", "export", "--out", out))
    assert said == (f"{out} is not an export and is not empty; name another folder, or remove it")
    assert tree(tmp_path) == before


@pytest.mark.usefixtures("two_modules")
def test_an_older_export_and_an_empty_folder_are_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert onnx_cts("upstream", "export", "--out", out, "--operator", "Abs").status == 0
    (out / "node" / "stray").write_text("old")
    assert onnx_cts("upstream", "export", "--out", out, "--operator", "Relu").status == 0
    assert {path.name for path in (out / "node").iterdir()} == {
        "test_relu",
        "test_relu_expanded_ver18",
    }
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.usefixtures("two_modules")
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_at_the_last_moment_leaves_the_older_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    out = tmp_path / "out"
    assert onnx_cts("upstream", "export", "--out", out, "--operator", "Abs").status == 0
    before = tree(tmp_path)
    rename = Path.rename

    def failing(path: Path, target: Path) -> Path:
        if ".partial-" in path.name:
            raise error
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    done = onnx_cts("upstream", "export", "--out", out)
    assert done.status in {1, 2}
    assert "cannot be written: No space left" in done.err or done.err.strip() == "Aborted!"
    assert tree(tmp_path) == before


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = complaint(onnx_cts("upstream", "export", "--out", tmp_path / "file" / "out"))
    assert said.startswith(f"{tmp_path / 'file' / 'out'} cannot be written: Not a directory")
