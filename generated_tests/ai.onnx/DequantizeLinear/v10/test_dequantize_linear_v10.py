"""Conformance of DequantizeLinear 10. Written by `onnx-cts generate`; do not edit."""

import pytest

pytestmark = [
    pytest.mark.operator(name="DequantizeLinear"),
    pytest.mark.version(since=10),
]
FOLDER = "ai.onnx/DequantizeLinear/v10"


def case(name, expectation, granularity, *features, **dtypes):
    return pytest.param(
        f"{FOLDER}/{name}",
        id=name,
        marks=[
            pytest.mark.expectation(name=expectation),
            pytest.mark.granularity(name=granularity),
            pytest.mark.dtype(**dtypes),
            *(pytest.mark.feature(name=feature) for feature in features),
        ],
    )


@pytest.mark.parametrize(
    "case_id",
    [
        case("test_int8_per_tensor", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_rank1", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_initializers_typed_symbolic", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_initializers_external", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_constants_unknown_opset12", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_uint8_per_tensor_edges_limits_zero_rank4_vector_constants_typed", "value", "per-tensor", "subnormal", x="uint8", x_scale="float", x_zero_point="uint8", y="float"),
        case("test_int32_per_tensor_limits_absent_unnamed_rank0_one_initializers_symbolic_opset11", "value", "per-tensor", "subnormal", x="int32", x_scale="float", y="float"),
        case("test_uint8_per_tensor_near_zero_ties_rank4_vector_unknown_opset11", "value", "per-tensor", x="uint8", x_scale="float", x_zero_point="uint8", y="float"),
        case("test_uint8_per_tensor_edges_ties_absent_unnamed_rank1_vector_initializers_external_symbolic_opset12", "value", "per-tensor", x="uint8", x_scale="float", y="float"),
        case("test_int32_per_tensor_near_zero_zero_rank0_one_opset12", "value", "per-tensor", x="int32", x_scale="float", x_zero_point="int32", y="float"),
        case("test_int8_per_tensor_near_zero_limits_absent_unnamed_rank4_unknown", "value", "per-tensor", "subnormal", x="int8", x_scale="float", y="float"),
        case("test_int32_per_tensor_edges_limits_zero_rank1_one_constants_typed_unknown_opset11", "value", "per-tensor", x="int32", x_scale="float", x_zero_point="int32", y="float"),
        case("test_int32_per_tensor_edges_ties_zero_initializers_external_unknown_opset11", "value", "per-tensor", x="int32", x_scale="float", x_zero_point="int32", y="float"),
        case("test_int8_per_tensor_edges_limits_rank4_one_initializers_external_symbolic_opset11", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_near_zero_ties_rank0_one_constants_typed_symbolic", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_uint8_per_tensor_edges_absent_unnamed_rank0_one_constants_typed_opset12", "value", "per-tensor", x="uint8", x_scale="float", y="float"),
        case("test_uint8_per_tensor_absent_unnamed_vector_opset11", "value", "per-tensor", x="uint8", x_scale="float", y="float"),
        case("test_int32_per_tensor_ties_zero_rank4_vector_symbolic", "value", "per-tensor", x="int32", x_scale="float", x_zero_point="int32", y="float"),
        case("test_uint8_per_tensor_near_zero_limits_absent_initializers_external_opset12", "value", "per-tensor", x="uint8", x_scale="float", y="float"),
        case("test_int8_per_tensor_near_zero_ties_zero_rank1_vector", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_edges_one", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_rank0_one_initializers_external_unknown", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_rank4_opset12", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_edges_special_zero", "value", "per-tensor", "special-scale", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int32_per_tensor_near_zero_special_absent_unnamed_rank1_empty_symbolic_opset11", "value", "per-tensor", "special-scale", x="int32", x_scale="float", y="float"),
        case("test_uint8_per_tensor_special_empty_initializers_typed_unknown_opset12", "value", "per-tensor", "special-scale", x="uint8", x_scale="float", x_zero_point="uint8", y="float"),
        case("test_int8_per_tensor_edges_limits_zero_rank4_empty_constants", "value", "per-tensor", "subnormal", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_special_rank4_empty_initializers_external", "value", "per-tensor", "special-scale", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_special_rank0_one_constants", "value", "per-tensor", "special-scale", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_empty", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_special_vector", "value", "per-tensor", "special-scale", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_ties_empty", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_round_trip_int8_per_tensor_initializers", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="int8"),
        case("reject_required_inputs_no_x_scale", "reject", "", x="int8", x_zero_point="int8", y="float"),
        case("reject_known_attributes_axis_of_another_version", "reject", "per-tensor", "version-difference", x="uint8", x_scale="float", x_zero_point="uint8", y="float"),
        case("reject_x_type_x_uint16", "reject", "per-tensor", x="uint16", x_scale="float", x_zero_point="uint16", y="float"),
        case("reject_x_type_x_int16", "reject", "per-tensor", x="int16", x_scale="float", x_zero_point="int16", y="float"),
        case("reject_x_type_x_float8e4m3fn", "reject", "per-tensor", x="float8e4m3fn", x_scale="float", x_zero_point="float8e4m3fn", y="float"),
        case("reject_x_type_x_float", "reject", "per-tensor", x="float", x_scale="float", x_zero_point="float", y="float"),
        case("reject_scale_type_x_scale_float16", "reject", "per-tensor", x="int8", x_scale="float16", x_zero_point="int8", y="float"),
        case("reject_scale_type_x_scale_uint8", "reject", "per-tensor", x="int8", x_scale="uint8", x_zero_point="int8", y="float"),
        case("reject_zero_point_type_x_zero_point_uint8", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="uint8", y="float"),
        case("reject_zero_point_type_x_zero_point_int16", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int16", y="float"),
        case("reject_zero_point_type_x_zero_point_float8e4m3fn", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="float8e4m3fn", y="float"),
        case("reject_scalar_scale_x_scale_two_elements", "reject", "", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_scalar_zero_point_x_zero_point_two_elements", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("open_one_element_parameters_parameters_one_element", "open", "", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("open_one_element_parameters_x_scale_one_element", "open", "", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("open_one_element_parameters_x_zero_point_one_element", "open", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("open_int32_zero_point_x_int32", "open", "per-tensor", x="int32", x_scale="float", x_zero_point="int32", y="float"),
        case("reject_scalar_scale_as_in_v13_int8_per_axis_absent_rank4_middle_vector", "reject", "", "version-difference", x="int8", x_scale="float", y="float"),
    ],
)
def test_dequantize_linear_v10(case_id, conformance):
    conformance(case_id)
