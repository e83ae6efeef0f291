"""Any folder in ONNX's classic layout is run, and what cannot be used costs one case."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from classic_folders import (
    REFERENCE,
    dequantize_case,
    identity_case,
    model_of,
    only,
    run,
    value_info,
    write_case,
)
from onnx import helper, numpy_helper

from onnx_cts_harness import SuiteError, open_folder

ONES = np.ones(3, np.float32)


def verdicts(folder: Path) -> dict[str, str]:
    """The verdict of each case on ONNX's reference."""
    return {name: str(result.verdict) for name, result in run(folder).items()}


def test_cases_are_found_at_any_depth_and_named_by_their_path(tmp_path: Path) -> None:
    identity_case(tmp_path / "node" / "test_a", ONES, ONES)
    identity_case(tmp_path / "my" / "own" / "case", ONES, ONES)
    identity_case(tmp_path / ".cache" / "test_b", ONES, ONES)
    assert verdicts(tmp_path) == {"my/own/case": "exact", "node/test_a": "exact"}


def test_a_folder_that_is_itself_a_case_is_run(tmp_path: Path) -> None:
    identity_case(tmp_path / "test_a", ONES, ONES)
    assert verdicts(tmp_path / "test_a") == {"test_a": "exact"}


def test_a_case_has_no_features_to_be_expected_by(tmp_path: Path) -> None:
    identity_case(tmp_path / "test_a", ONES, ONES)
    suite = open_folder(tmp_path)
    assert [suite.features(entry) for entry in suite.entries.values()] == [()]


def test_each_data_set_is_a_case_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    model = model_of([helper.make_node("Identity", ["x"], ["y"])], {"x": ONES}, {"y": ONES})
    for number in (10, 0, 9):
        given = ONES * number
        folder = write_case(tmp_path / "t", model, [given], [given], f"test_data_set_{number}")
    (folder / "test_data_set_9" / "output_0.pb").write_bytes(
        numpy_helper.from_array(ONES).SerializeToString()
    )
    assert list(verdicts(tmp_path).items()) == [
        ("t/test_data_set_0", "exact"),
        ("t/test_data_set_9", "wrong_value"),
        ("t/test_data_set_10", "exact"),
    ]


def test_the_operator_and_its_opset_are_those_of_the_one_node(tmp_path: Path) -> None:
    identity_case(tmp_path / "test_one", ONES, ONES)
    nodes = [helper.make_node("Identity", [a], [b]) for a, b in ("xt", "ty")]
    write_case(tmp_path / "test_two", model_of(nodes, {"x": ONES}, {"y": ONES}), [ONES], [ONES])
    found = {name: (r.operator, r.version) for name, r in run(tmp_path).items()}
    assert found == {"test_one": ("Identity", 21), "test_two": ("(graph)", 21)}
    assert list(run(tmp_path, operators=["(graph)"])) == ["test_two"]


def test_constants_beside_a_node_do_not_make_a_graph(tmp_path: Path) -> None:
    constant = helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(ONES))
    add = helper.make_node("Add", ["x", "c"], ["y"])
    write_case(tmp_path, model_of([constant, add], {"x": ONES}, {"y": ONES}), [ONES], [2 * ONES])
    assert (only(tmp_path).operator, only(tmp_path).verdict) == ("Add", "exact")


def test_an_operator_that_no_case_has_is_one_clear_error(tmp_path: Path) -> None:
    identity_case(tmp_path / "test_a", ONES, ONES)
    with pytest.raises(SuiteError, match="no case of operator Add; it has Identity"):
        run(tmp_path, operators=["Add"])


def test_inputs_are_for_the_graph_inputs_without_an_initializer(tmp_path: Path) -> None:
    """Models of IR 3 list their weights among the inputs, in any order."""
    weights = numpy_helper.from_array(ONES, "w")
    node = helper.make_node("Sub", ["x", "w"], ["y"])
    inputs = {"w": ONES, "x": ONES}
    model = model_of([node], inputs, {"y": ONES}, initializers=[weights])
    write_case(tmp_path / "test_needed", model, [3 * ONES], [2 * ONES])
    write_case(tmp_path / "test_all", model, [2 * ONES, 3 * ONES], [ONES])
    assert verdicts(tmp_path) == {"test_all": "exact", "test_needed": "exact"}


