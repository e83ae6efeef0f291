"""Conformance of DynamicQuantizeLinear 11. Written by `onnx-cts generate`; do not edit."""

import pytest

pytestmark = [
    pytest.mark.operator(name="DynamicQuantizeLinear"),
    pytest.mark.version(since=11),
]
FOLDER = "ai.onnx/DynamicQuantizeLinear/v11"


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
        case("test_float_per_tensor", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_rank1", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_symbolic", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_unknown", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_zero_point_ties_vector", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_zero_point_ties", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_output_ties_vector", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_output_ties", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_negative_rank4_one_function_body", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_positive_rank0_one_symbolic_function_body", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_rank4_vector_unknown_function_body", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_positive_rank4_function_body", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_rank0_one_unknown", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_zero_point_ties_rank0_one_symbolic_function_body", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_halves_rank1_vector_symbolic_function_body", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_halves_rank0_one", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_tiny_rank4_one_symbolic", "value", "per-tensor", "subnormal", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_positive_vector_unknown", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_output_ties_rank1_one_unknown_function_body", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_negative_rank0_one_symbolic", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_positive_rank1", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_negative_vector_unknown_function_body", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_halves_one_unknown", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_tiny_rank0_one_function_body", "value", "per-tensor", "subnormal", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_halves_rank4", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_output_ties_rank0_one_symbolic", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_output_ties_rank4", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_tiny_rank1_unknown", "value", "per-tensor", "subnormal", "reciprocal-sensitive", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_tiny_vector", "value", "per-tensor", "subnormal", "reciprocal-sensitive", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_zero_point_ties_rank1_unknown", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_negative_rank1", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("test_float_per_tensor_zero_point_ties_rank4", "value", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("reject_required_inputs_no_x", "reject", "", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("reject_known_attributes_no_such_attribute", "reject", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("reject_x_type_x_uint8", "reject", "per-tensor", x="uint8", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_all_zero_x_zero", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_all_zero_x_zero_function_body", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_empty_x_empty", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_empty_x_empty_function_body", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_range_past_float32_x_past_the_greatest", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_range_past_float32_x_past_the_greatest_function_body", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_scale_past_float32_x_past_the_least", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_scale_past_float32_x_past_the_least_function_body", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_not_finite_x_not_numbers", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
        case("open_not_finite_x_not_numbers_function_body", "open", "per-tensor", x="float", y="uint8", y_scale="float", y_zero_point="uint8"),
    ],
)
def test_dynamic_quantize_linear_v11(case_id, conformance):
    conformance(case_id)
