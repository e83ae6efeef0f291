"""Deviations in special numbers: zero, negative, infinite and NaN, subnormal."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Float64s

# Special numbers.


@deviation("special")
class NegativeScaleWithoutSign(Steps):
    """Takes the absolute value of a negative scale."""

    def scale(self) -> Float64s:
        return np.abs(super().scale())


@deviation("special")
class ZeroScaleTakenForOne(Steps):
    """Takes a scale of zero for one."""

    def scale(self) -> Float64s:
        scale = super().scale()
        return np.where(scale == 0, 1.0, scale)


@deviation("special")
class NanScaleTakenForZero(Steps):
    """Takes a scale that is NaN for zero."""

    def scale(self) -> Float64s:
        scale = super().scale()
        return np.where(np.isnan(scale), 0.0, scale)


@deviation("special")
class InfiniteScaleTakenForGreatest(Steps):
    """Takes an infinite scale for the greatest finite number."""

    def scale(self) -> Float64s:
        return np.nan_to_num(super().scale(), nan=np.nan, posinf=3.4e38, neginf=-3.4e38)


@deviation("special")
class SubnormalScaleFlushed(Steps):
    """Takes a subnormal scale for zero."""

    def scale(self) -> Float64s:
        scale = super().scale()
        least = 2.0 ** self.format(self.scale_name).least_exponent
        return np.where(np.abs(scale) < least, 0.0, scale)


@deviation("special")
class NanDataTakenForNumber(Steps):
    """Reads the NaN codes of small floats as if they went on with the numbers."""

    def x(self) -> Float64s:
        x, form = super().x(), self.format(self.x_name)
        if not form.is_float:
            return x
        beyond = (2.0 - 2.0**-form.mantissa) * 2.0 ** (2**form.exponent - 1 - form.bias)
        return np.where(np.isnan(x), beyond, x)


@deviation("special")
class InfiniteDataTakenForNumber(Steps):
    """Reads the infinities of small floats as if they went on with the numbers."""

    def x(self) -> Float64s:
        x, form = super().x(), self.format(self.x_name)
        beyond = 2.0 ** (2**form.exponent - 1 - form.bias) if form.is_float else 0.0
        return np.where(np.isinf(x), np.copysign(beyond, x), x)
