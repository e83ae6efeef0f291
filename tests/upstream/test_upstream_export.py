"""The export holds what ONNX builds in memory, in the bytes that ONNX used to write."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from onnx.backend.test import cmd_tools
from onnx.backend.test.runner import Runner
from upstream_folders import complaint, onnx_cts, tree

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.upstream import building
from onnx_cts_generator.upstream.building import OfficialCase, OfficialCases
from onnx_cts_generator.upstream.serializing import case_files


def test_no_case_is_missing(exported: Path, official: dict[str, Any]) -> None:
    assert sorted(path.name for path in (exported / "node").iterdir()) == sorted(official)
    if onnx.__version__ == "1.23.2":
        assert len(official) == 1884


def test_each_case_reads_back_as_it_is_in_memory(exported: Path, official: dict[str, Any]) -> None:
    wrong = []
    for name, case in official.items():
        folder = exported / "node" / name
        model = onnx.load(folder / "model.onnx")
        if model.SerializeToString() != case.model.SerializeToString():
            wrong.append(f"{name}/model.onnx")
        for k, sides in enumerate(case.data_sets):
            infos = model.graph.input, model.graph.output
            for what, values, info in zip(("input", "output"), sides, infos, strict=True):
                for i, value in enumerate(values):
                    read: list[Any] = []
                    # The very reader of ONNX's runner; it makes no use of its object.
                    path = folder / f"test_data_set_{k}" / f"{what}_{i}.pb"
                    Runner._load_proto(None, str(path), read, info[i].type)
                    if not _equal(read[0], value):
                        wrong.append(f"{name}/{path.name}")
    assert wrong == []


def _equal(read: Any, value: Any) -> bool:
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if isinstance(value, list):
        return len(read) == len(value) and all(map(_equal, read, value))
    if value is None or read is None:
        return value is read
    if value.dtype.kind in "OSU":
        return read.shape == value.shape and bool(np.all(read == value))
    same_type = (read.dtype, read.shape) == (value.dtype, value.shape)
    return bool(same_type and read.tobytes() == value.tobytes())


def test_sequences_and_optionals_are_among_the_cases(official: dict[str, Any]) -> None:
    kinds = {
        info.type.WhichOneof("value")
        for case in official.values()
        for info in (*case.model.graph.input, *case.model.graph.output)
    }
    assert kinds == {"tensor_type", "sequence_type", "optional_type"}


def test_the_bytes_are_those_of_onnx_itself(
    exported: Path, official: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What wrote ONNX's serialized node cases still writes its model cases: hand it the node cases.
    monkeypatch.setattr(cmd_tools.model_test, "collect_testcases", lambda: list(official.values()))
    cmd_tools.generate_data(Namespace(output=str(tmp_path)))
    ours, theirs = tree(exported / "node"), tree(tmp_path / "node")
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if ours[name] != theirs[name]] == []


def test_a_map_is_written_as_one() -> None:
    # No official case has one.
    value = {3: np.array([1.5], np.float32), 4: np.array([2.5], np.float32)}
    tensor = onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, [1])
    info = onnx.helper.make_value_info("m", onnx.helper.make_map_type_proto(7, tensor))
    model = onnx.helper.make_model(onnx.helper.make_graph([], "g", [info], []))
    files = dict(case_files(OfficialCase("test_map", "", "X", model, [([value], [])])))
    assert list(files) == ["model.onnx", "test_data_set_0/input_0.pb"]
    stored = onnx.MapProto.FromString(files["test_data_set_0/input_0.pb"])
    assert stored.name == "m"
    assert numpy_helper.to_dict(stored) == value


def test_another_process_writes_the_same_bytes_and_no_noise(exported: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    done = subprocess.run(
        [sys.executable, "-W", "always", "-m", "onnx_cts_generator.upstream", str(out)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    assert done.stderr == ""
    assert done.stdout.endswith(f" files written to {out}\n")
    assert tree(out) == tree(exported)


def test_the_process_is_left_as_it_was(official: dict[str, Any]) -> None:
    name = "onnx.backend.test.case.node"
    before, state = sys.modules[name], np.random.get_state()[1].tolist()
    cases = OfficialCases(["Relu"])
    assert [case.name for batch in cases for case in batch] == [
        "test_relu",
        "test_relu_expanded_ver18",
    ]
    assert sys.modules[name] is before is onnx.backend.test.case.node
    assert np.random.get_state()[1].tolist() == state
    assert len(before._NodeTestCases) == len(official)


def test_an_operator_that_is_named_is_exported_alone_with_its_expansions(
    exported: Path, tmp_path: Path
) -> None:
    out = tmp_path / "some"
    done = onnx_cts("upstream", "export", "--out", out, "--operator", "Celu", "--operator", "Abs")
    names = sorted(path.name for path in (out / "node").iterdir())
    assert names == sorted(
        path.name
        for path in (exported / "node").iterdir()
        if path.name.startswith(("test_celu", "test_abs"))
    )
    assert f"{len(names)} cases in " in done.out
    assert tree(out / "node").items() <= tree(exported / "node").items()


def test_an_operator_without_cases_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "none"
    said = complaint(onnx_cts("upstream", "export", "--out", out, "--operator", "QuantiseLinear"))
    assert said.startswith(f"onnx {onnx.__version__} has no node case of QuantiseLinear; did you")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_of_onnx_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = building.import_module

    def failing(name: str) -> Any:
        if name.endswith(".acos"):
            raise ImportError("no such thing")
        return genuine(name)

    monkeypatch.setattr(building, "import_module", failing)
    said = complaint(onnx_cts("upstream", "export", "--out", tmp_path / "out"))
    assert said.endswith("node.acos: ImportError: no such thing")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    with pytest.raises(GenerateError, match="no node case of Nothing"):
        list(OfficialCases(["Nothing"]))


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of POSIX")
def test_a_terminal_is_shown_the_progress(tmp_path: Path) -> None:
    import pty

    screen, terminal = pty.openpty()
    code = "from onnx_cts_generator.cli import main; main()"
    arguments = ["upstream", "export", "--out", str(tmp_path / "out"), "--operator", "Abs"]
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stderr=terminal, stdout=subprocess.PIPE
    ) as child:
        os.close(terminal)
        shown = b""
        try:
            while chunk := os.read(screen, 4096):
                shown += chunk
        except OSError:
            pass  # The other end is closed: all is read.
        out = child.stdout.read() if child.stdout else b""
    os.close(screen)
    assert b"exporting" in shown
    assert b"100%" in shown
    assert out == f"1 cases in 3 files written to {tmp_path / 'out'}\n".encode()
