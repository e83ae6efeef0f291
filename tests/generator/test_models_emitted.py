"""The models of the suite by onnx's own tools."""

from __future__ import annotations

import onnx
import pytest
from emitted import OPERATOR, VERSIONS, EmittedCase, EmittedSuite
from onnx import TensorProto, ValueInfoProto, defs, helper

RAW = "raw_data"


def valid(suite: EmittedSuite, version: int) -> tuple[EmittedCase, ...]:
    return suite.of(version, "value", "open")


@pytest.mark.parametrize("version", VERSIONS)
def test_models_import_an_opset_in_which_the_version_is_current(
    suite: EmittedSuite, version: int
) -> None:
    for case in suite.of(version):
        (imported,) = case.model.opset_import
        assert imported.domain == ""
        assert defs.get_schema(OPERATOR, imported.version).since_version == version, case
        assert case.document["opset"] == imported.version, case


def test_every_opset_in_which_a_version_is_known_to_be_current_occurs(
    suite: EmittedSuite,
) -> None:
    found = {case.model.opset_import[0].version for case in suite.cases}
    assert found == set(range(VERSIONS[0], VERSIONS[-1] + 1))


@pytest.mark.parametrize("version", VERSIONS)
def test_models_carry_the_lowest_ir_version(suite: EmittedSuite, version: int) -> None:
    for case in suite.of(version):
        lowest = helper.find_min_ir_version_for(list(case.model.opset_import))
        assert case.model.ir_version == lowest, case


@pytest.mark.parametrize("version", VERSIONS)
def test_models_hold_one_node_of_the_operator_and_constants_at_most(
    suite: EmittedSuite, version: int
) -> None:
    for case in suite.of(version):
        assert (case.node.op_type, case.node.domain) == (OPERATOR, ""), case
        assert list(case.node.output) == case.document["outputs"], case
        assert [o.name for o in case.model.graph.output] == case.document["outputs"], case
        assert case.model.producer_name == "onnx-cts"


@pytest.mark.parametrize("version", VERSIONS)
def test_value_and_open_models_pass_the_checker(suite: EmittedSuite, version: int) -> None:
    refused = {}
    for case in valid(suite, version):
        try:
            onnx.checker.check_model(str(case.path))
        except onnx.checker.ValidationError as error:
            refused[case.name] = str(error).partition("\n")[0]
    assert refused == {}


@pytest.mark.parametrize("version", VERSIONS)
def test_strict_shape_inference_agrees_with_the_declared_output(
    suite: EmittedSuite, version: int
) -> None:
    refused = {}
    for case in valid(suite, version):
        model = onnx.load(case.path)
        # Without the declaration, so that what is inferred cannot be read off it.
        model.graph.output[0].type.tensor_type.ClearField("shape")
        try:
            inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
        except onnx.shape_inference.InferenceError as error:
            refused[case.name] = str(error).partition("\n")[0]
            continue
        got, declared = (v.type.tensor_type for v in (inferred.graph.output[0], case.declared))
        assert got.elem_type == declared.elem_type, case
        if all(d.HasField("dim_value") for d in declared.shape.dim) and declared.shape.dim:
            assert got.shape == declared.shape, case
    assert refused == {}


@pytest.mark.parametrize("version", VERSIONS)
def test_graph_inputs_are_the_files_of_the_data_set(suite: EmittedSuite, version: int) -> None:
    for case in suite.of(version):
        given = case.model.graph.input
        files = sorted(path.name for path in case.folder.glob("test_data_set_0/input_*.pb"))
        assert files == [f"input_{index}.pb" for index in range(len(given))], case
        assert [value.name for value in given] == case.document["inputs"], case
        for index, value in enumerate(given):
            assert_described(value, case.proto(f"test_data_set_0/input_{index}.pb"), str(case))


@pytest.mark.parametrize("version", VERSIONS)
def test_expected_outputs_are_as_the_model_declares_them(suite: EmittedSuite, version: int) -> None:
    for case in valid(suite, version):
        outputs = [*case.folder.rglob("output_0*.pb")]
        assert outputs, case
        for path in outputs:
            assert_described(case.declared, TensorProto.FromString(path.read_bytes()), str(path))


def assert_described(value: ValueInfoProto, tensor: TensorProto, where: str) -> None:
    """The value info names the tensor, and has its type and, where it tells, its shape."""
    described = value.type.tensor_type
    assert (tensor.name, tensor.data_type) == (value.name, described.elem_type), where
    assert tensor.HasField(RAW), f"{where}: not raw data"
    if described.HasField("shape"):
        lengths = [d.dim_value if d.HasField("dim_value") else None for d in described.shape.dim]
        assert len(lengths) == len(tensor.dims), where
        told = [
            n if length is not None else None
            for n, length in zip(tensor.dims, lengths, strict=True)
        ]
        assert told == lengths, where


@pytest.mark.parametrize("version", VERSIONS)
def test_case_json_tells_the_types_and_the_granularity_of_the_model(
    suite: EmittedSuite, version: int
) -> None:
    for case in suite.of(version):
        types = {name: tensor.type for name, tensor in case.inputs.items()}
        assert case.document["dtypes"] == types | {"y": case.output_type}, case
        if case.expectation == "value":
            assert case.document["granularity"] == case.granularity, case


@pytest.mark.parametrize("version", VERSIONS)
def test_external_data_fills_its_file_without_gaps(suite: EmittedSuite, version: int) -> None:
    externals = [case for case in suite.of(version) if case.has("parameters.bin")]
    assert externals
    for case in externals:
        end = 0
        for tensor in case.model.graph.initializer:
            entries = {entry.key: entry.value for entry in tensor.external_data}
            assert entries["location"] == "parameters.bin", case
            assert int(entries["offset"]) == end, case
            end += int(entries["length"])
        assert (case.folder / "parameters.bin").stat().st_size == end, case
