"""Right implementations of DequantizeLinear that differ in kind, as runtimes differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import oracle
from code_arrays import type_name
from emitted import tensor_of
from onnx import helper
from right_calls import LANES, Array, GranularCall, parameters_of, rounded, to_odd

from onnx_cts_reference.model_calls import ModelCall


class Call(GranularCall):
    """A call of DequantizeLinear."""

    @property
    def has_integers(self) -> bool:
        return type_name(self.x.dtype) in oracle.INTEGER_BITS


def call_of(made: ModelCall) -> Call:
    """The call that a model makes."""
    code = made.attributes.get("output_dtype", 0)
    scale = made.inputs[1]
    output = np.dtype(helper.tensor_dtype_to_np_dtype(code)) if code else scale.dtype
    return Call(**parameters_of(made), output=output)


def by_float64(call: Call) -> Array:
    """All in double precision, and one rounding at the end."""
    x, zero_point, scale = (v.astype(np.float64) for v in call.operands())
    return rounded((x - zero_point) * scale, call.output)


def by_float32_step_by_step(call: Call) -> Array:
    """All in single precision, and a cast at the end."""
    x, zero_point, scale = (v.astype(np.float32) for v in call.operands())
    return ((x - zero_point) * scale).astype(call.output)


def by_int32_difference(call: Call) -> Array:
    """The difference of integers in int32, the product in single precision."""
    if not call.has_integers:
        return by_float32_step_by_step(call)
    x, zero_point, scale = call.operands()
    difference = x.astype(np.int32) - zero_point.astype(np.int32)
    return (difference.astype(np.float32) * scale.astype(np.float32)).astype(call.output)


def by_precision_of_the_output(call: Call) -> Array:
    """The multiplication in the type of y, which version 23 begins to ask for."""
    if call.version < 23:
        return by_float32_step_by_step(call)
    x, zero_point, scale = (v.astype(np.float64) for v in call.operands())
    return np.asarray(rounded(x - zero_point, call.output) * rounded(scale, call.output))


def by_fused_multiply_add(call: Call) -> Array:
    """x * scale - zero_point * scale in extended precision, where that is the same."""
    x, zero_point, scale = (v.astype(np.longdouble) for v in call.operands())
    fused = x * scale - zero_point * scale
    plain = (x - zero_point) * scale
    product = np.where(np.isfinite(x) & np.isfinite(scale), fused, plain)
    return rounded(to_odd(product, np.float64), call.output)


def by_table(call: Call) -> Array:
    """For types of up to 8 bits a table of all codes for each pair of parameters."""
    data = type_name(call.x.dtype)
    if oracle.BITS[data] > 8:
        return by_float64(call)
    codes = tensor_of(call.x).codes.reshape(-1)
    pairs = [v.astype(np.float64).reshape(-1) for v in call.operands()[1:]]
    y = np.empty(codes.shape, call.output)
    for place, (code, *pair) in enumerate(zip(codes, *pairs, strict=True)):
        y[place] = _table(data, call.output, *pair)[code]
    return y.reshape(call.x.shape)


@cache
def _table(data: str, output: np.dtype[Any], zero_point: float, scale: float) -> Array:
    return rounded((_every_number(data) - zero_point) * scale, output)


@cache
def _every_number(data: str) -> Array:
    numbers = (oracle.decode(code, data) for code in range(1 << oracle.BITS[data]))
    return np.array([math.copysign(n.size, -1.0 if n.negative else 1.0) for n in numbers])


def by_vectors_with_a_tail(call: Call) -> Array:
    """Eight elements at a time in single precision, and what is left one by one in double."""
    x, zero_point, scale = (np.ascontiguousarray(v).reshape(-1) for v in call.operands())
    y = np.empty(x.shape, call.output)
    whole = len(x) - len(x) % LANES
    for start in range(0, whole, LANES):
        lanes = slice(start, start + LANES)
        a, b, c = (v[lanes].astype(np.float32) for v in (x, zero_point, scale))
        y[lanes] = ((a - b) * c).astype(call.output)
    for place in range(whole, len(x)):
        a, b, c = (float(v[place]) for v in (x, zero_point, scale))
        y[place] = rounded(np.array((a - b) * c), call.output)
    return y.reshape(call.x.shape)


def by_exact_fractions(call: Call) -> Array:
    """Fractions of integers of any length, and one rounding."""
    tensors = (tensor_of(np.ascontiguousarray(v)) for v in call.operands())
    products = (
        oracle.multiply(oracle.subtract(x, zero_point), scale)
        for x, zero_point, scale in zip(*(t.numbers for t in tensors), strict=True)
    )
    return _of_codes([oracle.encode(p, type_name(call.output)) for p in products], call)


def _of_codes(codes: list[int], call: Call) -> Array:
    unsigned = np.array(codes, f"u{call.output.itemsize}")
    return unsigned.view(call.output).reshape(call.x.shape)


def by_slices(call: Call) -> Array:
    """One scalar scale and zero point after the other, each for the part of x that it is for."""
    y = np.empty(call.x.shape, call.output)
    for index in np.ndindex(call.scale.shape):
        part = call.part(index)
        scale = call.scale[index].astype(np.float64)
        zero_point = 0.0 if call.zero_point is None else float(call.zero_point[index])
        y[part] = rounded((call.x[part].astype(np.float64) - zero_point) * scale, call.output)
    return y


IMPLEMENTATIONS: tuple[Callable[[Call], Array], ...] = (
    by_float64,
    by_float32_step_by_step,
    by_int32_difference,
    by_precision_of_the_output,
    by_fused_multiply_add,
    by_table,
    by_vectors_with_a_tail,
    by_exact_fractions,
    by_slices,
)


def without_the_zero_point(call: Call) -> Array:
    """A wrong one."""
    return by_float64(replace(call, zero_point=None))
