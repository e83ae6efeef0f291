"""Deviations in how quotients become numbers of small floating-point types."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.quantize_linear import Right
from onnx_cts_reference.formats import (
    Array,
    Float64s,
    Format,
    array_of,
    codes_of,
    formats,
    is_nan,
    values_of,
)


def _numbers(array: Array, form: Format) -> Float64s:
    return values_of(codes_of(array), form)


@deviation("saturation")
class SaturateIgnored(Right):
    """Saturates float8 results whatever `saturate` says."""

    def saturates(self) -> bool:
        return True


@deviation("saturation")
class NeverSaturates(Right):
    """Never saturates float8 results."""

    def saturates(self) -> bool:
        return False


@deviation("saturation")
class SmallFloatOverflowWraps(Right):
    """Takes float4 and float6 results that are out of range for zero."""

    def converted(self, values: Float64s, form: Format) -> Array:
        y = super().converted(values, form)
        return np.where((form.bits < 8) & (np.abs(values) > form.greatest), form.dtype.type(0), y)


@deviation("saturation")
class EveryOverflowPastGreatest(Right):
    """Takes every number past the greatest for an overflow, those that round to it too."""

    def converted(self, values: Float64s, form: Format) -> Array:
        beyond = np.abs(values) > form.greatest
        return super().converted(np.where(beyond, np.copysign(np.inf, values), values), form)


@deviation("rounding")
class FloatResultCutOff(Right):
    """Cuts floating-point results off."""

    def converted(self, values: Float64s, form: Format) -> Array:
        nearest = super().converted(values, form)
        codes, back = codes_of(nearest).astype(np.int64), _numbers(nearest, form)
        too_far = np.isfinite(values) & (np.abs(back) > np.abs(values))
        return array_of(np.where(too_far, codes - 1, codes), form)


@deviation("rounding")
class FloatTiesAway(Right):
    """Rounds ties of floating-point results away from zero."""

    def converted(self, values: Float64s, form: Format) -> Array:
        return super().converted(values * (1 + 2.0**-40), form)


@deviation("rounding")
class FloatResultRoundedToInteger(Right):
    """Rounds to an integer before it converts to a floating-point type."""

    def converted(self, values: Float64s, form: Format) -> Array:
        return super().converted(np.rint(values), form)


@deviation("rounding")
class FloatResultThroughFloat16(Right):
    """Rounds to float16 before it converts to a floating-point type."""

    def converted(self, values: Float64s, form: Format) -> Array:
        return super().converted(self.narrowed(values, "float16"), form)


@deviation("rounding")
class FloatSubnormalsFlushed(Right):
    """Gives zero for subnormal results."""

    def converted(self, values: Float64s, form: Format) -> Array:
        y = super().converted(values, form)
        tiny = np.abs(_numbers(y, form)) < 2.0**form.least_exponent
        return np.where(tiny, form.dtype.type(0), y)


@deviation("special")
class NanGivesZero(Right):
    """Gives zero for NaN quotients."""

    def converted(self, values: Float64s, form: Format) -> Array:
        return super().converted(
            np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf), form
        )


@deviation("special")
class NanSaturates(Right):
    """Gives the greatest number for NaN quotients."""

    def converted(self, values: Float64s, form: Format) -> Array:
        return super().converted(np.where(np.isnan(values), form.greatest, values), form)


@deviation("special")
class InfinitySaturatesToNan(Right):
    """Gives NaN for infinite quotients of float8 types that have no infinity."""

    def converted(self, values: Float64s, form: Format) -> Array:
        lacks = bool(form.nan) and not form.infinity
        return super().converted(np.where(lacks & np.isinf(values), np.nan, values), form)


@deviation("special")
class RoundingToInfinityGivesNan(Right):
    """Gives NaN for finite quotients that only rounding takes to an infinity."""

    def converted(self, values: Float64s, form: Format) -> Array:
        y = super().converted(values, form)
        beyond = 2.0 ** (2**form.exponent - 1 - form.bias)
        rounded_up = np.isinf(_numbers(y, form)) & (np.abs(values) < beyond)
        return array_of(np.where(rounded_up, form.nan_code if form.nan else 0, codes_of(y)), form)


@deviation("special")
class PlaceOfNanGivesGreatest(Right):
    """Gives the greatest number about what the last code would be, were it not NaN."""

    def converted(self, values: Float64s, form: Format) -> Array:
        y = super().converted(values, form)
        last = (1 << (form.bits - 1)) - 1
        if form.infinity or last not in form.nan:
            return y
        step = 2.0 ** (2**form.exponent - 1 - form.bias - form.mantissa)
        place = form.greatest + step
        is_there = (np.abs(values) >= place) & (np.abs(values) < place + step / 2)
        greatest = np.copysign(form.greatest, values).astype(form.dtype)
        return np.where(is_there, greatest, y)


@deviation("special")
class InfinityOfFloat8Saturates(Right):
    """Gives the greatest number for infinite quotients of types with an infinity."""

    def converted(self, values: Float64s, form: Format) -> Array:
        limit = np.where(
            np.isinf(values) & form.infinity, np.copysign(form.greatest, values), values
        )
        return super().converted(limit, form)


@deviation("special")
class NegativeNanForNegativeZero(Right):
    """Sets the sign of a zero in types that have NaN in place of a negative zero."""

    def converted(self, values: Float64s, form: Format) -> Array:
        codes = codes_of(super().converted(values, form)).astype(np.int64)
        sign = np.signbit(values).astype(np.int64) << (form.bits - 1)
        return array_of(np.where(codes == 0, sign, codes), form)


@deviation("format")
class FnuzWrittenAsPlain(Right):
    """Writes float8 types with unsigned zero as their common namesakes."""

    def converted(self, values: Float64s, form: Format) -> Array:
        plain = formats()[form.name.removesuffix("uz")]
        if form.name == "float8e5m2fnuz":
            plain = formats()["float8e5m2"]
        return array_of(codes_of(super().converted(values, plain)), form)


@deviation("format")
class PlainWrittenAsFnuz(Right):
    """Writes the common float8 types as their namesakes with unsigned zero."""

    def converted(self, values: Float64s, form: Format) -> Array:
        aliases = {"float8e4m3fn": "float8e4m3fnuz", "float8e5m2": "float8e5m2fnuz"}
        other = formats()[aliases.get(form.name, form.name)]
        return array_of(codes_of(super().converted(values, other)), form)


@deviation("format")
class Float8LayoutsSwapped(Right):
    """Writes one layout of float8 for the other."""

    def converted(self, values: Float64s, form: Format) -> Array:
        aliases = {"float8e4m3fn": "float8e5m2", "float8e5m2": "float8e4m3fn"}
        other = formats()[aliases.get(form.name, form.name)]
        return array_of(codes_of(super().converted(values, other)), form)


@deviation("format")
class Float6LayoutsSwapped(Right):
    """Writes one layout of float6 for the other."""

    def converted(self, values: Float64s, form: Format) -> Array:
        aliases = {"float6e2m3": "float6e3m2", "float6e3m2": "float6e2m3"}
        other = formats()[aliases.get(form.name, form.name)]
        return array_of(codes_of(super().converted(values, other)), form)


@deviation("format")
class SmallFloatsWrittenAsIntegers(Right):
    """Writes floats of under a byte as integers."""

    def converted(self, values: Float64s, form: Format) -> Array:
        if form.bits >= 8:
            return super().converted(values, form)
        low = 1 << (form.bits - 1)
        return array_of(
            np.clip(np.rint(values), -low, low - 1).astype(np.int64) & (2 * low - 1), form
        )


@deviation("format")
class NanOverflowOffByOne(Right):
    """Takes the last code for a number in types that have NaN there."""

    def converted(self, values: Float64s, form: Format) -> Array:
        y = super().converted(values, form)
        codes = codes_of(y).astype(np.int64)
        last = (1 << (form.bits - 1)) - 1
        if last not in form.nan or form.infinity:
            return y
        beyond = np.isfinite(values) & ((codes & last) == form.greatest_code)
        past = np.abs(values) > 1.05 * np.abs(_numbers(y, form))
        return np.where(beyond & past & ~is_nan(codes, form), array_of(codes + 1, form), y)
