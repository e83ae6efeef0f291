"""QuantizeLinear: ``y = saturate((x / y_scale) + y_zero_point)``.

Source: the operator's page, versions 10 to 28, and for float8 types the tables of Cast's page;
the readings are those of the specs.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from onnx_cts_reference.arithmetic import quotient_to_odd, quotients_stay_apart
from onnx_cts_reference.formats import (
    Array,
    Float64s,
    Format,
    array_of,
    convert_to,
    format_of_code,
    formats,
    nearest,
)
from onnx_cts_reference.node import Node, Outputs, Readings

EXACT = "exact-division"
TRUNCATED = "truncated-division"
INFINITY_TO_NAN = "infinity-to-nan"
IGNORED = "zero-point-ignored"
NAN_TO = "nan-to-"

#: Whether an element of the outputs depends on one element of the data alone.
ELEMENTWISE = True


def readings(node: Node, variants: frozenset[str]) -> Readings:
    """What computes ``y``, of x's shape and the output's format, under each reading.

    Args:
        node: Inputs ``x``, ``y_scale`` and, or not, ``y_zero_point``.
        variants: ``exact-division``, in place of one in the type of y_scale;
            ``truncated-division``, the same cut off to an integer; ``infinity-to-nan``, for the
            infinite quotients of types that have no infinity; ``zero-point-ignored``, where it is
            of a floating-point type; and for NaN quotients of types
            without NaN ``nan-to-`` and ``zero``, ``zero-point``, ``least`` or ``greatest``.
    """
    x, scale = node.inputs["x"], node.inputs["y_scale"]
    divisor = node.spread(scale.values, x.array.shape)

    @cache
    def quotient(width: Format | None) -> Float64s:
        """X / y_scale, exact or with each step rounded to a width."""
        with np.errstate(all="ignore"):
            if width is None or not width.infinity:
                if not node.outputs[0].is_float and quotients_stay_apart(x.format, scale.format):
                    return np.asarray(x.values / divisor)
                return quotient_to_odd(x.values, divisor)
            if width == formats()["float"]:
                narrow = x.narrow / node.spread(scale.narrow, x.array.shape)
                return np.asarray(narrow, np.float64)
            # Numbers of a width, of 24 bits at most, divide and round as from the exact quotient.
            return nearest(nearest(x.values, width) / nearest(divisor, width), width)

    @cache
    def quantized(width: Format | None, more: frozenset[str] = frozenset()) -> Outputs:
        found = quotient(width)
        if TRUNCATED in variants:
            found = np.trunc(found)
        return (_saturated(found, node, variants | more),)

    has_precision = "precision" in node.attributes
    named = int(node.attributes.get("precision") or 0)
    width = None if EXACT in variants else format_of_code(named) if named else scale.format
    narrowest = width if has_precision else x.format
    return {
        "exact": lambda: quantized(None),
        "float32": lambda: quantized(formats()["float"]),
        "input-precision": lambda: quantized(x.format),
        "division-precision": lambda: quantized(width),
        "infinity-by-cast": lambda: quantized(narrowest, frozenset({INFINITY_TO_NAN})),
    }


def _saturated(quotient: Float64s, node: Node, variants: frozenset[str]) -> Array:
    """Quotients rounded to the output's format, the zero point added, and saturated."""
    (form,) = node.outputs
    zero_point = np.zeros(())
    if "y_zero_point" in node.inputs:
        zero_point = node.spread(node.inputs["y_zero_point"].values, quotient.shape)
    instead = _instead_of_nan(zero_point, form, variants)
    if not form.is_float:
        low, high = form.bounds
        wide = np.asarray(np.rint(quotient))
        wide += zero_point
        np.clip(wide, low, high, out=wide)
        nan = np.isnan(quotient)
        if nan.any():
            wide = np.asarray(np.where(nan, instead, wide))
        if form.bits >= 8:
            return wide.astype(form.dtype)
        return array_of(wide.astype(np.int64) & ((1 << form.bits) - 1), form)
    if IGNORED not in variants:
        # A quotient of -0 and a zero point of +0 make +0, as ONNX's own cases have it.
        with np.errstate(invalid="ignore"):  # of infinities with opposite signs
            quotient = quotient + zero_point
    if INFINITY_TO_NAN in variants:
        quotient = np.where(np.isinf(quotient), np.nan, quotient)
    if not form.nan:
        quotient = np.where(np.isnan(quotient), instead, quotient)
    saturate = bool(node.attributes.get("saturate", 1))
    return convert_to(quotient, form, saturate=saturate)


def _instead_of_nan(
    zero_point: Float64s, form: Format, variants: frozenset[str]
) -> Float64s | float:
    """What NaN becomes in a type without it, by the answer to the question that this raises."""
    answer = next((v.removeprefix(NAN_TO) for v in variants if v.startswith(NAN_TO)), "zero")
    least, greatest = (-form.greatest, form.greatest) if form.is_float else form.bounds
    answers: dict[str, Float64s | float] = {
        "zero": 0.0,
        "zero-point": zero_point,
        "least": least,
        "greatest": greatest,
    }
    return answers[answer]
