"""Calls of QuantizeLinear made of codes, and the oracle's answers to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import oracle
import quantize_oracle
from code_arrays import array, assert_codes, type_number
from numpy.typing import NDArray
from onnx import defs
from oracle import Number

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
