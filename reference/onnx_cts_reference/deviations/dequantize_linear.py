"""DequantizeLinear in steps, and its deviations in arithmetic and output type."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.remembered import product_to_odd
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Array, Float64s, Format, codes_of, formats, values_of

SHARES = (
    "placement", "extent", "refusals", "packing", "small_formats", "scale_formats", "scales",
)  # fmt: skip
"""Modules with deviations that this operator has too."""


class Right(Steps):
    """DequantizeLinear, exactly."""

    def compute(self) -> tuple[Array, ...]:
        """``y``, of x's shape."""
        difference = self.difference(self.x(), self.spread_zero_point())
        product = self.product(difference, self.spread_scale())
        form = self.output_format()
        y = self.rounded(np.broadcast_to(product, self.shape), form)
        return (y,)

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        """``x - x_zero_point``."""
        return np.asarray(x - zero_point)

    def product(self, difference: Float64s, scale: Float64s) -> Float64s:
        """The difference times the scale."""
        return np.asarray(product_to_odd(*np.broadcast_arrays(difference, scale)))


# The zero point.


@deviation("zero point")
class ZeroPointIgnored(Right):
    """Leaves the zero point out."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        return x


@deviation("zero point")
class ZeroPointAdded(Right):
    """Adds the zero point."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        return x + zero_point


@deviation("zero point")
class ZeroPointSubtractedFromProduct(Right):
    """Scales first and subtracts the zero point from the product."""

    def compute(self) -> tuple[Array, ...]:
        product = self.product(self.x(), self.spread_scale())
        y = np.broadcast_to(product - self.spread_zero_point(), self.shape)
        return (self.rounded(y, self.output_format()),)


@deviation("zero point")
class DifferenceReversed(Right):
    """Subtracts the data from the zero point."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        return zero_point - x


@deviation("zero point")
class AbsentZeroPointTakenForMiddle(Right):
    """Takes the middle of the range of an unsigned type for an absent zero point."""

    def zero_point(self) -> Float64s:
        form = self.format(self.x_name)
        if self.has(self.zero_point_name) or form.kind != "uint":
            return super().zero_point()
        return np.asarray(2.0 ** (form.bits - 1))


@deviation("zero point")
class ZeroPointLeftOutWithoutAxis(Right):
    """Leaves the zero point out per tensor."""

    def spread_zero_point(self) -> Float64s:
        return np.zeros(()) if self.granularity() == "per-tensor" else super().spread_zero_point()


# The width of the difference.


def _wrapped(values: Float64s, bits: int, *, signed: bool) -> Float64s:
    width = 2.0**bits
    return (values + width / 2) % width - width / 2 if signed else values % width


@deviation("width")
class DifferenceWraps(Right):
    """Takes the difference in the type of x and lets it wrap around."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        form = self.format(self.x_name)
        exact = super().difference(x, zero_point)
        if form.is_float or form.bits == 32:
            return exact
        return _wrapped(exact, form.bits, signed=form.kind == "int")


@deviation("width")
class DifferenceSaturates(Right):
    """Takes the difference in the type of x and lets it saturate."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        form = self.format(self.x_name)
        exact = super().difference(x, zero_point)
        if form.is_float or form.bits == 32:
            return exact
        low, high = (-(2.0 ** (form.bits - 1)), 2.0 ** (form.bits - 1) - 1)
        return np.clip(exact, *((low, high) if form.kind == "int" else (0, 2.0**form.bits - 1)))


@deviation("width")
class UnsignedDifferenceClampedAtZero(Right):
    """Takes negative differences of unsigned types for zero."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        exact = super().difference(x, zero_point)
        return np.maximum(exact, 0) if self.format(self.x_name).kind == "uint" else exact


@deviation("width")
class WideIntegersThroughInt16(Right):
    """Takes differences of int32 and of 16-bit types in int16."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        exact = super().difference(x, zero_point)
        form = self.format(self.x_name)
        return exact if form.is_float or form.bits < 16 else _wrapped(exact, 16, signed=True)


@deviation("width")
class NegativeDifferenceTakenForUnsigned(Right):
    """Takes negative differences of integers for unsigned numbers of 32 bits."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        exact = super().difference(x, zero_point)
        return exact if self.format(self.x_name).is_float else _wrapped(exact, 32, signed=False)


@deviation("width")
class ZeroPointThroughInt8(Right):
    """Takes the zero points of wide integers in int8."""

    def zero_point(self) -> Float64s:
        exact = super().zero_point()
        form = self.format(self.x_name)
        return exact if form.is_float or form.bits <= 8 else _wrapped(exact, 8, signed=True)


@deviation("width")
class DifferenceThroughInt8(Right):
    """Takes every difference of integers in int8."""

    def difference(self, x: Float64s, zero_point: Float64s) -> Float64s:
        exact = super().difference(x, zero_point)
        return exact if self.format(self.x_name).is_float else _wrapped(exact, 8, signed=True)


# The order of operations, and precision.


class _Stepwise(Right):
    """Rounds the difference and the scale to a width, and the product in it."""

    width = "float"

    def product(self, difference: Float64s, scale: Float64s) -> Float64s:
        a, b = (self.narrowed(v, self.width) for v in (difference, scale))
        return self.narrowed(a * b, self.width)


@deviation("precision")
class Float16Arithmetic(_Stepwise):
    """Computes in float16 whatever the output type."""

    width = "float16"


