"""Deviations in special scales: zero, negative, infinite and NaN, subnormal."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Float64s


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
