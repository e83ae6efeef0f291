"""Conformance of DequantizeLinear 10. Written by `onnx-cts generate`; do not edit."""

import pytest

pytestmark = [
    pytest.mark.operator(name="DequantizeLinear"),
    pytest.mark.version(since=10),
]
FOLDER = "ai.onnx/DequantizeLinear/v10"


def case(name, expectation, granularity, **dtypes):
    return pytest.param(
        f"{FOLDER}/{name}",
        id=name,
        marks=[
            pytest.mark.expectation(name=expectation),
            pytest.mark.granularity(name=granularity),
            pytest.mark.dtype(**dtypes),
        ],
    )


@pytest.mark.parametrize(
    "case_id",
    [
        case("test_int8_per_tensor", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_rank1", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_rank3", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_uint8_per_tensor_negative_unnamed_rank0_one_equal_external_symbolic_opset12", "value", "per-tensor", x="uint8", x_scale="float", y="float"),
        case("test_int32_per_tensor_edges_special_absent_rank4_empty_initializers_unknown_opset11", "value", "per-tensor", x="int32", x_scale="float", y="float"),
        case("test_uint8_per_tensor_edges_limits_vector_constants_typed_symbolic_opset11", "value", "per-tensor", x="uint8", x_scale="float", x_zero_point="uint8", y="float"),
        case("test_int32_per_tensor_limits_zero_rank3_empty_constants_typed_unknown_opset12", "value", "per-tensor", x="int32", x_scale="float", x_zero_point="int32", y="float"),
        case("test_uint8_per_tensor_edges_special_zero_rank4_equal_external_symbolic", "value", "per-tensor", x="uint8", x_scale="float", x_zero_point="uint8", y="float"),
        case("test_int8_per_tensor_edges_limits_absent_rank0_one_equal_constants_typed", "value", "per-tensor", x="int8", x_scale="float", y="float"),
        case("test_int8_per_tensor_ties_zero_one_initializers_typed_opset11", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_uint8_per_tensor_edges_limits_unnamed_rank1_vector_initializers_unknown", "value", "per-tensor", x="uint8", x_scale="float", y="float"),
        case("test_int32_per_tensor_edges_absent_rank1_vector_external_symbolic_opset12", "value", "per-tensor", x="int32", x_scale="float", y="float"),
        case("test_int32_per_tensor_edges_special_unnamed_rank3_vector_opset11", "value", "per-tensor", x="int32", x_scale="float", y="float"),
        case("test_int8_per_tensor_rank0_one_equal_initializers_typed_unknown_opset12", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int32_per_tensor_special_absent_rank0_one_equal_unknown_opset12", "value", "per-tensor", x="int32", x_scale="float", y="float"),
        case("test_uint8_per_tensor_edges_ties_absent_rank3_empty_symbolic", "value", "per-tensor", x="uint8", x_scale="float", y="float"),
        case("test_int8_per_tensor_ties_unnamed_rank4_equal_constants_typed_opset12", "value", "per-tensor", x="int8", x_scale="float", y="float"),
        case("test_int8_per_tensor_limits_rank4_empty_external_opset11", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_negative_zero_rank4_vector_unknown_opset11", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int32_per_tensor_edges_negative_absent_equal_initializers_typed_symbolic", "value", "per-tensor", x="int32", x_scale="float", y="float"),
        case("test_uint8_per_tensor_unnamed_empty_external_unknown_opset11", "value", "per-tensor", x="uint8", x_scale="float", y="float"),
        case("test_int8_per_tensor_special_rank1_equal_constants_typed_unknown_opset11", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_uint8_per_tensor_ties_zero_rank1_one_external", "value", "per-tensor", x="uint8", x_scale="float", x_zero_point="uint8", y="float"),
        case("test_int8_per_tensor_negative_rank3_one_constants_symbolic", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_limits_rank3_equal", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_zero_rank4_one_constants", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_ties_rank0_one_unknown_opset11", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int32_per_tensor_ties_zero_rank3_vector_initializers", "value", "per-tensor", x="int32", x_scale="float", x_zero_point="int32", y="float"),
        case("test_int8_per_tensor_negative_rank3_empty_external", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_special_opset12", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_zero_rank0_one", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("test_int8_per_tensor_negative_rank1_empty", "value", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_required_inputs_no_x_scale", "reject", "", x="int8", x_zero_point="int8", y="float"),
        case("reject_known_attributes_axis_of_another_version", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_known_attributes_block_size_of_another_version", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_known_attributes_output_dtype_of_another_version", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_known_attributes_no_such_attribute", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_x_type_x_float", "reject", "per-tensor", x="float", x_scale="float", x_zero_point="float", y="float"),
        case("reject_x_type_x_uint16", "reject", "per-tensor", x="uint16", x_scale="float", x_zero_point="uint16", y="float"),
        case("reject_x_type_x_int16", "reject", "per-tensor", x="int16", x_scale="float", x_zero_point="int16", y="float"),
        case("reject_x_type_x_float8e4m3fn", "reject", "per-tensor", x="float8e4m3fn", x_scale="float", x_zero_point="float8e4m3fn", y="float"),
        case("reject_x_type_x_float8e4m3fnuz", "reject", "per-tensor", x="float8e4m3fnuz", x_scale="float", x_zero_point="float8e4m3fnuz", y="float"),
        case("reject_x_type_x_float8e5m2", "reject", "per-tensor", x="float8e5m2", x_scale="float", x_zero_point="float8e5m2", y="float"),
        case("reject_x_type_x_float8e5m2fnuz", "reject", "per-tensor", x="float8e5m2fnuz", x_scale="float", x_zero_point="float8e5m2fnuz", y="float"),
        case("reject_x_type_x_uint4", "reject", "per-tensor", x="uint4", x_scale="float", x_zero_point="uint4", y="float"),
        case("reject_x_type_x_int4", "reject", "per-tensor", x="int4", x_scale="float", x_zero_point="int4", y="float"),
        case("reject_x_type_x_float4e2m1", "reject", "per-tensor", x="float4e2m1", x_scale="float", x_zero_point="float4e2m1", y="float"),
        case("reject_x_type_x_uint2", "reject", "per-tensor", x="uint2", x_scale="float", x_zero_point="uint2", y="float"),
        case("reject_x_type_x_int2", "reject", "per-tensor", x="int2", x_scale="float", x_zero_point="int2", y="float"),
        case("reject_x_type_x_float6e2m3", "reject", "per-tensor", x="float6e2m3", x_scale="float", x_zero_point="float6e2m3", y="float"),
        case("reject_x_type_x_float6e3m2", "reject", "per-tensor", x="float6e3m2", x_scale="float", x_zero_point="float6e3m2", y="float"),
        case("reject_scale_type_x_scale_uint8", "reject", "per-tensor", x="int8", x_scale="uint8", x_zero_point="int8", y="float"),
        case("reject_scale_type_x_scale_float16", "reject", "per-tensor", x="int8", x_scale="float16", x_zero_point="int8", y="float"),
        case("reject_scale_type_x_scale_bfloat16", "reject", "per-tensor", x="int8", x_scale="bfloat16", x_zero_point="int8", y="float"),
        case("reject_scale_type_x_scale_float8e8m0", "reject", "per-tensor", x="int8", x_scale="float8e8m0", x_zero_point="int8", y="float"),
        case("reject_zero_point_type_x_zero_point_uint8", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="uint8", y="float"),
        case("reject_zero_point_type_x_zero_point_int16", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int16", y="float"),
        case("reject_zero_point_type_x_zero_point_float8e4m3fn", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="float8e4m3fn", y="float"),
        case("reject_scalar_scale_x_scale_two_elements", "reject", "", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_scalar_scale_x_scale_of_rank_2", "reject", "", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_scalar_zero_point_x_zero_point_two_elements", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("reject_scalar_zero_point_x_zero_point_of_rank_2", "reject", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("open_one_element_parameters_parameters_one_element", "open", "", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("open_one_element_parameters_x_scale_one_element", "open", "", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("open_one_element_parameters_x_zero_point_one_element", "open", "per-tensor", x="int8", x_scale="float", x_zero_point="int8", y="float"),
        case("open_int32_zero_point_x_int32", "open", "per-tensor", x="int32", x_scale="float", x_zero_point="int32", y="float"),
    ],
)
def test_dequantize_linear_v10(case_id, conformance):
    conformance(case_id)
