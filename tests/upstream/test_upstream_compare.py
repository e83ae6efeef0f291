"""What differs between two exports is named and measured; what is broken stops nothing else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from upstream_folders import (
    INPUT,
    OUTPUT,
    Finished,
    change,
    change_model,
    complaint,
    onnx_cts,
    tree,
)

Pair = Callable[..., tuple[Path, Path]]

SEQUENCE = "test_sequence_insert_at_back"
OPTIONAL = "test_optional_has_element_optional_input"


def compare(first: Path, second: Path, *options: str) -> Finished:
    return onnx_cts("upstream", "compare", first, second, *options)


def difference(first: Path, second: Path) -> list[str]:
    """The lines of a comparison that finds differences in one case and nothing else."""
    done = compare(first, second)
    assert (done.status, done.err) == (1, "")
    *lines, total = done.out.splitlines()
    assert "0 cases equal, 1 differ, 0 added, 0 removed" in total
    return [line.partition(": ")[2] for line in lines]


def replace(path: Path, array: np.ndarray[Any, Any], name: str) -> None:
    path.write_bytes(numpy_helper.from_array(array, name).SerializeToString())


def array(path: Path) -> np.ndarray[Any, Any]:
    return numpy_helper.to_array(onnx.TensorProto.FromString(path.read_bytes())).copy()


def test_an_export_equals_itself(exported: Path) -> None:
    done = compare(exported, exported)
    count = len(list((exported / "node").iterdir()))
    said = f"{count} cases equal, 0 differ, 0 added, 0 removed\n"
    assert done == Finished(0, said, "")


def test_cases_that_came_and_went_are_named(pair: Pair) -> None:
    first, second = pair("test_abs", "test_relu", "test_celu")
    shutil.rmtree(first / "node" / "test_relu")
    shutil.rmtree(second / "node" / "test_celu")
    done = compare(first, second)
    assert done == Finished(
        1,
        "removed: test_celu\nadded: test_relu\n1 cases equal, 0 differ, 1 added, 1 removed\n",
        "",
    )


def _restamp(model: onnx.ModelProto) -> None:
    model.producer_name, model.ir_version = "other", model.ir_version + 1
    model.opset_import[0].version += 2
    model.opset_import.add(domain="com.example", version=1)


def test_stamps_are_told_from_the_rest_of_a_model(pair: Pair) -> None:
    first, second = pair("test_celu")
    model = onnx.load(first / "node" / "test_celu" / "model.onnx")
    ir, opset = model.ir_version, model.opset_import[0].version
    change_model(second / "node" / "test_celu", _restamp)
    stamps = (
        f"ir_version {ir}, then {ir + 1}, producer_name 'backend-test', then 'other', "
        f"opset ai.onnx {opset}, then {opset + 2}, opset com.example None, then 1"
    )
    assert difference(first, second) == [f"model.onnx: stamps: {stamps}"]
    assert "1 models differ (1 in stamps alone)" in compare(first, second).out


@pytest.mark.parametrize(
    ("how", "place"),
    [
        (
            lambda m: m.graph.node[0].attribute[0].__setattr__("f", np.nan),
            "graph.node[0].attribute",
        ),
        (lambda m: m.graph.node[0].__setattr__("op_type", "Elu"), "graph.node[0].op_type"),
        (lambda m: m.graph.input[0].__setattr__("name", "Z"), "graph.input[0].name"),
        (lambda m: m.graph.node.add(op_type="Abs"), "graph.node (1, then 2)"),
        (lambda m: m.graph.__setattr__("name", "other"), "graph.name"),
        (lambda m: m.__setattr__("doc_string", "words"), "doc_string"),
        (lambda m: m.metadata_props.add(key="a"), "metadata_props (0, then 1)"),
    ],
)
def test_the_place_in_a_model_that_differs_is_named(
    pair: Pair, how: Callable[[onnx.ModelProto], object], place: str
) -> None:
    first, second = pair("test_celu")
    change_model(second / "node" / "test_celu", how)
    (line,) = difference(first, second)
    assert line.startswith(f"model.onnx: model: {place}")
    assert "1 models differ (0 in stamps alone)" in compare(first, second).out


def test_a_model_that_differs_in_both_is_not_counted_as_stamps_alone(pair: Pair) -> None:
    first, second = pair("test_celu")
    change_model(second / "node" / "test_celu", _restamp)
    change_model(second / "node" / "test_celu", lambda m: m.graph.node[0].__setattr__("name", "x"))
    assert [line.split(": ")[1] for line in difference(first, second)] == ["stamps", "model"]
    assert "1 models differ (0 in stamps alone)" in compare(first, second).out


def test_the_same_model_in_other_bytes_is_said_to_be_so(pair: Pair) -> None:
    first, second = pair("test_celu")
    path = second / "node" / "test_celu" / "model.onnx"
    # The IR version, field 1, comes last and wins: same message, other order of fields.
    content = path.read_bytes()
    path.write_bytes(content[2:] + content[:2])
    assert difference(first, second) == ["model.onnx: stored: the same model in other bytes"]


def test_values_are_measured(pair: Pair) -> None:
    first, second = pair("test_relu")
    path = second / "node" / "test_relu" / OUTPUT
    values = array(path)
    values.flat[:2] = np.float32([1.0, 8.0])
    replace(first / "node" / "test_relu" / OUTPUT, values, "y")
    values.flat[:2] = np.float32([1.0 + 2**-22, 10.0])
    replace(path, values, "y")
    said = f"2 of {values.size} elements differ, at most 2097152 ULP, 0.2 relative, 2 absolute"
    assert difference(first, second) == [f"{OUTPUT}: values: {said}"]
    total = compare(first, second).out.splitlines()[-1]
    assert total.endswith("1 value files differ (at most 2097152 ULP, 0.2 relative, 2 absolute)")


def test_nan_is_any_nan_and_is_counted_where_it_is_on_one_side(pair: Pair) -> None:
    first, second = pair("test_relu")
    values = np.zeros(4, np.uint32)
    values[:2] = 0x7FC00000, 0x7F800001  # a quiet and a signalling one
    replace(first / "node" / "test_relu" / OUTPUT, values.view(np.float32), "y")
    values[:] = 0x7F800002, 0, 0x7FC00000, 0x80000000
    replace(second / "node" / "test_relu" / OUTPUT, values.view(np.float32), "y")
    said = "3 of 4 elements differ, at most 0 ULP, 0 relative, 0 absolute, 2 NaN on one side"
    assert difference(first, second) == [f"{OUTPUT}: values: {said}"]


def test_name_type_and_shape_are_told(pair: Pair) -> None:
    first, second = pair("test_relu")
    path = second / "node" / "test_relu" / INPUT
    values = array(path)
    replace(path, values.astype(np.float16).reshape(60), "other")
    assert difference(first, second) == [
        f"{INPUT}: name: 'x', then 'other'",
        f"{INPUT}: type: float32, then float16",
        f"{INPUT}: shape: [3, 4, 5], then [60]",
    ]


def test_the_same_values_in_a_typed_field_are_only_stored_otherwise(pair: Pair) -> None:
    first, second = pair("test_relu")

    def typed(tensor: onnx.TensorProto) -> None:
        values = numpy_helper.to_array(tensor).ravel()
        tensor.ClearField("raw_data")
        tensor.float_data.extend(values)

    change(second / "node" / "test_relu" / INPUT, onnx.TensorProto, typed)
    assert difference(first, second) == [f"{INPUT}: stored: the same value in other bytes"]


def test_elements_of_sequences_are_compared_one_by_one(pair: Pair) -> None:
    first, second = pair(SEQUENCE)

    def changed(sequence: onnx.SequenceProto) -> None:
        tensor = sequence.tensor_values[1]
        values = numpy_helper.to_array(tensor).copy()
        values.flat[0] += 3
        tensor.CopyFrom(numpy_helper.from_array(values))
        sequence.tensor_values.append(tensor)

    change(second / "node" / SEQUENCE / INPUT, onnx.SequenceProto, changed)
    count = len(
        onnx.SequenceProto.FromString(
            (first / "node" / SEQUENCE / INPUT).read_bytes()
        ).tensor_values
    )
    structure, values = difference(first, second)
    assert structure == f"{INPUT}: structure: {count} tensors, then {count + 1} tensors"
    assert values.startswith(f"{INPUT} [1]: values: 1 of ")
    assert "at most 3 ULP" in values


def test_an_optional_that_lost_its_value_is_told(pair: Pair) -> None:
    first, second = pair(OPTIONAL)
    how = onnx.OptionalProto.Clear
    change(second / "node" / OPTIONAL / INPUT, onnx.OptionalProto, how)
    assert f"{INPUT}: structure: 1 tensor, then 0 tensors" in difference(first, second)


def test_another_kind_of_value_is_told(pair: Pair) -> None:
    first, second = pair("test_relu", SEQUENCE)
    shutil.copytree(second / "node" / SEQUENCE, second / "node" / "test_relu", dirs_exist_ok=True)
    done = compare(first, second)
    assert f"test_relu: {INPUT}: type: TensorProto, then SequenceProto" in done.out.splitlines()


def test_files_of_one_side_and_files_of_others_are_told(pair: Pair) -> None:
    first, second = pair("test_relu")
    (second / "node" / "test_relu" / OUTPUT).unlink()
    (second / "node" / "test_relu" / "new.txt").write_text("1")
    for root, text in ((first, "abc"), (second, "x")):
        (root / "node" / "test_relu" / "note.txt").write_text(text)
    assert difference(first, second) == [
        "new.txt: only in one: only in the second",
        "note.txt: bytes: 3 bytes, then 1",
        f"{OUTPUT}: only in one: only in the first",
    ]


def test_the_document_says_the_same_for_machines(pair: Pair) -> None:
    first, second = pair("test_relu", "test_abs", "test_celu")
    shutil.rmtree(first / "node" / "test_abs")
    path = second / "node" / "test_relu" / OUTPUT
    values = array(path)
    values.flat[0] = np.nextafter(values.flat[0], np.float32(9))
    replace(path, values, "y")
    done = compare(first, second, "--json")
    assert (done.status, done.err) == (1, "")
    document = json.loads(done.out)
    (found,) = document["differing"][0].pop("found")
    assert document == {
        "first": str(first),
        "second": str(second),
        "same": False,
        "total": document["total"],
        "added": ["test_abs"],
        "removed": [],
        "differing": [{"case": "test_relu", "file": OUTPUT}],
        "troubles": [],
    }
    assert document["total"]["max_ulp"] == 1
    assert document["total"]["respects"] == {"values": 1}
    assert found["measure"] == {
        "wrong": 1,
        "elements": 60,
        "ulp": 1,
        "relative": pytest.approx(1e-7, rel=1),
        "absolute": pytest.approx(1e-7, rel=1),
        "nan": 0,
    }


def _truncate(case: Path) -> Path:
    path = case / OUTPUT
    path.write_bytes(path.read_bytes()[:-3])
    return path


def _empty(case: Path) -> Path:
    (case / INPUT).write_bytes(b"")
    return case / INPUT


def _cut_model(case: Path) -> Path:
    path = case / "model.onnx"
    path.write_bytes(path.read_bytes()[:-3])
    return path


def _no_model(case: Path) -> Path:
    (case / "model.onnx").unlink()
    return case


def _short(case: Path) -> Path:
    how = lambda tensor: setattr(tensor, "raw_data", tensor.raw_data[:-4])  # noqa: E731
    change(case / INPUT, onnx.TensorProto, how)
    return case / INPUT


def _unknown_type(case: Path) -> Path:
    change(case / INPUT, onnx.TensorProto, lambda tensor: setattr(tensor, "data_type", 99))
    return case / INPUT


def _elsewhere(case: Path) -> Path:
    def how(tensor: onnx.TensorProto) -> None:
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="../../../secret")

    change(case / INPUT, onnx.TensorProto, how)
    return case / INPUT


@pytest.mark.parametrize(
    ("breaks", "said"),
    [
        (_truncate, "not a serialized TensorProto"),
        (_empty, "The element type in the input tensor is UNDEFINED."),
        (_cut_model, "not a serialized ModelProto"),
        (_no_model, "has no model.onnx"),
        (_short, "cannot reshape array"),
        (_unknown_type, "99"),
        (_elsewhere, "the elements of a tensor are in another file"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_what_is_broken_is_one_line_and_the_rest_is_compared(
    pair: Pair, breaks: Callable[[Path], Path], said: str, side: int
) -> None:
    roots = pair("test_celu", "test_relu", "test_abs")
    path = breaks(roots[side] / "node" / "test_relu")
    change_model(roots[1] / "node" / "test_celu", _restamp)
    done = compare(*roots)
    assert done.status == 2
    (line,) = done.err.splitlines()
    assert line.startswith(f"onnx-cts: {path}: ")
    assert said in line
    assert done.out.startswith("test_celu: model.onnx: stamps: ")
    assert "1 cases equal, 1 differ, 0 added, 0 removed" in done.out
    assert done.out.endswith("1 could not be compared\n")
    assert json.loads(compare(*roots, "--json").out)["troubles"] == [
        line.removeprefix("onnx-cts: ")
    ]


def test_no_folder_is_changed(pair: Pair) -> None:
    first, second = pair("test_celu", "test_relu")
    _truncate(second / "node" / "test_relu")
    before = tree(first), tree(second)
    compare(first, second)
    assert (tree(first), tree(second)) == before


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda root: None, "is no folder"),
        (lambda root: root.write_text(""), "is no folder"),
        (lambda root: root.mkdir(), "is no export: it has no folder node; "),
        (lambda root: (root / "node").mkdir(parents=True), "node holds no case"),
    ],
)
def test_a_folder_that_is_no_export_is_one_line(
    exported: Path, tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    root = tmp_path / "other"
    make(root)
    line = complaint(compare(exported, root))
    assert line.startswith(f"{root} is no ")
    assert said in line
    assert complaint(compare(root, exported)) == line


def test_both_folders_that_are_no_exports_are_named(tmp_path: Path) -> None:
    line = complaint(compare(tmp_path / "a", tmp_path / "b"))
    assert line == f"{tmp_path / 'a'} is no folder; {tmp_path / 'b'} is no folder"
