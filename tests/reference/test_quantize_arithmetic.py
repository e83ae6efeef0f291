"""QuantizeLinear element by element: every version, type of y and reading."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import oracle
import pytest
import quantize_oracle
from code_arrays import array, assert_codes, codes_of, random_codes, type_number
from dequantize_calls import dequantize
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Number, number
from quantize_calls import (
    VERSIONS,
    Elements,
    assert_agrees,
    decoded,
    legal_types,
    quantize,
)
from quantize_oracle import FLOATS, UndecidedError

from onnx_cts_reference import OpenQuestionError

FLOAT8 = ("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz")
EVERY_FLOAT16 = range(1 << 16)
SCALES = {
    "ties": Fraction(1, 2),
    "no-binary-fraction": Fraction(1, 10),
    "negative-and-great": Fraction(-1234),
    "small": Fraction(3, 2**16),
}
"""The scales for all float16; over them the quotients reach every edge of every type of y."""


def is_nan16(code: int) -> bool:
    return code & 0x7FFF > 0x7C00


NUMBERS = tuple(code for code in EVERY_FLOAT16 if not is_nan16(code))
NANS = tuple(code for code in EVERY_FLOAT16 if is_nan16(code))


@cache
def quotients(scale: str, scale_type: str, width: str | None) -> tuple[Number, ...]:
    """The quotients of all float16 numbers, NaN aside."""
    divisor = oracle.rounded(number(SCALES[scale]), scale_type)
    return tuple(
        quantize_oracle.quotient(x, divisor, width) for x in decoded("float16", NUMBERS)
    )


@cache
def integers(scale: str, scale_type: str, width: str | None) -> tuple[int | float, ...]:
    return tuple(map(quantize_oracle.rounded_to_integer, quotients(scale, scale_type, width)))


@cache
def codes_for(
    scale: str, scale_type: str, width: str | None, output: str, zero_point: int, saturate: bool
) -> np.ndarray:
    """The oracle's codes of y for all float16 numbers; infinity to fnuz as since Cast 24."""
    if output in oracle.INTEGER_BITS:
        codes = [
            quantize_oracle.shifted_and_saturated(integer, zero_point, output)
            for integer in integers(scale, scale_type, width)
        ]
    else:
        codes = [
            quantize_oracle.quantized_to_float(exact, output, 24, saturate=saturate)
            for exact in quotients(scale, scale_type, width)
        ]
    return np.array(codes, np.int64)
