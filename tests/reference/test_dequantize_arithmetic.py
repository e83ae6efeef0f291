"""DequantizeLinear element by element: every version and legal combination of types."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import oracle
import pytest
from code_arrays import array, codes_of, notable_codes, random_codes, type_number
from dequantize_calls import VERSIONS, Elements, assert_agrees, dequantize, legal_types

AFTER_10 = VERSIONS[1:]
INTEGERS = ("int8", "uint8")
WIDE = ("int16", "uint16", "int32")


def combinations(versions: tuple[int, ...]) -> list[object]:
    """Each version with each type of x, of the scale and of y that it admits together."""
    return [
        pytest.param(version, x, scale, y, id=f"v{version}-{x}-{scale}-{y}")
        for version in versions
        for x, (scale, y) in product(*legal_types(version))
    ]


@cache
def every_code_by_notable_scales(x_type: str, scale_type: str) -> Elements:
    """All codes of a type of at most 8 bits, notable and drawn ones of a wider type."""
    if x_type in WIDE:
        codes = notable_codes(x_type) + random_codes(x_type, 100, 1)
    else:
        codes = tuple(range(1 << oracle.BITS[x_type]))
    pairs = list(product(codes, notable_codes(scale_type)))
    return Elements(x_type, tuple(x for x, _ in pairs), scale_type, tuple(s for _, s in pairs))


@cache
def drawn(x_type: str, scale_type: str, zero_points: str) -> Elements:
    """Drawn operands, and pairs of notable x and zero points, with drawn scales.

    The scales are drawn evenly over the codes, and so over all magnitudes, zero and NaN included.
    """
    notable = list(product(notable_codes(x_type), repeat=2))
    pairs = random.Random(x_type).sample(notable, min(len(notable), 250))
    if zero_points == "zero":
        pairs = [(x, 0) for x, _ in pairs[:100]]
    else:
        drawn_pairs = zip(random_codes(x_type, 150, 2), random_codes(x_type, 150, 3), strict=True)
        pairs += list(drawn_pairs)
    x, zeros = zip(*pairs, strict=True)
    return Elements(x_type, x, scale_type, random_codes(scale_type, len(x), 4), zeros)


@cache
def every_pair(x_type: str, scale_type: str = "float") -> Elements:
    """All pairs of an x and a zero point of a type, with a scale for each in turn."""
    count = 1 << oracle.BITS[x_type]
    x = tuple(code for code in range(count) for _ in range(count))
    zeros = tuple(range(count)) * count
    # With seven scales each difference of two 8-bit integers meets each scale.
    scales = [code for code in notable_codes(scale_type) if code not in (0, 1)][:7]
    scale = tuple(scales[i % len(scales)] for i in range(len(x)))
    return Elements(x_type, x, scale_type, scale, zeros)


@pytest.mark.parametrize(("version", "x", "scale", "y"), combinations(AFTER_10))
def test_every_code_of_x_times_notable_scales_is_the_oracles(
    version: int, x: str, scale: str, y: str
) -> None:
    elements = every_code_by_notable_scales(x, scale)
    assert_agrees(elements.evaluate(version, y), elements.answers(y))


@pytest.mark.parametrize("x_type", legal_types(10)[0])
def test_every_code_of_x_times_notable_scalars_is_the_oracles_in_version_10(x_type: str) -> None:
    elements = every_code_by_notable_scales(x_type, "float")
    answers = elements.answers("float")
    for scale in notable_codes("float"):
        chosen = np.flatnonzero(np.array(elements.scale) == scale)
        expected = dequantize(
            10, array(x_type, np.array(elements.x)[chosen]), array("float", scale)
        )
        assert_agrees(expected, {name: codes[chosen] for name, codes in answers.items()})


@pytest.mark.parametrize(("version", "x", "scale", "y"), combinations((19, 28)))
def test_drawn_operands_with_zero_points_of_zero_are_the_oracles(
    version: int, x: str, scale: str, y: str
) -> None:
    elements = drawn(x, scale, "zero")
    assert_agrees(elements.evaluate(version, y), elements.answers(y))


@pytest.mark.parametrize(("version", "x", "scale", "y"), combinations((28,)))
def test_drawn_operands_with_drawn_zero_points_are_the_oracles(
    version: int, x: str, scale: str, y: str
) -> None:
    elements = drawn(x, scale, "drawn")
    assert_agrees(elements.evaluate(version, y), elements.answers(y))


@pytest.mark.parametrize("x_type", INTEGERS)
@pytest.mark.parametrize("version", AFTER_10)
def test_every_pair_of_an_8_bit_integer_and_a_zero_point_is_the_oracles(
    version: int, x_type: str
) -> None:
    elements = every_pair(x_type)
    assert len(elements.x) == 65_536
    assert_agrees(elements.evaluate(version, "float"), elements.answers("float"))


@pytest.mark.parametrize("x_type", INTEGERS)
def test_every_pair_is_the_oracles_in_version_10(x_type: str) -> None:
    scale = notable_codes("float")[9]
    every = range(256)
    for zero in every:
        elements = Elements(x_type, tuple(every), "float", (scale,) * 256, (zero,) * 256)
        expected = dequantize(10, array(x_type, every), array("float", scale), array(x_type, zero))
        assert_agrees(expected, elements.answers("float"))


@pytest.mark.parametrize("output", ["float16", "bfloat16"])
@pytest.mark.parametrize("x_type", INTEGERS)
def test_every_pair_is_the_oracles_in_narrow_outputs(x_type: str, output: str) -> None:
    elements = every_pair(x_type, output)
    assert_agrees(elements.evaluate(19, output), elements.answers(output))


@pytest.mark.parametrize("x_type", [x for x in legal_types(28)[0] if oracle.BITS[x] < 8])
def test_every_pair_of_a_type_under_8_bits_is_the_oracles(x_type: str) -> None:
    elements = every_pair(x_type)
    for output in ("float", "float16", "bfloat16"):
        assert_agrees(elements.evaluate(28, output), elements.answers(output))


@pytest.mark.parametrize(
    "x_type", ["float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"]
)
def test_every_pair_of_float8_codes_is_the_oracles(x_type: str) -> None:
    tenth = oracle.encode(oracle.number(Fraction(1, 10)), "float")
    elements = replace(every_pair(x_type), scale=(tenth,) * 65_536)
    assert_agrees(elements.evaluate(28, "float16"), elements.answers("float16"))


@pytest.mark.parametrize("reading", ["exact", "float32", "output-precision"])
def test_a_named_reading_is_all_that_is_permitted(reading: str) -> None:
    elements = every_code_by_notable_scales("int32", "float")
    expected = dequantize(
        23,
        array("int32", elements.x),
        array("float", elements.scale),
        axis=0,
        output_dtype=type_number("float16"),
        reading=reading,
    )
    assert expected.value_reading == reading
    answers = elements.answers("float16")[reading.replace("-", "_")]
    for array_given in (expected.value, expected.lower, expected.upper):
        np.testing.assert_array_equal(codes_of(array_given), answers)


def test_versions_before_narrow_outputs_have_two_readings() -> None:
    for version in VERSIONS:
        expected = dequantize(version, np.int8(3), np.float32(0.1))
        narrow = ["output-precision"] if version >= 19 else []
        assert list(expected.readings) == ["exact", "float32", *narrow]
