"""The table of number formats: values of codes, packing, order, and agreement with onnx."""

import copy
import math
import pickle

import numpy as np
import oracle
import pytest
from code_arrays import array, notable_codes, random_codes, type_number
from onnx import TensorProto, helper, numpy_helper

from onnx_cts_reference.formats import (
    array_of,
    codes_of,
    format_of_code,
    format_of_dtype,
    formats,
    is_nan,
    ordinals,
    pack,
    packed_size,
    unpack,
    values_of,
)

NAMES = tuple(oracle.BITS)
SMALL = tuple(name for name in NAMES if oracle.BITS[name] <= 16)


def codes_to_try(name: str) -> np.ndarray:
    """Every code of a type of at most 16 bits, and many of a wider one."""
    form = formats()[name]
    if name in SMALL:
        return np.arange(1 << form.bits).astype(form.code_dtype)
    return np.array(notable_codes(name) + random_codes(name, 5000, 1), form.code_dtype)


def test_the_table_covers_every_type_that_the_operator_knows() -> None:
    assert set(formats()) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_format_has_onnxs_number_dtype_and_width(name: str) -> None:
    form = formats()[name]
    assert form.code == type_number(name)
    assert form.dtype == helper.tensor_dtype_to_np_dtype(form.code)
    assert form.bits == oracle.BITS[name]
    assert format_of_code(form.code) is form
    assert format_of_dtype(form.dtype) is form
    assert format_of_dtype(form.dtype.newbyteorder(">")) is form


def test_types_that_are_not_covered_are_unknown() -> None:
    with pytest.raises(KeyError):
        format_of_code(TensorProto.DOUBLE)
    with pytest.raises(KeyError):
        format_of_dtype(np.dtype("int64"))


@pytest.mark.parametrize("name", NAMES)
def test_codes_have_the_oracles_values(name: str) -> None:
    codes = codes_to_try(name)
    values = values_of(codes, formats()[name])
    meant = [oracle.decode(int(code), name) for code in codes]
    np.testing.assert_array_equal(is_nan(codes, formats()[name]), [n.is_nan for n in meant])
    for value, exact in zip(values, meant, strict=True):
        if exact.is_nan:
            assert math.isnan(value)
        else:
            assert exact.value == value
            assert (math.copysign(1, value) < 0) == exact.negative


@pytest.mark.parametrize("name", NAMES)
def test_arrays_keep_their_codes(name: str) -> None:
    codes = codes_to_try(name)
    made = array_of(codes, formats()[name])
    np.testing.assert_array_equal(codes_of(made), codes)
    np.testing.assert_array_equal(codes_of(array(name, codes)), codes)
    assert made.tobytes() == array(name, codes).tobytes()


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (3, 2)])
@pytest.mark.parametrize("name", ["int4", "float16", "float6e2m3"])
def test_arrays_keep_their_shape(name: str, shape: tuple[int, ...]) -> None:
    codes = np.ones(shape, formats()[name].code_dtype)
    made = array_of(codes, formats()[name])
    assert made.shape == codes_of(made).shape == values_of(codes, formats()[name]).shape == shape


def test_codes_do_not_depend_on_byte_order_or_memory_layout() -> None:
    plain = np.arange(12, dtype=np.int16).reshape(3, 4)
    np.testing.assert_array_equal(codes_of(plain.astype(">i2")), plain)
    np.testing.assert_array_equal(codes_of(plain.T), plain.T)
    np.testing.assert_array_equal(codes_of(plain[::-1, ::2]), plain[::-1, ::2])


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2", "float4e2m1", "float6e2m3"])
def test_bits_above_a_narrow_element_do_not_count(name: str) -> None:
    form = formats()[name]
    bytes_in_memory = np.array([0xFF, 0xF1, 0x02], np.uint8)
    in_element = bytes_in_memory & ((1 << form.bits) - 1)
    np.testing.assert_array_equal(codes_of(bytes_in_memory.view(form.dtype)), in_element)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 7, 8, 13, 257])
@pytest.mark.parametrize("name", NAMES)
def test_packing_is_onnxs_own_and_is_undone_by_unpacking(name: str, count: int) -> None:
    form = formats()[name]
    codes = np.array(random_codes(name, count, 2), form.code_dtype)
    data = pack(codes, form)
    assert data == numpy_helper.from_array(array(name, codes)).raw_data
    assert len(data) == packed_size(count, form)
    np.testing.assert_array_equal(unpack(data, form, (count,)), codes)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 9])
