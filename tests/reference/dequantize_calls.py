"""Calls of DequantizeLinear made of codes, and the oracle's answers to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import oracle
from code_arrays import array, assert_codes, random_codes, type_number
from granularity import Attributes, spread
from numpy.typing import NDArray
from onnx import defs

from onnx_cts_reference import Expected, evaluate

VERSIONS = (10, 13, 19, 21, 23, 24, 25, 28)
Codes = Sequence[int]


@cache
def legal_types(version: int) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The types of x, and the pairs of scale and output types, as onnx.defs has them."""
    schema = defs.get_schema("DequantizeLinear", version)
    allowed = {
        constraint.type_param_str: tuple(
            text.removeprefix("tensor(").removesuffix(")") for text in constraint.allowed_type_strs
        )
        for constraint in schema.type_constraints
    }
    of_x, of_scale, of_y = (
        allowed.get(formal.type_str, ("float",))
        for formal in (*schema.inputs[:2], schema.outputs[0])
    )
    free = "output_dtype" in schema.attributes
    return of_x, tuple((s, y) for s in of_scale for y in of_y if free or s == y)


def dequantize(version: int, *inputs: Any, reading: Any = None, **attributes: Any) -> Expected:
    """The one output of a call."""
    (expected,) = evaluate("DequantizeLinear", version, inputs, attributes, reading=reading)
    return expected


def reading_for(x_type: str, zero_points: Codes | None) -> str | None:
    """The reading of the formula as it stands, where the text leaves the zero point open."""
    if zero_points is None or not any(zero_points):
        return None
    floats = dict.fromkeys(oracle.LAYOUTS, "subtracted")
    return {"int32": "subtracted-exactly", **floats}.get(x_type)


@dataclass(frozen=True)
class Elements:
    """Operands of many independent elements: code by code an x, a scale and a zero point."""

    x_type: str
    x: tuple[int, ...]
    scale_type: str
    scale: tuple[int, ...]
    zero_point: tuple[int, ...] | None = None

    def evaluate(self, version: int, output: str) -> Expected:
        """One call of rank 1, per axis, in which each element has its own parameters."""
        attributes = {"axis": 0}
        if output != self.scale_type:
            attributes["output_dtype"] = type_number(output)
        zero_point = None if self.zero_point is None else array(self.x_type, self.zero_point)
        return dequantize(
            version,
            array(self.x_type, self.x),
            array(self.scale_type, self.scale),
            zero_point,
            reading=reading_for(self.x_type, self.zero_point),
            **attributes,
        )

    def answers(self, output: str) -> dict[str, NDArray[np.int64]]:
        """The codes of the oracle's answers, by the names of Answers."""
        return _answers(self, output)


@cache
def _answers(elements: Elements, output: str) -> dict[str, NDArray[np.int64]]:
    xs, scales = (
        [oracle.decode(code, name) for code in codes]
        for name, codes in ((elements.x_type, elements.x), (elements.scale_type, elements.scale))
    )
    if elements.zero_point is not None:
        zeros = [oracle.decode(code, elements.x_type) for code in elements.zero_point]
        xs = [oracle.subtract(x, zero) for x, zero in zip(xs, zeros, strict=True)]
    rows = [oracle.answers(x, scale, output) for x, scale in zip(xs, scales, strict=True)]
    columns = np.array(rows, np.int64).reshape(-1, len(oracle.Answers._fields)).T
    return dict(zip(oracle.Answers._fields, columns, strict=True))


def assert_agrees(expected: Expected, answers: dict[str, NDArray[np.int64]]) -> None:
    """The value, the ends and every reading are the oracle's, bit for bit (NaN is NaN)."""
    given = {
        "exact": expected.value,
        "lower": expected.lower,
        "upper": expected.upper,
        **{name.replace("-", "_"): output for name, output in expected.readings.items()},
    }
    for name, output in given.items():
        assert_codes(output, answers[name], name)


def assert_spreads(
    version: int,
    shape: tuple[int, ...],
    parameters: tuple[int, ...],
    attributes: Attributes,
    *,
    types: tuple[str, str, str] = ("uint8", "float", "float"),
    zero_points: bool = True,
) -> None:
    """A call with drawn values agrees with the oracle, element by element."""
    x_type, scale_type, output = types
    x = np.array(random_codes(x_type, int(np.prod(shape)), 1), np.int64)
    count = int(np.prod(parameters))
    scale, zero = (
        np.array(random_codes(name, count, seed), np.int64).reshape(parameters)
        for name, seed in ((scale_type, 2), (x_type, 3))
    )
    scales = tuple(spread(scale, shape, attributes).reshape(-1).tolist())
    zeros = tuple(spread(zero, shape, attributes).reshape(-1).tolist()) if zero_points else None
    elements = Elements(x_type, tuple(x.tolist()), scale_type, scales, zeros)
    expected = dequantize(
        version,
        array(x_type, x).reshape(shape),
        array(scale_type, scale),
        array(x_type, zero) if zero_points else None,
        reading=reading_for(x_type, zero.reshape(-1)) if zero_points else None,
        **attributes,
        **({} if output == scale_type else {"output_dtype": type_number(output)}),
    )
    assert expected.value.shape == expected.lower.shape == expected.upper.shape == shape
    assert_agrees(expected, elements.answers(output))