def _cut(file: Path, size: int) -> None:
    file.write_bytes(file.read_bytes()[:size])


def _spoiled(folder: Path) -> None:
    """Eight cases that cannot be used, and one that can."""
    names = ["good", "model", "text", "empty", "input", "output", "bare", "set", "few"]
    cases = {n: identity_case(folder / f"test_{n}", ONES, ONES) for n in names}
    _cut(cases["model"] / "model.onnx", 40)
    text = (cases["text"] / "model.onnx").read_bytes()
    (cases["text"] / "model.onnx").write_bytes(text.replace(b"Identity", b"Identit\xff"))
    _cut(cases["empty"] / "model.onnx", 0)
    _cut(cases["input"] / "test_data_set_0" / "input_0.pb", 10)
    _cut(cases["output"] / "test_data_set_0" / "output_0.pb", 0)
    (cases["bare"] / "model.onnx").unlink()
    (cases["set"] / "test_data_set_0").rename(cases["set"] / "data")
    (cases["few"] / "test_data_set_0" / "input_0.pb").unlink()
    (folder / "test_nothing").mkdir()


def test_what_cannot_be_used_is_one_line_each_and_the_rest_runs(tmp_path: Path) -> None:
    _spoiled(tmp_path)
    found = {n.removeprefix("test_"): r for n, r in run(tmp_path).items()}
    assert found.pop("good").verdict == "exact"
    assert {str(r.verdict) for r in found.values()} == {"harness_error"}
    assert all("\n" not in r.message for r in found.values())
    assert {name: r.message.partition(": ")[2] for name, r in found.items()} == {
        "model": "not a serialized ModelProto, perhaps cut short",
        "text": "names that are no text, perhaps cut short",
        "empty": "a model without outputs, perhaps cut short",
        "input": "not a serialized TensorProto, perhaps cut short",
        "output": "the tensor has no element type, perhaps cut short",
        "bare": "No such file or directory",
        "set": "no folder test_data_set_0 with inputs and outputs",
        "few": "0 inputs (input_0.pb and so on), and the model takes 1",
        "nothing": "No such file or directory",
    }
    assert found["bare"].message.startswith("test_bare/model.onnx: ")
    assert found["input"].message.startswith("test_input/test_data_set_0/input_0.pb: ")


@pytest.mark.parametrize("size", range(0, 26, 5))
def test_a_tensor_cut_anywhere_is_noticed(tmp_path: Path, size: int) -> None:
    case = identity_case(tmp_path / "test_a", ONES.astype(np.int64), ONES.astype(np.int64))
    _cut(case / "test_data_set_0" / "input_0.pb", size)
    assert only(tmp_path).verdict == "harness_error"


def _external_case(folder: Path, location: str) -> Path:
    weights = onnx.TensorProto(name="w", data_type=1, dims=[3], data_location=1)
    weights.external_data.add(key="location", value=location)
    node = helper.make_node("Add", ["x", "w"], ["y"])
    model = model_of([node], {"x": ONES}, {"y": ONES}, initializers=[weights])
    return write_case(folder, model, [ONES], [3 * ONES])


def test_external_data_is_found_below_the_case(tmp_path: Path) -> None:
    case = _external_case(tmp_path / "test_a", "data/w.bin")
    (case / "data").mkdir()
    (case / "data" / "w.bin").write_bytes((2 * ONES).tobytes())
    assert {str(only(tmp_path, b).verdict) for b in (REFERENCE, "onnxruntime")} == {"exact"}


@pytest.mark.parametrize("location", ["../w.bin", "/etc/hostname", "..\\w.bin", "C:\\w.bin", ""])
def test_external_data_outside_of_the_case_is_never_read(tmp_path: Path, location: str) -> None:
    (tmp_path / "w.bin").write_bytes(ONES.tobytes())
    _external_case(tmp_path / "test_a", location)
    result = only(tmp_path)
    assert result.verdict == "harness_error"
    assert result.message == (
        f"test_a/model.onnx: the data of w is in {location!r}, outside of the folder"
    )


def test_a_link_out_of_the_case_is_outside_too(tmp_path: Path) -> None:
    (tmp_path / "w.bin").write_bytes(ONES.tobytes())
    case = _external_case(tmp_path / "test_a", "w.bin")
    (case / "w.bin").symlink_to(tmp_path / "w.bin")
    assert "outside of the folder" in only(tmp_path).message


