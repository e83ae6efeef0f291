"""QuantizeLinear element by element: drawn operands, ties, edges, and the way there and back."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
import quantize_oracle
from code_arrays import array, assert_codes, codes_of, random_codes
from dequantize_calls import dequantize
from hypothesis import given, settings
from quantize_calls import VERSIONS, Elements, assert_agrees, decoded, legal_types, quantize
from quantize_draws import boundaries, middles, nearby
from quantize_oracle import FLOATS, UndecidedError

from onnx_cts_reference import OpenQuestionError

FLOAT8 = ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz")
EIGHT_BITS = ("int8", "uint8", *FLOAT8)
SINCE_19 = VERSIONS[2:]


def assert_is_the_oracles(elements: Elements, version: int) -> None:
    """The call agrees with the oracle, or is open where the oracle does not decide."""
    try:
        answers = elements.answers(version)
    except UndecidedError:
        with pytest.raises(OpenQuestionError):
            elements.evaluate(version)
        return
    try:
        expected = elements.evaluate(version)
    except OpenQuestionError as question:
        # Questions are asked of whole tensors: an x of 0 may have another scale than the 0 there.
        assert holds_what_could_meet_as_nan_or_infinity(elements)
        any_answer = {"nan-to-type-without-nan": "zero", "infinity-to-fnuz": "saturated"}
        expected = elements.evaluate(version, any_answer[question.question])
    assert_agrees(expected, answers)


def holds_what_could_meet_as_nan_or_infinity(elements: Elements) -> bool:
    """Whether some x and some scale, not of one element, have a quotient that is no number."""
    width = elements.precision or elements.scale_type
    quotients = (
        quantize_oracle.quotient(x, scale, width if width in FLOATS else None)
        for x in decoded(elements.x_type, elements.x)
        for scale in decoded(elements.scale_type, elements.scale)
    )
    return any(isinstance(exact.size, float) for exact in quotients)


@pytest.mark.parametrize("version", VERSIONS)
def test_drawn_and_boundary_elements_are_the_oracles(version: int) -> None:
    @settings(max_examples=120, deadline=None, derandomize=True, database=None)
    @given(boundaries(version))
    def agrees(elements: Elements) -> None:
        assert_is_the_oracles(elements, version)

    agrees()


def combinations() -> list[Any]:
    """Each version with each pair of types of x and scale, and each type of y."""
    return [
        pytest.param(version, x, scale, output, id=f"v{version}-{x}-{scale}-{output}")
        for version in VERSIONS
        for x, scale in legal_types(version).pairs
        for output in legal_types(version).outputs
        if scale in FLOATS or version < 23
    ]


@pytest.mark.parametrize(("version", "x_type", "scale_type", "output"), combinations())
def test_each_middle_and_its_neighbours_are_the_oracles(
    version: int, x_type: str, scale_type: str, output: str
) -> None:
    """With a scale whose products are exact, and one whose are not."""
    zero_points = [0, 1] if output in oracle.INTEGER_BITS else [0]
    for divisor in (Fraction(2), Fraction(7, 10)):
        scale = nearby(divisor, scale_type, 0)
        factor = Fraction(oracle.decode(scale, scale_type).value)
        for zero in zero_points:
            xs = [
                nearby((middle - zero) * factor, x_type, step)
                for middle in middles(output)[:: 1 if oracle.BITS[output] < 8 else 3]
                for step in (-1, 0, 1)
            ]
            elements = Elements(x_type, tuple(xs), scale_type, (scale,), output, (zero,))
            assert_is_the_oracles(only_decided(elements, version), version)


def only_decided(elements: Elements, version: int) -> Elements:
    """Without the elements that the oracle does not decide."""

    def is_decided(x: int) -> bool:
        try:
            replace(elements, x=(x,)).answers(version)
        except UndecidedError:
            return False
        return True

    return replace(elements, x=tuple(filter(is_decided, elements.x)))


def before(value: float) -> np.float32:
    return np.nextafter(np.float32(value), np.float32(0))


def after(value: float) -> np.float32:
    return np.nextafter(np.float32(value), np.float32(np.inf))


@pytest.mark.parametrize("version", SINCE_19)
@pytest.mark.parametrize(
    ("name", "greatest", "edge", "beyond"),
    [
        # The middle, 464, goes to 448 with its even mantissa; the other middles leave an odd one.
        ("float8e4m3fn", 448, (np.float32(464), after(464)), np.nan),
        ("float8e4m3fnuz", 240, (before(248), np.float32(248)), np.nan),
        ("float8e5m2", 57344, (before(61440), np.float32(61440)), np.inf),
        ("float8e5m2fnuz", 57344, (before(61440), np.float32(61440)), np.nan),
    ],
)
def test_both_sides_of_the_overflow_of_float8(
    version: int, name: str, greatest: float, edge: tuple[np.float32, ...], beyond: float
) -> None:
    """An edge is the last float32 that becomes the greatest number, and the next."""
    last, first = edge
    xs = np.array([greatest, last, first, 1e9, 3e38], np.float32)
    for saturate, past in ((1, greatest), (0, beyond)):
        for sign in (1, -1):
            y = quantize(version, sign * xs, np.float32(1), array(name, 0), saturate=saturate)
            wanted = sign * np.array([greatest, greatest, past, past, past])
            np.testing.assert_array_equal(y.value.astype(np.float64), wanted)
            assert y.is_single


def there_and_back_types() -> list[Any]:
    return [
        pytest.param(version, name, scale, id=f"v{version}-{name}-{scale}")
        for version in VERSIONS
        for name in EIGHT_BITS
        if name in legal_types(version).outputs
        for scale in FLOATS
        if (scale, scale) in legal_types(version).pairs
    ]


@pytest.mark.parametrize(("version", "name", "scale_type"), there_and_back_types())
def test_every_8_bit_code_comes_back_from_dequantize_linear(
    version: int, name: str, scale_type: str
) -> None:
    codes = np.arange(256)
    zero_points = (1, 200) if name in oracle.INTEGER_BITS else (0,)
    for divisor in (Fraction(2), Fraction(1, 10), Fraction(-3, 1000)):
        scale = nearby(divisor, scale_type, 0)
        for zero in zero_points:
            parameters = array(scale_type, scale), array(name, zero)
            x = dequantize(version, array(name, codes), *parameters).value
            elements = Elements(
                scale_type,
                tuple(codes_of(x).tolist()),
                scale_type,
                (scale,),
                name,
                (zero,),
                saturate=version < 19,
            )
            assert_agrees(elements.evaluate(version), elements.answers(version))
            # Narrower scales bring x past float16, or to fewer bits than the codes have.
            if scale_type == "float":
                back = codes_of(array(name, codes))
                if name in FLOAT8:
                    back = np.where(x == 0, 0, back)  # -0 and the zero point make +0
                assert_codes(elements.evaluate(version).value, back, "there and back")


@pytest.mark.parametrize("version", [19, 21, 23])
@pytest.mark.parametrize("name", quantize_oracle.FNUZ)
def test_a_quotient_that_overflows_to_infinity_may_be_nan_in_fnuz_before_cast_24(
    version: int, name: str
) -> None:
    """Not in real numbers, but in the width of a reading that is permitted."""
    x, scale, zero_point = np.float16(65504), np.float16(0.25), array(name, 0)
    expected = quantize(version, x, scale, zero_point)
    assert float(expected.value) == float(oracle.decode(0x7F, name).size)
    ends = np.array([expected.lower, expected.upper]).astype(np.float32)
    assert np.isnan(ends).sum() == 1
    assert not expected.is_single
    assert np.isnan(quantize(version, x, scale, zero_point, saturate=0).value.astype(np.float32))


@pytest.mark.parametrize("reading", ["exact", "float32", "input-precision"])
def test_a_named_reading_is_all_that_is_permitted(reading: str) -> None:
    codes = random_codes("float16", 500, 1)
    elements = Elements("float16", codes, "float16", (0x2E66,), "float8e5m2", (0,), saturate=False)
    expected = elements.evaluate(21, reading)
    assert list(expected.readings) == [reading]
    for array_given in (expected.value, expected.lower, expected.upper):
        assert_codes(array_given, elements.answers(21)[reading], reading)


def test_the_readings_of_each_version() -> None:
    for version in VERSIONS:
        expected = quantize(version, np.float32(3), np.float32(0.1))
        if version < 23:
            narrow = ["input-precision"] if version >= 19 else []
            assert list(expected.readings) == ["exact", "float32", *narrow]
        else:
            assert list(expected.readings) == ["division-precision", "exact"]
            other = quantize(version, np.float32(3), np.float16(0.1))
            named = quantize(version, np.float32(3), np.float32(0.1), precision=1)
            for single in (other, named):
                assert list(single.readings) == ["division-precision"]
