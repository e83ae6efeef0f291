"""QuantizeLinear element by element: drawn operands, ties, edges, and the way there and back."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import oracle
import pytest
from code_arrays import array, assert_codes, codes_of, notable_codes, random_codes
from dequantize_calls import dequantize
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import number
from quantize_calls import VERSIONS, Elements, assert_agrees, legal_types, quantize
from quantize_oracle import FLOATS, UndecidedError, limits

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
    else:
        assert_agrees(elements.evaluate(version), answers)


def nearby(value: Fraction, name: str, step: int) -> int:
    """The code that is some steps from that of the nearest number of a type."""
    if name in oracle.INTEGER_BITS:
        least, greatest = limits(name)
        return max(least, min(greatest, round(value) + step)) % (1 << oracle.BITS[name])
    form = oracle.LAYOUTS[name]
    code = oracle.encode(number(value), name)
    sign = code & form.sign
    return sign | max(0, min(form.greatest, code - sign + step))


def middles(output: str) -> list[Fraction]:
    """Quotients in the middle of two numbers of a type, or past its ends."""
    if output in oracle.INTEGER_BITS:
        least, greatest = limits(output)
        whole = {least - 2, least - 1, least, -3, -2, -1, 0, 1, 2, greatest - 1, greatest}
        return [n + Fraction(1, 2) for n in sorted(whole)] + [Fraction(greatest + 1)]
    form = oracle.LAYOUTS[output]
    sizes = [oracle.decode(code, output).size for code in range(form.greatest + 1)]
    sizes.append(2 * sizes[-1] - sizes[-2])  # where the next number would be, were there one
    found = [(a + b) / 2 for a, b in pairwise(sizes)]
    return [*found, *(-m for m in found), sizes[-1]]


@st.composite
def boundaries(draw: st.DrawFn, version: int) -> Elements:
    """Legal types, and elements at and beside the middles of the type of y, or anywhere.

    A scale is any number but 0, or now and then any code at all.
    """
    legal = legal_types(version)
    of_one_type = [pair for pair in legal.pairs if pair[0] == pair[1]] or legal.pairs
    x_type, scale_type = draw(st.sampled_from(draw(st.sampled_from([legal.pairs, of_one_type]))))
    output = draw(st.sampled_from(legal.outputs))
    precision = draw(st.sampled_from([None, None, *FLOATS])) if legal.has_precision else None
    has_zero = draw(st.booleans()) or not (legal.has_output_dtype or output == "uint8")
    count = draw(st.integers(1, 12))
    scales = 1 if version < 13 else draw(st.sampled_from([1, count]))
    scale = [draw(scale_codes(scale_type)) for _ in range(scales)]
    zero_points = st.integers(0, (1 << oracle.BITS[output]) - 1)
    zero = [draw(zero_points) if output in oracle.INTEGER_BITS else 0 for _ in scale]
    shift = [oracle.decode(z, output).value * has_zero for z in zero]
    each = count if scales == 1 else 1
    x = [
        draw(element_codes(x_type, output, oracle.decode(s, scale_type), z))
        for s, z in zip(scale * each, shift * each, strict=True)
    ]
    return Elements(
        x_type,
        tuple(x),
        scale_type,
        tuple(scale),
        output,
        tuple(zero) if has_zero else None,
        precision,
        saturate=version < 19 or draw(st.booleans()),
    )


def scale_codes(name: str) -> st.SearchStrategy[int]:
    every = st.integers(0, (1 << oracle.BITS[name]) - 1)
    if name == "float8e8m0":
        return st.one_of(st.integers(110, 140), every)
    if name == "int32":
        return st.one_of(st.integers(1, 300), st.integers(-300, -1).map(lambda n: n % 2**32), every)
    plain = st.fractions(Fraction(1, 1000), 1000).map(lambda s: nearby(s, name, 0))
    negative = plain.map(lambda code: code | oracle.LAYOUTS[name].sign)
    return st.one_of(plain, plain, plain, negative, negative, st.sampled_from(notable_codes(name)))


def element_codes(
    name: str, output: str, scale: oracle.Number, zero_point: Fraction
) -> st.SearchStrategy[int]:
    """Codes near products of the scale and a middle, the zero point taken off; and any others."""
    every = st.integers(0, (1 << oracle.BITS[name]) - 1)
    others = st.one_of(st.sampled_from(notable_codes(name)), every)
    if not isinstance(scale.size, Fraction):
        return others
    factor = Fraction(scale.value)
    edges = st.builds(
        lambda middle, step: nearby((middle - zero_point) * factor, name, step),
        st.sampled_from(middles(output)),
        st.sampled_from([0, 0, 1, -1, 2, -2]),
    )
    return st.one_of(edges, edges, edges, others)


@pytest.mark.parametrize("version", VERSIONS)
def test_drawn_and_boundary_elements_are_the_oracles(version: int) -> None:
    @settings(max_examples=250, deadline=None, derandomize=True, database=None)
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
    zero_points = (0, 1, 128, 255) if name in oracle.INTEGER_BITS else (0,)
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
            # bfloat16 keeps 8 bits, too few for an 8-bit integer after two roundings.
            if scale_type != "bfloat16" or name in FLOAT8:
                y = elements.evaluate(version).value
                assert_codes(y, codes_of(array(name, codes)), "there and back")


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
            assert list(expected.readings) == ["exact", "float32", "input-precision"]
        else:
            assert list(expected.readings) == ["division-precision", "exact"]
            other = quantize(version, np.float32(3), np.float16(0.1))
            named = quantize(version, np.float32(3), np.float32(0.1), precision=1)
            for single in (other, named):
                assert list(single.readings) == ["division-precision"]