def test_external_data_that_is_missing_is_named(tmp_path: Path) -> None:
    _external_case(tmp_path / "test_a", "w.bin")
    assert only(tmp_path).message == (
        "test_a/model.onnx: the data of w is in 'w.bin': No such file or directory"
    )


def test_what_is_no_tensor_of_numbers_is_not_runnable(tmp_path: Path) -> None:
    identity_case(tmp_path / "test_string", np.array(["a"], object), np.array(["a"], object))
    node = helper.make_node("SequenceConstruct", ["x"], ["y"])
    model = model_of([node], {"x": ONES}, {})
    element = helper.make_tensor_type_proto(1, [3])
    for name, kind in (("sequence", helper.make_sequence_type_proto(element)),
                       ("optional", helper.make_optional_type_proto(element))):  # fmt: skip
        model.graph.ClearField("output")
        model.graph.output.append(helper.make_value_info("y", kind))
        write_case(tmp_path / f"test_{name}", model, [ONES], [])
    found = run(tmp_path)
    assert {str(r.verdict) for r in found.values()} == {"not_runnable"}
    assert found["test_sequence"].message == (
        "y is of the kind sequence; only tensors of numbers are passed to backends"
    )
    assert "x is of the kind string tensor" in found["test_string"].message


def test_the_manifest_of_an_export_makes_no_suite(tmp_path: Path) -> None:
    identity_case(tmp_path / "node" / "test_a", ONES, ONES)
    (tmp_path / "manifest.json").write_text(json.dumps({"kind": "cases", "format": 1}))
    assert verdicts(tmp_path) == {"node/test_a": "exact"}


@pytest.mark.parametrize("manifest", ["{", "{}", "[]"])
def test_a_broken_manifest_is_a_broken_suite(tmp_path: Path, manifest: str) -> None:
    identity_case(tmp_path / "node" / "test_a", ONES, ONES)
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(SuiteError, match=r"manifest\.json"):
        open_folder(tmp_path)


def test_a_folder_without_cases_is_no_suite(tmp_path: Path) -> None:
    (tmp_path / "test_nothing").mkdir()
    with pytest.raises(SuiteError, match="no suite here"):
        open_folder(tmp_path)


def test_the_hash_names_what_the_cases_hold(tmp_path: Path) -> None:
    case = identity_case(tmp_path / "a" / "test_a", ONES, ONES)
    before = open_folder(tmp_path / "a").hash
    (tmp_path / "a").rename(tmp_path / "b")
    assert open_folder(tmp_path / "b").hash == before
    _cut(tmp_path / "b" / case.name / "test_data_set_0" / "output_0.pb", 3)
    assert open_folder(tmp_path / "b").hash != before


def test_a_case_without_outputs_is_an_error_unless_the_reference_knows_them(tmp_path: Path) -> None:
    (identity_case(tmp_path / "test_a", ONES, ONES) / "test_data_set_0/output_0.pb").unlink()
    (dequantize_case(tmp_path / "test_b") / "test_data_set_0/output_0.pb").unlink()
    found = run(tmp_path)
    assert (found["test_a"].verdict, found["test_b"].verdict) == ("harness_error", "exact")
    assert found["test_a"].message == ("test_a: no expected outputs, and no reference to give them")


def test_too_few_outputs_are_an_error(tmp_path: Path) -> None:
    nodes = [helper.make_node("Identity", ["x"], [name]) for name in "yz"]
    model = model_of(nodes, {"x": ONES}, {"y": ONES, "z": ONES})
    write_case(tmp_path, model, [ONES], [ONES])
    assert only(tmp_path).message.endswith("1 expected outputs, and the model gives 2")


def test_an_input_without_a_type_in_the_model_is_fed_as_its_file_has_it(tmp_path: Path) -> None:
    node = helper.make_node("Identity", ["x"], ["y"])
    model = model_of([node], {"x": ONES}, {"y": ONES})
    model.graph.input[0].CopyFrom(value_info("x", ONES))
    model.graph.input[0].ClearField("type")
    write_case(tmp_path, model, [ONES], [ONES])
    assert only(tmp_path).verdict == "exact"
