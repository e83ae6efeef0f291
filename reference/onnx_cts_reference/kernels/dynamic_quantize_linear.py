"""DynamicQuantizeLinear: the scale and zero point of the range of x, and x quantized by them.

Source: the operator's page and its function body, version 11; the readings are those of the spec.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from onnx_cts_reference.arithmetic import fraction_to_odd, quotient_to_odd
from onnx_cts_reference.formats import Array, Float64s, Format, array_of, nearest, round_to
from onnx_cts_reference.node import Node, Outputs, Readings

READINGS = ("function-body", "exact", "rounded-scale")
REAL_NUMBERS = "real-numbers"
NOT_FINITE = "not-finite"
#: Nearer to a tie than this a float64 quotient does not tell on which side the exact one is.
DOUBT = 2.0**-40

#: Whether an element of the outputs depends on one element of the data alone.
ELEMENTWISE = False


def readings(node: Node, variants: frozenset[str]) -> Readings:
    """What computes ``y`` in x's shape, and ``y_scale`` and ``y_zero_point``, under each reading.

    Args:
        node: Input ``x``, which is neither empty nor all zero, and holds finite numbers.
        variants: ``scale-one``, ``scale-zero`` or ``scale-least``: y_scale is 1, 0 or 1/255, and
            all else 0, as answers to what becomes of an x without a range; ``not-finite``: the
            numbers of x, its range or the scale may be infinite, NaN or 0; ``real-numbers``: there
            is no other reading than exact.
    """
    form, scale_form, _ = node.outputs
    x = node.inputs["x"].values
    if NOT_FINITE in variants:
        return dict.fromkeys(READINGS, lambda: _not_finite(x, node))
    scales = {"scale-one": 1.0, "scale-zero": 0.0, "scale-least": 1 / 255}
    fixed = [scale for name, scale in scales.items() if name in variants]
    if fixed:
        zeros = array_of(np.zeros(x.shape, form.code_dtype), form)
        scale = round_to(np.asarray(fixed[0]), scale_form)
        outputs = (zeros, scale, _code(0, form))
        return dict.fromkeys(READINGS, lambda: outputs)
    low, high = min(0.0, float(x.min())), max(0.0, float(x.max()))
    exact_scale = (Fraction(high) - Fraction(low)) / form.bounds[1]

    def by_rounded_scale() -> Outputs:
        scale = nearest(np.asarray(fraction_to_odd(exact_scale)), scale_form)
        zero_point = _zero_point(Fraction(low), Fraction(float(scale)), form)
        y = _quantized(np.rint(quotient_to_odd(x, scale)), zero_point, form)
        return _outputs(y, scale, zero_point, node)

    def exact() -> Outputs:
        zero_point = _zero_point(Fraction(low), exact_scale, form)
        y = _quantized(_rounded_quotients(x, exact_scale), zero_point, form)
        return _outputs(y, np.asarray(fraction_to_odd(exact_scale)), zero_point, node)

    if REAL_NUMBERS in variants:
        return dict.fromkeys(READINGS, exact)
    return {
        "function-body": lambda: _by_function_body(x, low, high, node),
        "exact": exact,
        "rounded-scale": by_rounded_scale,
    }


def _not_finite(x: Float64s, node: Node) -> Outputs:
    """The function body in float32, as IEEE 754 computes it; an integer of NaN is 0."""
    form, scale_form, _ = node.outputs
    greatest = form.bounds[1]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        low, high = np.minimum(0.0, x.min()), np.maximum(0.0, x.max())
        scale = nearest(nearest(high - low, scale_form) / greatest, scale_form)
        zero_point = np.nan_to_num(np.rint(np.clip(0.0 - low / scale, 0, greatest)))
        y = np.nan_to_num(np.clip(np.rint(x / scale) + zero_point, 0, greatest))
    codes = y.astype(form.code_dtype)
    return array_of(codes, form), round_to(scale, scale_form), _code(int(zero_point), form)


def _code(number: int, form: Format) -> Array:
    return array_of(np.asarray(number, form.code_dtype), form)


def _by_function_body(x: Float64s, low: float, high: float, node: Node) -> Outputs:
    """Each step of the function body in float32."""
    form, scale_form, _ = node.outputs
    greatest = float(form.bounds[1])

    def divided(a: Float64s, b: Float64s) -> Float64s:
        return nearest(quotient_to_odd(a, b), scale_form)

    extent = nearest(np.asarray(fraction_to_odd(Fraction(high) - Fraction(low))), scale_form)
    scale = divided(extent, np.asarray(greatest))
    zero_point = np.rint(np.clip(0.0 - divided(np.asarray(low), scale), 0.0, greatest))
    y = _quantized(np.rint(divided(x, scale)), int(zero_point), form)
    return _outputs(y, scale, int(zero_point), node)


def _zero_point(low: Fraction, scale: Fraction, form: Format) -> int:
    return round(min(max(-low / scale, Fraction(0)), Fraction(form.bounds[1])))


def _rounded_quotients(x: Float64s, scale: Fraction) -> Float64s:
    """X / scale rounded to the nearest integer, ties to even, whatever the length of the scale."""
    quotients = x / float(scale)
    rounded = np.rint(quotients)
    doubtful = np.abs(np.abs(quotients - rounded) - 0.5) < np.abs(quotients) * DOUBT
    for index in np.argwhere(doubtful):
        place = tuple(index)
        rounded[place] = round(Fraction(float(x[place])) / scale)
    return rounded


def _quantized(rounded: Float64s, zero_point: int, form: Format) -> Array:
    codes = np.clip(rounded + zero_point, *form.bounds).astype(form.code_dtype)
    return array_of(codes, form)


def _outputs(y: Array, scale: Float64s, zero_point: int, node: Node) -> Outputs:
    form, scale_form, _ = node.outputs
    return y, round_to(scale, scale_form), _code(zero_point, form)
