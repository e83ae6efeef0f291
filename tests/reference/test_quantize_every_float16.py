"""All float16 numbers to each integer and float8 type, in every version and under every reading."""

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import oracle
import pytest
import quantize_oracle
from code_arrays import array, assert_codes, type_number
from oracle import Number, number
from quantize_calls import VERSIONS, decoded, legal_types, quantize
from quantize_oracle import FNUZ, PLUS_ZERO, UndecidedError

from onnx_cts_reference import OpenQuestionError

EVERY = range(1 << 16)
TIES, NO_BINARY_FRACTION, SMALL = Fraction(1, 2), Fraction(-1, 10), Fraction(3, 1 << 16)
UNDECIDED = -1


class Division(NamedTuple):
    """The same for all float16: a scale, its type, and the width of the division."""

    scale: Fraction
    scale_type: str
    width: str | None

    @property
    def divisor(self) -> Number:
        return oracle.rounded(number(self.scale), self.scale_type)


@cache
def quotients(division: Division) -> tuple[Number, ...]:
    return tuple(
        quantize_oracle.quotient(x, division.divisor, division.width)
        for x in decoded("float16", EVERY)
    )


@cache
def integers(division: Division) -> tuple[int | float | None, ...]:
    """The quotients rounded to integers, None for NaN."""
    return tuple(
        None if exact.is_nan else quantize_oracle.rounded_to_integer(exact)
        for exact in quotients(division)
    )


@cache
def integer_codes(division: Division, output: str, zero_point: int) -> np.ndarray:
    """The oracle's codes of y, or UNDECIDED."""
    codes = (
        UNDECIDED
        if integer is None
        else quantize_oracle.shifted_and_saturated(integer, zero_point, output)
        for integer in integers(division)
    )
    return np.fromiter(codes, np.int64)


def float_codes(division: Division, output: str, saturate: bool, version: int) -> np.ndarray:
    """The oracle's codes of y, or UNDECIDED."""
    # The versions differ in nothing but what infinity becomes.
    first = 24 if version >= 24 or output not in FNUZ or not saturate else 19
    return _float_codes(division, output, saturate, first)


@cache
def _float_codes(division: Division, output: str, saturate: bool, version: int) -> np.ndarray:
    def code(exact: Number) -> int:
        try:
            return quantize_oracle.quantized(exact, PLUS_ZERO, output, version, saturate=saturate)
        except UndecidedError:
            return UNDECIDED

    return np.fromiter(map(code, quotients(division)), np.int64)


def types(wanted: str) -> list[Any]:
    """Each version, and each type of y of a kind."""
    return [
        pytest.param(version, output, id=f"v{version}-{output}")
        for version in VERSIONS
        for output in legal_types(version).outputs
        if (output in oracle.INTEGER_BITS) == (wanted == "integers")
    ]


def pairs(version: int) -> list[tuple[str, str]]:
    """The types of x and of the scale: float16 is a float in the versions that lack it."""
    if version < 19:
        return [("float", "float")]
    same = [("float16", "float16")]
    return same if version < 23 else [*same, ("float16", "float")]


def every_float16(x_type: str) -> np.ndarray:
    halves = array("float16", EVERY)
    with np.errstate(invalid="ignore"):  # signalling NaN
        return halves if x_type == "float16" else halves.astype(np.float32)


def scalar(value: Fraction, name: str) -> np.ndarray:
    return array(name, oracle.encode(number(value), name))


def assert_every_decided_one_agrees(
    version: int, wanted: dict[str, np.ndarray], x_type: str, *parameters: Any, **attributes: Any
) -> None:
    """The call on all float16 that are decided gives the codes wanted, under each reading."""
    decided = np.logical_and.reduce([codes != UNDECIDED for codes in wanted.values()])
    xs = every_float16(x_type)
    expected = quantize(version, xs[decided], *parameters, **attributes)
    # A reading of what overflows is the same as another for what does not.
    assert [r for r in expected.readings if r != quantize_oracle.INFINITY_BY_CAST] == list(wanted)
    for name, codes in wanted.items():
        assert_codes(expected.readings[name], codes[decided], name)
    if not decided.all():
        with pytest.raises(OpenQuestionError):
            quantize(version, xs[~decided], *parameters, **attributes)


@pytest.mark.parametrize(("version", "output"), types("integers"))
@pytest.mark.parametrize(
    ("scale", "zero_point"), [(TIES, 0), (TIES, 1), (NO_BINARY_FRACTION, -2), (SMALL, 1)]
)
def test_every_float16_to_an_integer_is_the_oracles(
    version: int, output: str, scale: Fraction, zero_point: int
) -> None:
    zero_point = max(zero_point, quantize_oracle.limits(output)[0])
    for x_type, scale_type in pairs(version):
        widths = quantize_oracle.widths(version, x_type, scale_type, None)
        divisions = {name: Division(scale, scale_type, width) for name, width in widths.items()}
        assert_every_decided_one_agrees(
            version,
            {name: integer_codes(d, output, zero_point) for name, d in divisions.items()},
            x_type,
            scalar(scale, scale_type),
            array(output, zero_point % (1 << oracle.BITS[output])),
        )


@pytest.mark.parametrize(("version", "output"), types("floats"))
@pytest.mark.parametrize(
    ("scale", "saturate"),
    [(TIES, True), (TIES, False), (NO_BINARY_FRACTION, True), (SMALL, False)],
)
def test_every_float16_to_a_small_float_is_the_oracles(
    version: int, output: str, scale: Fraction, saturate: bool
) -> None:
    for x_type, scale_type in pairs(version):
        widths = quantize_oracle.widths(version, x_type, scale_type, None)
        divisions = {name: Division(scale, scale_type, width) for name, width in widths.items()}
        assert_every_decided_one_agrees(
            version,
            {
                name: float_codes(division, output, saturate, version)
                for name, division in divisions.items()
            },
            x_type,
            scalar(scale, scale_type),
            array(output, 0),
            saturate=int(saturate),
        )


@pytest.mark.parametrize("version", [v for v in VERSIONS if legal_types(v).has_precision])
@pytest.mark.parametrize("output", ["uint16", "float8e4m3fn"])
@pytest.mark.parametrize("width", ["float", "bfloat16"])
def test_every_float16_is_divided_in_the_precision_named(
    version: int, output: str, width: str
) -> None:
    division = Division(NO_BINARY_FRACTION, "float16", width)
    codes = (
        integer_codes(division, output, 0)
        if output in oracle.INTEGER_BITS
        else float_codes(division, output, True, version)
    )
    assert_every_decided_one_agrees(
        version,
        {"division-precision": codes},
        "float16",
        scalar(NO_BINARY_FRACTION, "float16"),
        precision=type_number(width),
        output_dtype=type_number(output),
    )
