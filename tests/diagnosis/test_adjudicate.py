"""`onnx-cts adjudicate`: what a person with a bug report in hand needs."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner, Result
from onnx import TensorProto, helper, numpy_helper

from onnx_cts_generator.cli import main

DEVIANT = Path(__file__).parent / "deviant.py"


def adjudicate(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["adjudicate", *map(str, arguments)], catch_exceptions=False)


def model(
    path: Path, *, axis: int | None = None, shape: tuple[object, ...] = (2, 3), opset: int = 21
) -> Path:
    attributes = {} if axis is None else {"axis": axis}
    node = helper.make_node("DequantizeLinear", ["a", "b"], ["c"], **attributes)
    graph = helper.make_graph(
        [node],
        "bug",
        [
            helper.make_tensor_value_info("a", TensorProto.INT8, shape),
            helper.make_tensor_value_info("b", TensorProto.FLOAT, (3,)),
        ],
        [helper.make_tensor_value_info("c", TensorProto.FLOAT, shape)],
    )
    opsets = [helper.make_opsetid("", opset)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), path)
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for index, array in enumerate(
        [np.array([[1, 2, 3], [4, 5, 6]], np.int8), np.array([1, 10, 100], np.float32)]
    ):
        content = numpy_helper.from_array(array).SerializeToString()
        (folder / f"input_{index}.pb").write_bytes(content)
    return folder


def test_a_valid_call_is_shown_with_its_rules_and_its_expected_output(
    tmp_path: Path, data: Path
) -> None:
    result = adjudicate(model(tmp_path / "m.onnx"), "--data", data)
    lines = result.output.splitlines()
    assert result.exit_code == 0
    assert lines[0] == "DequantizeLinear 21, per-axis"
    assert any(line.startswith("rule  per-axis-length: met.") for line in lines)
    assert any(line.startswith("rule  blocked-shape: does not apply.") for line in lines)
    assert "expected  y: float[2,3] [[ 1. 20. 300.] [ 4. 50. 600.]]" in lines


def test_a_wrong_backend_is_told_what_it_did_and_a_right_one_that_it_is_right(
    tmp_path: Path, data: Path
) -> None:
    path = model(tmp_path / "m.onnx")
    result = adjudicate(
        path,
        "--data",
        data,
        "--backend",
        f"{DEVIANT}:first-scale-for-all",
        "--backend",
        "onnxruntime",
    )
    wrong, right = result.output.splitlines()[-2:]
    assert result.exit_code == 1
    assert "wrong_value" in wrong
    assert "first-scale-for-all" in wrong.rpartition("[")[2]
    assert right.endswith("  exact")


def test_a_broken_rule_is_named_and_a_refusal_expected(tmp_path: Path, data: Path) -> None:
    result = adjudicate(
        model(tmp_path / "m.onnx", axis=2), "--data", data, "--backend", "onnxruntime"
    )
    lines = result.output.splitlines()
    assert any(line.startswith("rule  axis-range: broken. Accepted range") for line in lines)
    assert "expected  a refusal" in lines
    assert "  rejected  " in lines[-1]


def test_an_open_call_is_shown_under_each_reading(tmp_path: Path, data: Path) -> None:
    path = model(tmp_path / "m.onnx", shape=(3,))
    (data / "input_0.pb").write_bytes(
        numpy_helper.from_array(np.array([1, 2, 3], np.int8)).SerializeToString()
    )
    result = adjudicate(path, "--data", data, "--backend", "onnxruntime")
    lines = result.output.splitlines()
    assert any(line.startswith("open  default-axis-on-rank-1: ") for line in lines)
    assert any(line.startswith("rule  axis-range: left open.") for line in lines)
    assert "expected  y under axis-0: float[3] [ 1. 20. 300.]" in lines
    assert "reading refused" in lines[-1]


def test_inputs_are_made_where_none_are_named(tmp_path: Path) -> None:
    result = adjudicate(model(tmp_path / "m.onnx"), "--backend", "onnxruntime")
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].endswith("  exact")


def external(path: Path, location: str) -> Path:
    proto = onnx.load(model(path))
    tensor = TensorProto(name="b", data_type=TensorProto.FLOAT, dims=[3])
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    del proto.graph.input[1]
    proto.graph.initializer.append(tensor)
    path.write_bytes(proto.SerializeToString())
    return path


def test_external_data_beside_the_model_is_read(tmp_path: Path) -> None:
    (tmp_path / "b.bin").write_bytes(np.array([1, 2, 4], "<f4").tobytes())
    result = adjudicate(external(tmp_path / "m.onnx", "b.bin"), "--backend", "onnxruntime")
    assert result.output.splitlines()[-1].endswith("  exact")


@pytest.mark.parametrize("location", ["../b.bin", "/etc/hostname", "sub/../../b.bin", ""])
def test_external_data_elsewhere_is_never_read(location: str, tmp_path: Path) -> None:
    result = adjudicate(external(tmp_path / "m.onnx", location))
    assert result.exit_code == 2
    assert f"the data of b is in {location!r}, outside of the folder" in result.output


def test_what_cannot_be_used_is_said_in_one_line(tmp_path: Path, data: Path) -> None:
    two = onnx.load(model(tmp_path / "two.onnx"))
    two.graph.node.append(helper.make_node("Identity", ["c"], ["d"]))
    (tmp_path / "two.onnx").write_bytes(two.SerializeToString())
    (tmp_path / "no.onnx").write_bytes(b"no model")
    (data / "input_1.pb").unlink()
    for arguments, problem in [
        ([tmp_path / "none.onnx"], "No such file"),
        ([tmp_path / "no.onnx"], "not a serialized ModelProto"),
        ([tmp_path / "two.onnx"], "the model has 2 nodes beside Constants"),
        ([model(tmp_path / "m.onnx"), "--data", data], "the model has the inputs a, b"),
        ([model(tmp_path / "s.onnx", shape=("n", 3))], "has no static shape"),
        ([model(tmp_path / "o.onnx", opset=9)], "no version at opset 9"),
        ([model(tmp_path / "m.onnx"), "--backend", "nobody"], "unknown backend 'nobody'"),
    ]:
        result = adjudicate(*arguments)
        assert result.exit_code == 2
        assert problem in result.output
        assert result.output.splitlines()[-1].startswith("onnx-cts: ")
        assert "Traceback" not in result.output
