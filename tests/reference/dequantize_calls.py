"""Calls of DequantizeLinear made of codes, and the oracle's answers to them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import oracle
from numpy.typing import NDArray
from onnx import TensorProto, defs, helper

from onnx_cts_reference import Expected, evaluate

VERSIONS = (10, 13, 19, 21, 23, 24, 25, 28)
Codes = Sequence[int]


def type_number(name: str) -> int:
    """The number of an element type in onnx.TensorProto.DataType."""
    return int(TensorProto.DataType.Value(name.upper()))


def type_name(dtype: Any) -> str:
    """The name of the element type that a dtype holds."""
    return TensorProto.DataType.Name(helper.np_dtype_to_tensor_dtype(np.dtype(dtype))).lower()


def array(name: str, codes: Any) -> NDArray[Any]:
    """An array of an element type with the given codes, in their shape."""
    dtype = helper.tensor_dtype_to_np_dtype(type_number(name))
    plain = np.asarray(codes, np.int64)
    if name not in oracle.INTEGER_BITS:
        return plain.astype(f"u{dtype.itemsize}").view(dtype)
    bits = oracle.INTEGER_BITS[name]
    wraps = name.startswith("int") & (plain >= 1 << (bits - 1))
    return np.where(wraps, plain - (1 << bits), plain).astype(dtype)


def codes_of(result: NDArray[Any]) -> NDArray[np.int64]:
    """The codes of an array of an IEEE type, with one code for every NaN."""
    codes = result.reshape(-1).view(f"u{result.dtype.itemsize}").reshape(result.shape)
    one_nan = oracle.encode(oracle.NAN, type_name(result.dtype))
    return np.where(np.isnan(result.astype(np.float64)), one_nan, codes.astype(np.int64))


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
        got, wanted = codes_of(output).reshape(-1), answers[name].reshape(-1)
        wrong = np.flatnonzero(got != wanted)
        shown = [(int(i), hex(got[i]), hex(wanted[i])) for i in wrong[:3]]
        assert not wrong.size, f"{name}: {wrong.size} differ (index, got, oracle): {shown}"


def notable_codes(name: str) -> tuple[int, ...]:
    """Codes at the edges of a type: extremes, zeros, subnormals, specials, and plain numbers."""
    if name == "float8e8m0":
        return (0, 1, 64, 120, 126, 127, 128, 134, 254, 255)
    bits = oracle.BITS[name]
    if name in oracle.INTEGER_BITS:
        edges = {0, 1, 2, 3, 1 << (bits - 1), (1 << bits) - 1, (1 << bits) - 2, (1 << bits) - 3}
        edges |= {(1 << power) + step for power in range(2, bits) for step in (-1, 0, 1)}
        return tuple(sorted(code % (1 << bits) for code in edges))
    form = oracle.LAYOUTS[name]
    least_normal = 1 << form.mantissa
    positive = [0, 1, least_normal // 3, least_normal - 1, least_normal, form.infinity - 1]
    positive += [form.infinity, oracle.encode(oracle.NAN, name)]
    plain = [Fraction(1), Fraction(1, 10), Fraction(2, 3), Fraction(12345, 7)]
    positive += [oracle.encode(oracle.number(value), name) for value in plain]
    negative = [0, 1, least_normal - 1, form.infinity - 1, form.infinity, positive[-2]]
    return tuple(positive + [form.sign | code for code in negative])


def random_codes(name: str, count: int, seed: int) -> tuple[int, ...]:
    """Codes of a type, evenly drawn, the same on every run; no signalling NaN."""
    draw = random.Random(f"{name} {seed}")
    codes = (draw.randrange(1 << oracle.BITS[name]) for _ in range(count))
    form = oracle.LAYOUTS.get(name)
    quiet = 1 << (form.mantissa - 1) if form and form.special == "ieee" else 0
    return tuple(code | quiet if oracle.decode(code, name).is_nan else code for code in codes)