@pytest.mark.parametrize("name", ["int4", "uint4", "float4e2m1", "int2", "uint2"])
def test_packing_is_that_of_the_typed_field_of_make_tensor(name: str, count: int) -> None:
    codes = np.array(random_codes(name, count, 3), np.uint8)
    if name in oracle.LAYOUTS:
        codes[codes == oracle.LAYOUTS[name].sign] = 0  # make_tensor drops the sign of zero
    values = [float(oracle.decode(int(code), name).value) for code in codes]
    made = helper.make_tensor("t", type_number(name), [count], values)
    assert pack(codes, formats()[name]) == bytes(made.int32_data)


def test_four_bit_elements_fill_low_nibbles_first() -> None:
    codes = codes_of(array("int4", [1, 14, 3, 12, 8]))  # 1, -2, 3, -4, -8
    assert pack(codes, formats()["int4"]) == bytes.fromhex("E1C308")


def test_two_bit_elements_fill_low_pairs_first() -> None:
    codes = np.array([3, 0, 1, 2, 1], np.uint8)
    assert pack(codes, formats()["uint2"]) == bytes([0b10_01_00_11, 0b01])


@pytest.mark.parametrize("name", ["float6e2m3", "float6e3m2"])
def test_four_six_bit_elements_fill_three_bytes_low_bits_first(name: str) -> None:
    a, b, c, d = codes = (0b100011, 0b010101, 0b111001, 0b001110)
    low, middle, high = (a | b << 6) & 0xFF, (b >> 2 | c << 4) & 0xFF, c >> 4 | d << 2
    assert pack(np.array(codes, np.uint8), formats()[name]) == bytes([low, middle, high])


@pytest.mark.parametrize("name", NAMES)
def test_shapes_of_higher_rank_are_packed_over_the_whole_tensor(name: str) -> None:
    form = formats()[name]
    codes = np.array(random_codes(name, 15, 4), form.code_dtype).reshape(3, 5)
    assert pack(codes, form) == pack(codes.reshape(-1), form)
    np.testing.assert_array_equal(unpack(pack(codes, form), form, (3, 5)), codes)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("surplus", [-1, 1])
def test_data_of_another_length_than_the_shape_asks_is_refused(name: str, surplus: int) -> None:
    form = formats()[name]
    with pytest.raises(ValueError, match=f"{packed_size(5, form) + surplus} bytes for 5 elements"):
        unpack(bytes(packed_size(5, form) + surplus), form, (5,))


@pytest.mark.parametrize("name", SMALL)
def test_ordinals_count_the_values_between(name: str) -> None:
    codes = codes_to_try(name)
    meant = [oracle.decode(int(code), name) for code in codes]
    places = ordinals(codes, formats()[name])
    by_value = {n.value: int(p) for n, p in zip(meant, places, strict=True) if not n.is_nan}
    in_order = [by_value[value] for value in sorted(by_value)]
    assert np.unique(np.diff(in_order)).tolist() == [1]
    zeros = [int(p) for n, p in zip(meant, places, strict=True) if n.size == 0]
    assert set(zeros) <= {0}


def test_ordinals_of_float_step_from_neighbour_to_neighbour() -> None:
    values = array("float", random_codes("float", 2000, 5))
    values = np.append(values[np.isfinite(values)], np.float32([0, -0.0, 1e-45, -1e-45, 3.4e38]))
    above = np.nextafter(values, np.float32(np.inf))
    steps = [ordinals(codes_of(v), formats()["float"]) for v in (values, above)]
    np.testing.assert_array_equal(steps[1] - steps[0], 1)


def test_a_signalling_nan_of_float_is_read_without_a_warning() -> None:
    assert math.isnan(values_of(np.array(0x7F800001, np.uint32), formats()["float"]))


def test_formats_without_infinity_or_nan_say_so() -> None:
    with pytest.raises(ValueError, match="float4e2m1 has no infinity"):
        _ = formats()["float4e2m1"].infinity_code
    with pytest.raises(ValueError, match="float6e2m3 has no NaN"):
        _ = formats()["float6e2m3"].nan_code
    assert [formats()[n].nan_code for n in ("float8e4m3fn", "float8e5m2fnuz", "float8e8m0")] == [
        0x7F,
        0x80,
        0xFF,
    ]


def test_a_format_that_came_from_another_process_or_a_copy_is_the_same() -> None:
    for form in formats().values():
        assert pickle.loads(pickle.dumps(form)) is form
        assert copy.deepcopy(form) is form
