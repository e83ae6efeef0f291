"""Conformance of QuantizeLinear 10. Written by `onnx-cts generate`; do not edit."""

import pytest

pytestmark = [
    pytest.mark.operator(name="QuantizeLinear"),
    pytest.mark.version(since=10),
]
FOLDER = "ai.onnx/QuantizeLinear/v10"


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
        case("test_float_int8_per_tensor", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_rank1", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_initializers_typed_symbolic", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_initializers_external", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_constants_unknown_opset12", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_quotient_ties_short_vector", "value", "per-tensor", "reciprocal-sensitive", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_uint8_per_tensor_quotient_ties_short_vector", "value", "per-tensor", x="float", y_scale="float", y_zero_point="uint8", y="uint8"),
        case("test_int32_uint8_per_tensor_saturation_limits_absent_unnamed_rank4_one_constants_typed_opset11", "value", "per-tensor", x="int32", y_scale="float", y="uint8"),
        case("test_int32_int8_per_tensor_infinities_limits_rank0_one_symbolic_opset11", "value", "per-tensor", x="int32", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_int32_uint8_per_tensor_infinities_zero_rank0_one_initializers_external_unknown_opset12", "value", "per-tensor", x="int32", y_scale="float", y_zero_point="uint8", y="uint8"),
        case("test_float_uint8_per_tensor_short_absent_unnamed_rank0_one_initializers_external_symbolic_opset12", "value", "per-tensor", x="float", y_scale="float", y="uint8"),
        case("test_int32_uint8_per_tensor_quotient_ties_limits_absent_unnamed_rank1_vector_initializers_external_unknown_opset11", "value", "per-tensor", "subnormal", x="int32", y_scale="float", y="uint8"),
        case("test_float_int8_per_tensor_infinities_short_zero_rank4_vector_constants_typed_opset12", "value", "per-tensor", "subnormal", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_int32_uint8_per_tensor_infinities_short_absent_unnamed_unknown", "value", "per-tensor", x="int32", y_scale="float", y="uint8"),
        case("test_float_int8_per_tensor_saturation_limits_zero_vector_symbolic", "value", "per-tensor", "subnormal", "reciprocal-sensitive", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_saturation_limits_zero_rank4_initializers_external_unknown_opset11", "value", "per-tensor", "subnormal", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_uint8_per_tensor_quotient_ties_absent_unnamed_rank0_one_constants_typed_unknown", "value", "per-tensor", x="float", y_scale="float", y="uint8"),
        case("test_float_int8_per_tensor_quotient_ties_limits_zero_rank1_one_constants_typed_symbolic_opset12", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_int32_int8_per_tensor_zero_rank4_vector_initializers_symbolic", "value", "per-tensor", x="int32", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_uint8_per_tensor_short_absent_one_opset11", "value", "per-tensor", x="float", y_scale="float", y="uint8"),
        case("test_float_int8_per_tensor_saturation_rank0_one_opset12", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_quotient_ties_rank4_opset11", "value", "per-tensor", "reciprocal-sensitive", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_saturation_short_rank1", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_limits", "value", "per-tensor", "subnormal", "reciprocal-sensitive", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_infinities_rank1", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_int32_uint8_per_tensor_infinities_unusual_absent_unnamed_rank1_empty_initializers_unknown", "value", "per-tensor", "special-scale", x="int32", y_scale="float", y="uint8"),
        case("test_float_int8_per_tensor_quotient_ties_unusual_zero_rank4_empty_initializers_external_opset11", "value", "per-tensor", "special-scale", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_unusual_empty_constants_typed_symbolic_opset12", "value", "per-tensor", "special-scale", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_saturation_short_empty", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_unusual", "value", "per-tensor", "special-scale", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_unusual_rank0_one", "value", "per-tensor", "special-scale", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_empty", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_limits_empty", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_float_int8_per_tensor_unusual_vector", "value", "per-tensor", "special-scale", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("test_round_trip_float_int8_per_tensor_initializers", "value", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="float"),
        case("reject_required_inputs_no_y_scale", "reject", "", x="float", y_zero_point="int8", y="int8"),
        case("reject_known_attributes_axis_of_another_version", "reject", "per-tensor", "version-difference", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("reject_x_type_x_float16", "reject", "per-tensor", x="float16", y_scale="float", y_zero_point="int8", y="int8"),
        case("reject_x_type_x_uint8", "reject", "per-tensor", x="uint8", y_scale="float", y_zero_point="int8", y="int8"),
        case("reject_scale_type_y_scale_int32", "reject", "per-tensor", x="float", y_scale="int32", y_zero_point="int8", y="int8"),
        case("reject_scale_type_y_scale_float16", "reject", "per-tensor", x="float", y_scale="float16", y_zero_point="int8", y="int8"),
        case("reject_scale_type_y_scale_uint8", "reject", "per-tensor", x="float", y_scale="uint8", y_zero_point="int8", y="int8"),
        case("reject_zero_point_type_y_zero_point_uint16", "reject", "per-tensor", x="float", y_scale="float", y_zero_point="uint16", y="uint16"),
        case("reject_zero_point_type_y_zero_point_int16", "reject", "per-tensor", x="float", y_scale="float", y_zero_point="int16", y="int16"),
        case("reject_zero_point_type_y_zero_point_float8e4m3fn", "reject", "per-tensor", x="float", y_scale="float", y_zero_point="float8e4m3fn", y="float8e4m3fn"),
        case("reject_zero_point_type_y_zero_point_float", "reject", "per-tensor", x="float", y_scale="float", y_zero_point="float", y="float"),
        case("reject_scalar_scale_y_scale_two_elements", "reject", "", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("reject_scalar_zero_point_y_zero_point_two_elements", "reject", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("open_one_element_parameters_parameters_one_element", "open", "", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("open_one_element_parameters_y_scale_one_element", "open", "", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("open_one_element_parameters_y_zero_point_one_element", "open", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("open_nan_to_type_without_nan_x_not_numbers", "open", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("open_nan_to_type_without_nan_y_scale_special", "open", "per-tensor", x="float", y_scale="float", y_zero_point="int8", y="int8"),
        case("reject_scalar_scale_as_in_v13_float_uint8_per_axis_absent", "reject", "", "version-difference", x="float", y_scale="float", y="uint8"),
    ],
)
def test_quantize_linear_v10(case_id, conformance):
    conformance(case_id)
