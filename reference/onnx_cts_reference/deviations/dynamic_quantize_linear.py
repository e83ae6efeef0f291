"""DynamicQuantizeLinear in the steps of its function body, and its deviations."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from onnx_cts_reference.arithmetic import fraction_to_odd
from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.remembered import quotient_to_odd
from onnx_cts_reference.deviations.steps import Implementation, ties_away
from onnx_cts_reference.formats import Array, Float64s, array_of, formats

SHARES = ("extent",)
"""Modules with deviations that this operator has too."""


class Right(Implementation):
    """DynamicQuantizeLinear by its function body, each step in float32."""

    def compute(self) -> tuple[Array, ...]:
        """``y`` of x's shape, and the scalars ``y_scale`` and ``y_zero_point``."""
        x = self.x()
        low, high = self.ends(x) if x.any() else (0.0, float(self.steps()))
        scale = self.scale(low, high)
        zero_point = self.zero_point(low, high, scale)
        total = self.total(x, scale, zero_point)
        form = self.output_format()
        y = array_of(np.nan_to_num(np.clip(total, *form.bounds)).astype(form.code_dtype), form)
        code = np.nan_to_num(np.clip(self.round_zero_point(zero_point), *form.bounds))
        return y, self.rounded(scale, formats()["float"]), array_of(code, form)

    def ends(self, x: Float64s) -> tuple[float, float]:
        """The least and the greatest number of the range, which holds zero."""
        return min(0.0, float(x.min())), max(0.0, float(x.max()))

    def steps(self) -> int:
        """The number of steps in the range."""
        return self.output_format().bounds[1]

    def scale(self, low: float, high: float) -> Float64s:
        """The length of a step."""
        with_odd = fraction_to_odd(Fraction(high) - Fraction(low))
        return self.divided(self.narrowed(np.asarray(with_odd), "float"), np.asarray(self.steps()))

    def divided(self, a: Float64s, b: Float64s) -> Float64s:
        """A quotient in float32."""
        return self.narrowed(quotient_to_odd(np.asarray(a * 1.0), np.asarray(b * 1.0)), "float")

    def zero_point(self, low: float, high: float, scale: Float64s) -> Float64s:
        """The zero point before it is rounded, within the range of the type."""
        raw = 0.0 - self.divided(np.asarray(low), scale)
        return np.clip(raw, *self.output_format().bounds)

    def round_zero_point(self, zero_point: Float64s) -> Float64s:
        """The zero point rounded to the nearest integer, ties to even."""
        return np.rint(zero_point)

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        """X / y_scale."""
        return self.divided(x, scale)

    def round_quotient(self, quotient: Float64s) -> Float64s:
        """The nearest integer, ties to even."""
        return np.rint(quotient)

    def total(self, x: Float64s, scale: Float64s, zero_point: Float64s) -> Float64s:
        """The output before it is saturated."""
        rounded = self.round_quotient(self.quotient(x, scale))
        return np.asarray(rounded + self.round_zero_point(zero_point))


@deviation("range")
class RangeWithoutZero(Right):
    """Takes the least and the greatest number as they are."""

    def ends(self, x: Float64s) -> tuple[float, float]:
        return float(x.min()), float(x.max())


@deviation("range")
class LeastNotAdjusted(Right):
    """Takes the least number as it is, though it be positive."""

    def ends(self, x: Float64s) -> tuple[float, float]:
        return float(x.min()), max(0.0, float(x.max()))


@deviation("range")
class GreatestNotAdjusted(Right):
    """Takes the greatest number as it is, though it be negative."""

    def ends(self, x: Float64s) -> tuple[float, float]:
        return min(0.0, float(x.min())), float(x.max())


@deviation("range")
class RangeAlwaysFromZero(Right):
    """Takes zero for the least number."""

    def ends(self, x: Float64s) -> tuple[float, float]:
        return 0.0, float(np.abs(x).max())


@deviation("range")
class SymmetricRange(Right):
    """Takes a range that is as long on both sides of zero."""

    def ends(self, x: Float64s) -> tuple[float, float]:
        size = float(np.abs(x).max())
        return -size, size


@deviation("range")
class RangeOfFirstRow(Right):
    """Takes the range of the first row for that of all."""

    def ends(self, x: Float64s) -> tuple[float, float]:
        return super().ends(x.reshape(-1, x.shape[-1])[0] if x.ndim > 1 else x)


@deviation("range")
class RangeWithoutLastElement(Right):
    """Leaves the last element out of the range."""

    def ends(self, x: Float64s) -> tuple[float, float]:
        return super().ends(x.reshape(-1)[:-1] if x.size > 1 else x)


