"""Calls of QuantizeLinear made of codes, and the oracle's answers to them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import oracle
import quantize_oracle
from code_arrays import array, assert_codes, random_codes, type_number
from granularity import Attributes, spread
from numpy.typing import NDArray
from onnx import defs
from oracle import Number, number

from onnx_cts_reference import Expected, evaluate

VERSIONS = (10, 13, 19, 21, 23, 24, 25, 28)
Codes = tuple[int, ...]
PLUS_ZERO = 0


def quantize(version: int, *inputs: Any, reading: Any = None, **attributes: Any) -> Expected:
    """The one output of a call."""
    (expected,) = evaluate("QuantizeLinear", version, inputs, attributes, reading=reading)
    return expected


@dataclass(frozen=True)
class LegalTypes:
    """The types that a version admits, as onnx.defs has them.

    Attributes:
        pairs: The types of x and of y_scale that may stand together.
        outputs: The types of y.
        has_precision: Whether there is an attribute of that name.
        has_output_dtype: Whether there is an attribute of that name.
    """

    pairs: tuple[tuple[str, str], ...]
    outputs: tuple[str, ...]
    has_precision: bool
    has_output_dtype: bool


@cache
def legal_types(version: int) -> LegalTypes:
    schema = defs.get_schema("QuantizeLinear", version)
    allowed = {
        constraint.type_param_str: tuple(_plain(text) for text in constraint.allowed_type_strs)
        for constraint in schema.type_constraints
    }
    variables = [formal.type_str for formal in (*schema.inputs[:2], schema.outputs[0])]
    of_x, of_scale, of_y = (allowed.get(v, (_plain(v),)) for v in variables)
    same = variables[0] == variables[1]
    return LegalTypes(
        tuple((x, s) for x in of_x for s in of_scale if not same or x == s),
        of_y,
        "precision" in schema.attributes,
        "output_dtype" in schema.attributes,
    )


def _plain(text: str) -> str:
    return text.removeprefix("tensor(").removesuffix(")")


@dataclass(frozen=True)
class Elements:
    """Operands of many independent elements: code by code an x, a scale and a zero point.

    Attributes:
        scale: As many codes as x has, or one for all.
        zero_point: As many codes as the scale has, or None.
        output: The type of y, which the zero point has as well.
        precision: The type that the attribute of this name gives, if it is given.
        saturate: The attribute of this name, given only where it is not 1.
    """

    x_type: str
    x: Codes
    scale_type: str
    scale: Codes
    output: str
    zero_point: Codes | None = None
    precision: str | None = None
    saturate: bool = True

    def evaluate(self, version: int, reading: Any = None) -> Expected:
        """One call of rank 1: per axis, so that each element has its own scale, or per tensor."""
        attributes: dict[str, Any] = {}
        if len(self.scale) > 1:
            attributes["axis"] = 0
        if self.precision:
            attributes["precision"] = type_number(self.precision)
        if not self.saturate:
            attributes["saturate"] = 0
        if self.zero_point is None and self.output != "uint8":
            attributes["output_dtype"] = type_number(self.output)
        return quantize(
            version,
            array(self.x_type, self.x),
            self._parameter(self.scale_type, self.scale),
            self.zero_point and self._parameter(self.output, self.zero_point),
            reading=reading,
            **attributes,
        )

    def _parameter(self, name: str, codes: Codes) -> NDArray[Any]:
        return array(name, codes if len(codes) > 1 else codes[0])

    def answers(self, version: int) -> dict[str, NDArray[np.int64]]:
        """The codes of the oracle's answers under each reading, and of the ends.

        Raises:
            UndecidedError: The text does not decide what one of the elements becomes.
        """
        zeros = decoded(self.output, self.zero_point or (PLUS_ZERO,) * len(self.scale))
        each = len(self.x) if len(self.scale) == 1 else 1
        rows = [
            quantize_oracle.answers(
                version,
                (x, self.x_type),
                (scale, self.scale_type),
                zero,
                self.output,
                precision=self.precision,
                saturate=self.saturate,
            )
            for x, scale, zero in zip(
                decoded(self.x_type, self.x),
                decoded(self.scale_type, self.scale) * each,
                zeros * each,
                strict=True,
            )
        ]
        readings = [*quantize_oracle.widths(version, self.x_type, self.scale_type, self.precision)]
        if quantize_oracle.has_infinity_by_cast(version, self.output, saturate=self.saturate):
            readings.append(quantize_oracle.INFINITY_BY_CAST)
        return {
            name: np.array([row[name] for row in rows], np.int64)
            for name in (*readings, "lower", "upper")
        }


def decoded(name: str, codes: Sequence[int]) -> list[Number]:
    """The numbers of codes of a type."""
    return [oracle.decode(code, name) for code in codes]


def assert_agrees(expected: Expected, answers: dict[str, NDArray[np.int64]]) -> None:
    """The value, the ends and every reading are the oracle's, bit for bit (NaN is NaN)."""
    *readings, lower, upper = answers
    assert list(expected.readings) == readings
    for name, output in expected.readings.items():
        assert_codes(output, answers[name], name)
    assert_codes(expected.value, answers[readings[0]], "value")
    assert_codes(expected.lower, answers[lower], "lower")
    assert_codes(expected.upper, answers[upper], "upper")


def plain_codes(name: str, count: int, least: int, greatest: int) -> np.ndarray:
    """Codes of drawn numbers between two, the same on every run."""
    draw = random.Random(f"{name} {count} {least}")
    eighths = [draw.randint(8 * least, 8 * greatest) for _ in range(count)]
    if name == "int32":
        return np.array([n // 8 % 2**32 for n in eighths], np.int64)
    return np.array([oracle.encode(number(Fraction(n, 8)), name) for n in eighths], np.int64)


def assert_spreads(
    version: int,
    shape: tuple[int, ...],
    parameters: tuple[int, ...],
    attributes: Attributes,
    *,
    types: tuple[str, str, str] = ("float", "float", "uint8"),
    zero_points: bool = True,
) -> None:
    """A call with drawn values agrees with the oracle, element by element."""
    x_type, scale_type, output = types
    count = int(np.prod(parameters))
    x = plain_codes(x_type, int(np.prod(shape)), -300, 300).reshape(shape)
    scale = plain_codes(scale_type, count, 1, 5).reshape(parameters)
    zero = np.array(random_codes(output, count, 3), np.int64).reshape(parameters)
    if output not in oracle.INTEGER_BITS:
        zero[...] = 0
    scales, zeros = (
        tuple(spread(c, shape, attributes).reshape(-1).tolist()) for c in (scale, zero)
    )
    elements = Elements(
        x_type,
        tuple(x.reshape(-1).tolist()),
        scale_type,
        scales,
        output,
        zeros if zero_points else None,
    )
    implied = zero_points or output == "uint8"
    expected = quantize(
        version,
        array(x_type, x),
        array(scale_type, scale),
        array(output, zero) if zero_points else None,
        **attributes,
        **({} if implied else {"output_dtype": type_number(output)}),
    )
    assert expected.value.shape == expected.lower.shape == expected.upper.shape == shape
    assert_agrees(expected, elements.answers(version))
