"""Right implementations of DynamicQuantizeLinear that differ in kind, as runtimes differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import dynamic_quantize_oracle
import numpy as np
import oracle
from code_arrays import array
from emitted import tensor_of
from right_calls import Array

from onnx_cts_reference.model_calls import ModelCall

GREATEST = np.float32(255)
Outputs = tuple[Array, Array, Array]


@dataclass(frozen=True, eq=False)
class Call:
    """A call of DynamicQuantizeLinear."""

    x: Array


def call_of(made: ModelCall) -> Call:
    """The call that a model makes."""
    (x,) = made.inputs
    return Call(np.asarray(x))


def by_function_body(call: Call) -> Outputs:
    """The operators of the function body in single precision, one after the other."""
    least = np.minimum(call.x.min(), np.float32(0))
    greatest = np.maximum(call.x.max(), np.float32(0))
    scale = (greatest - least) / GREATEST
    zero_point = np.rint(np.clip(np.float32(0) - least / scale, np.float32(0), GREATEST))
    return _quantized(call.x / scale, scale, zero_point)


def by_double_precision_after_the_scale(call: Call) -> Outputs:
    """The scale rounded once to single precision, and all that follows in double precision."""
    least, greatest = (Fraction(float(end)) for end in (call.x.min(), call.x.max()))
    least, greatest = min(least, Fraction(0)), max(greatest, Fraction(0))
    code = oracle.encode(oracle.number((greatest - least) / 255), "float")
    scale = array("float", code)
    divisor = scale.astype(np.float64)
    zero_point = np.rint(np.clip(0 - float(least) / divisor, 0, 255))
    return _quantized(call.x.astype(np.float64) / divisor, scale, zero_point)


def by_exact_fractions(call: Call) -> Outputs:
    """Fractions of integers of any length."""
    found = dynamic_quantize_oracle.exact(tensor_of(call.x).numbers)
    return (
        array("uint8", found.y).reshape(call.x.shape),
        array("float", found.y_scale),
        array("uint8", found.y_zero_point),
    )


def _quantized(quotients: Array, scale: Array, zero_point: Array) -> Outputs:
    y = np.clip(np.rint(quotients) + zero_point, 0, 255)
    return y.astype(np.uint8), np.asarray(scale), np.asarray(zero_point).astype(np.uint8)


IMPLEMENTATIONS: tuple[Callable[[Call], Outputs], ...] = (
    by_function_body,
    by_double_precision_after_the_scale,
    by_exact_fractions,
)


def without_the_zero_point(call: Call) -> Outputs:
    """A wrong one."""
    y, scale, zero_point = by_function_body(call)
    return y - zero_point, scale, zero_point
