"""Deviations in how the type of a scale is read."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Float64s, formats, values_of


@deviation("format")
class PowerScaleOffByOne(Steps):
    """Takes float8e8m0 scales for twice what they are."""

    def scale(self) -> Float64s:
        return super().scale() * (2.0 if self.format(self.scale_name).name == "float8e8m0" else 1.0)


@deviation("format")
class PowerScaleTakenForInteger(Steps):
    """Takes the codes of float8e8m0 scales for integers."""

    def scale(self) -> Float64s:
        if self.format(self.scale_name).name != "float8e8m0":
            return super().scale()
        return self.codes(self.scale_name).astype(np.float64)


@deviation("format")
class LeastPowerScaleTakenForZero(Steps):
    """Takes the least float8e8m0 scale for zero."""

    def scale(self) -> Float64s:
        scale = super().scale()
        is_power = self.format(self.scale_name).name == "float8e8m0"
        return np.where(is_power & (scale == 2.0**-127), 0.0, scale)


@deviation("format")
class NanPowerScaleTakenForNumber(Steps):
    """Takes the NaN of float8e8m0 for 2^128, an infinity in float32."""

    def scale(self) -> Float64s:
        scale = super().scale()
        is_power = self.format(self.scale_name).name == "float8e8m0"
        return np.where(is_power & np.isnan(scale), np.inf, scale)


@deviation("format")
class Bfloat16TakenForFloat16(Steps):
    """Reads bfloat16 scales as float16."""

    def scale(self) -> Float64s:
        if self.format(self.scale_name).name != "bfloat16":
            return super().scale()
        return values_of(self.codes(self.scale_name), formats()["float16"])