@deviation("range")
class RangeOfWholeVectors(Right):
    """Leaves the elements after the last whole vector of eight out of the range."""

    def ends(self, x: Float64s) -> tuple[float, float]:
        return super().ends(x.reshape(-1)[: max(x.size // 8 * 8, 8)])


@deviation("scale")
class DividedInto256Steps(Right):
    """Divides the range into 256 steps."""

    def steps(self) -> int:
        return super().steps() + 1


@deviation("scale")
class DividedInto254Steps(Right):
    """Divides the range into 254 steps."""

    def steps(self) -> int:
        return super().steps() - 1


@deviation("scale")
class ScaleThroughFloat16(Right):
    """Rounds the scale to float16."""

    def scale(self, low: float, high: float) -> Float64s:
        return self.narrowed(super().scale(low, high), "float16")


@deviation("scale")
class ScaleWithEpsilon(Right):
    """Takes no scale under the distance of 1 from the next float32."""

    def scale(self, low: float, high: float) -> Float64s:
        return np.maximum(super().scale(low, high), 2.0**-23)


@deviation("scale")
class SubnormalScaleFlushed(Right):
    """Takes a subnormal scale for zero."""

    def scale(self, low: float, high: float) -> Float64s:
        scale = super().scale(low, high)
        return np.where(scale < 2.0**-126, 0.0, scale)


@deviation("scale")
class ReciprocalScale(Right):
    """Gives the reciprocal of the scale."""

    def compute(self) -> tuple[Array, ...]:
        y, scale, zero_point = super().compute()
        return y, np.asarray(np.float32(1) / scale), zero_point


@deviation("zero point")
class ZeroPointCutOff(Right):
    """Cuts the zero point off to an integer."""

    def round_zero_point(self, zero_point: Float64s) -> Float64s:
        return np.trunc(zero_point)


@deviation("zero point")
class ZeroPointTiesAway(Right):
    """Rounds ties of the zero point away from zero."""

    def round_zero_point(self, zero_point: Float64s) -> Float64s:
        return ties_away(zero_point)


@deviation("zero point")
class ZeroPointWithoutSign(Right):
    """Gives the least number in steps of the scale, with its sign, cut to the range."""

    def zero_point(self, low: float, high: float, scale: Float64s) -> Float64s:
        return np.clip(self.divided(np.asarray(low), scale), *self.output_format().bounds)


@deviation("zero point")
class ZeroPointInt8(Right):
    """Gives the zero point and the output as int8, moved by 128."""

    def compute(self) -> tuple[Array, ...]:
        y, scale, zero_point = super().compute()
        moved = ((v.astype(np.int16) - 128).astype(np.int8) for v in (y, zero_point))
        y, zero_point = moved
        return y, scale, zero_point


@deviation("rounding")
class OutputTiesAway(Right):
    """Rounds ties of the quotient away from zero."""

    def round_quotient(self, quotient: Float64s) -> Float64s:
        return ties_away(quotient)


@deviation("rounding")
class OutputCutOff(Right):
    """Cuts quotients off to integers."""

    def round_quotient(self, quotient: Float64s) -> Float64s:
        return np.trunc(quotient)


@deviation("rounding")
class RoundedAfterZeroPoint(Right):
    """Adds the zero point before it rounds."""

    def total(self, x: Float64s, scale: Float64s, zero_point: Float64s) -> Float64s:
        return np.rint(self.quotient(x, scale) + self.round_zero_point(zero_point))


@deviation("rounding")
class UnroundedZeroPointAdded(Right):
    """Adds the zero point as it is before it is rounded."""

    def total(self, x: Float64s, scale: Float64s, zero_point: Float64s) -> Float64s:
        return np.rint(self.quotient(x, scale) + zero_point)


@deviation("division", feature="reciprocal-sensitive")
class MultipliedByReciprocal(Right):
    """Multiplies by the reciprocal of the scale."""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        return self.narrowed(x * self.divided(np.asarray(1.0), scale), "float")


@deviation("division")
class Float16Arithmetic(Right):
    """Divides in float16."""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        a, b = (self.narrowed(v, "float16") for v in (x, scale))
        return self.narrowed(np.asarray(a / b), "float16")


@deviation("saturation")
class ResultWraps(Right):
    """Lets results out of range wrap around."""

    def total(self, x: Float64s, scale: Float64s, zero_point: Float64s) -> Float64s:
        return super().total(x, scale, zero_point) % (self.output_format().bounds[1] + 1)


@deviation("outputs")
class ScaleOfRankOne(Right):
    """Gives the scale and the zero point as tensors of shape (1,)."""

    def compute(self) -> tuple[Array, ...]:
        y, scale, zero_point = super().compute()
        return y, scale.reshape(1), zero_point.reshape(1)
