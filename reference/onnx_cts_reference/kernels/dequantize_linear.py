"""DequantizeLinear: ``y = (x - x_zero_point) * x_scale``.

Source: the operator's page, versions 10 to 28; the readings are those of the specs.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from onnx_cts_reference.arithmetic import float32_holds, product_is_exact, product_to_odd
from onnx_cts_reference.formats import Float64s, Format, formats, nearest, round_to
from onnx_cts_reference.node import Node, Outputs, Readings

WRAP_AROUND = "wrap-around"

#: Whether an element of the outputs depends on one element of the data alone.
ELEMENTWISE = True


def readings(node: Node, variants: frozenset[str]) -> Readings:
    """What computes ``y``, of x's shape and the output's format, under each reading.

    Args:
        node: Inputs ``x``, ``x_scale`` and, or not, ``x_zero_point``.
        variants: ``wrap-around`` to take the difference in the width of x.
    """
    x = node.inputs["x"]
    scale = node.inputs["x_scale"]
    (form,) = node.outputs
    wide = formats()["float"]
    wrap = WRAP_AROUND in variants
    if form == wide and not wrap and float32_holds(x.format, scale.format):
        return dict.fromkeys(("exact", "float32", "output-precision"), partial(_in_float32, node))
    with np.errstate(invalid="ignore"):
        difference = _difference(node, wrap=wrap)
    factor = node.spread(scale.values, x.array.shape)
    exact_in_float64 = product_is_exact(x.format, scale.format)

    def exact() -> Outputs:
        with np.errstate(invalid="ignore"):
            product = (
                difference * factor if exact_in_float64 else product_to_odd(difference, factor)
            )
        return (round_to(product, form),)

    def stepwise(width: Format) -> Outputs:
        # A product of two numbers of at most 24 bits is exact in float64: one rounding follows.
        a, b = (nearest(values, width) for values in (difference, factor))
        with np.errstate(invalid="ignore"):
            product = nearest(a * b, width)
        return (round_to(product, form),)

    return {
        "exact": exact,
        "float32": lambda: stepwise(wide),
        "output-precision": lambda: stepwise(form),
    }


def _in_float32(node: Node) -> Outputs:
    """All three readings at once: float32 holds the difference, and rounds the product once."""
    x, zero_point = node.inputs["x"], node.inputs.get("x_zero_point")
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        difference = x.narrow
        if zero_point is not None:
            difference = difference - node.spread(zero_point.narrow, x.array.shape)
        product = np.asarray(difference * node.spread(node.inputs["x_scale"].narrow, x.array.shape))
    nan = np.isnan(product)
    # Results that are NaN carry one code, as those of other formats do.
    return (np.where(nan, np.float32(np.nan), product) if nan.any() else product,)


def _difference(node: Node, *, wrap: bool) -> Float64s:
    """``x - x_zero_point``, which float64 holds exactly for every format that x can have."""
    x = node.inputs["x"]
    zero_point = node.inputs.get("x_zero_point")
    if zero_point is None:
        return x.values
    difference = x.values - node.spread(zero_point.values, x.array.shape)
    if wrap:
        width = 2.0**x.format.bits
        return (difference + width / 2) % width - width / 2
    return difference