@deviation("precision")
class Bfloat16Arithmetic(_Stepwise):
    """Computes in bfloat16 whatever the output type."""

    width = "bfloat16"


@deviation("precision")
class ScaleTypeArithmetic(Right):
    """Rounds the product to the type of the scale before the output type."""

    def product(self, difference: Float64s, scale: Float64s) -> Float64s:
        form = self.format(self.scale_name)
        exact = super().product(difference, scale)
        return self.narrowed(exact, form.name) if form.infinity else exact


@deviation("precision")
class ScaleThroughFloat16(Right):
    """Rounds the scale to float16."""

    def scale(self) -> Float64s:
        return self.narrowed(super().scale(), "float16")


@deviation("precision")
class ScaleThroughBfloat16(Right):
    """Rounds the scale to bfloat16."""

    def scale(self) -> Float64s:
        return self.narrowed(super().scale(), "bfloat16")


@deviation("precision")
class WideDataThroughFloat16(Right):
    """Rounds the difference to float16."""

    def product(self, difference: Float64s, scale: Float64s) -> Float64s:
        return super().product(self.narrowed(difference, "float16"), scale)


@deviation("order")
class ZeroPointScaledApart(Right):
    """Computes x * scale - zero_point * scale, each product rounded to float32."""

    def compute(self) -> tuple[Array, ...]:
        scale = self.spread_scale()
        x, zero_point = (
            self.narrowed(v * scale, "float") for v in (self.x(), self.spread_zero_point())
        )
        y = np.broadcast_to(x - zero_point, self.shape)
        return (self.rounded(y, self.output_format()),)


@deviation("order")
class DividedByReciprocal(_Stepwise):
    """Divides by the reciprocal of the scale."""

    def product(self, difference: Float64s, scale: Float64s) -> Float64s:
        a, b = (self.narrowed(v, "float") for v in (difference, scale))
        return self.narrowed(a / self.narrowed(1 / b, "float"), "float")


@deviation("order")
class DividedByScale(Right):
    """Divides by the scale."""

    def product(self, difference: Float64s, scale: Float64s) -> Float64s:
        return np.asarray(difference / scale)


# The rounding of the output.


@deviation("rounding")
class OutputTruncated(Right):
    """Cuts the product off instead of rounding it."""

    def rounded(self, values: Float64s, form: Format) -> Array:
        nearest = super().rounded(values, form)
        back = values_of(codes_of(nearest), form)
        too_far = np.abs(back) > np.abs(values)
        return np.where(too_far, np.nextafter(nearest, nearest.dtype.type(0)), nearest)


@deviation("rounding")
class Bfloat16OutputTruncated(OutputTruncated):
    """Cuts the product off where the output is bfloat16: takes the high half of a float."""

    def rounded(self, values: Float64s, form: Format) -> Array:
        if form.name != "bfloat16":
            return Right.rounded(self, values, form)
        return super().rounded(values, form)


@deviation("rounding")
class TiesAway(Right):
    """Rounds ties away from zero."""

    def rounded(self, values: Float64s, form: Format) -> Array:
        nearest = super().rounded(values, form)
        nudged = super().rounded(values * (1 + 2.0**-50), form)
        back = values_of(codes_of(nudged), form)
        is_tie = np.abs(back) - np.abs(values) == np.abs(values) - np.abs(
            values_of(codes_of(nearest), form)
        )
        return np.where(is_tie, nudged, nearest)


@deviation("rounding")
class OverflowSaturates(Right):
    """Gives the greatest finite number where the product overflows."""

    def rounded(self, values: Float64s, form: Format) -> Array:
        nearest = super().rounded(values, form)
        greatest = np.array(form.infinity_code - 1, form.code_dtype).view(form.dtype)
        over = np.isinf(nearest) & np.isfinite(values)
        return np.where(over, np.copysign(greatest, nearest), nearest)


@deviation("rounding")
class SubnormalsFlushed(Right):
    """Gives zero where the product is subnormal."""

    def rounded(self, values: Float64s, form: Format) -> Array:
        nearest = super().rounded(values, form)
        tiny = np.abs(values_of(codes_of(nearest), form)) < 2.0**form.least_exponent
        return np.where(tiny, np.copysign(nearest.dtype.type(0), nearest), nearest)


@deviation("special")
class ZeroDifferenceGivesZero(Right):
    """Gives zero for data at the zero point, whatever the scale: NaN and infinity too."""

    def product(self, difference: Float64s, scale: Float64s) -> Float64s:
        return np.where(difference == 0, 0.0, super().product(difference, scale))


@deviation("special")
class ZeroScaleGivesZero(Right):
    """Gives zero for a scale of zero, whatever the data: NaN and infinity too."""

    def product(self, difference: Float64s, scale: Float64s) -> Float64s:
        return np.where(scale == 0, 0.0, super().product(difference, scale))


# The output type.


class _Typed(Right):
    """Gives an output of another type."""


@deviation("output type")
class OutputAlwaysFloat32(_Typed):
    """Gives float32 whatever the output type."""

    def output_format(self) -> Format:
        return formats()["float"]


@deviation("output type")
class OutputTypeOfScale(_Typed):
    """Gives the type of the scale whatever `output_dtype` says."""

    def output_format(self) -> Format:
        form = self.format(self.scale_name)
        return form if form.infinity else super().output_format()
