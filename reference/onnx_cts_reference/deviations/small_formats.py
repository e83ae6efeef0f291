"""Deviations in how data of small floating-point types is read."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Float64s, formats, values_of


def _read_as(steps: Steps, name: str, aliases: dict[str, str]) -> Float64s:
    form = steps.format(name)
    return values_of(steps.codes(name), formats()[aliases.get(form.name, form.name)])


@deviation("format")
class FnuzTakenForPlain(Steps):
    """Reads float8 types with unsigned zero as their common namesakes."""

    def values(self, name: str) -> Float64s:
        aliases = {"float8e4m3fnuz": "float8e4m3fn", "float8e5m2fnuz": "float8e5m2"}
        return _read_as(self, name, aliases)


@deviation("format")
class PlainTakenForFnuz(Steps):
    """Reads the common float8 types as their namesakes with unsigned zero."""

    def values(self, name: str) -> Float64s:
        aliases = {"float8e4m3fn": "float8e4m3fnuz", "float8e5m2": "float8e5m2fnuz"}
        return _read_as(self, name, aliases)


@deviation("format")
class Float8FieldsSwapped(Steps):
    """Takes one layout of float8 for the other."""

    def values(self, name: str) -> Float64s:
        aliases = {"float8e4m3fn": "float8e5m2", "float8e5m2": "float8e4m3fn"}
        return _read_as(self, name, aliases)


@deviation("format")
class Float6FieldsSwapped(Steps):
    """Takes one layout of float6 for the other."""

    def values(self, name: str) -> Float64s:
        return _read_as(self, name, {"float6e2m3": "float6e3m2", "float6e3m2": "float6e2m3"})


@deviation("format")
class SmallFloatsTakenForIntegers(Steps):
    """Takes the codes of floats of under a byte for integers."""

    def values(self, name: str) -> Float64s:
        if self.format(name).bits >= 8 or not self.format(name).is_float:
            return super().values(name)
        return self.codes(name).astype(np.float64)


@deviation("format")
class SmallFloatSubnormalsFlushed(Steps):
    """Takes the subnormal data of small floats for zero."""

    def x(self) -> Float64s:
        x, form = super().x(), self.format(self.x_name)
        return np.where(form.is_float & (np.abs(x) < 2.0**form.least_exponent), 0.0, x)


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
