"""QuantizeLinear in steps, and its deviations in division, zero point and output type."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.remembered import convert_to, quotient_to_odd
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import (
    Array,
    Float64s,
    Format,
    array_of,
    format_of_code,
    formats,
)

SHARES = (
    "placement", "extent", "refusals", "packing", "scale_formats", "scales",
    "integer_results", "float_results",
)  # fmt: skip
"""Modules with deviations that this operator has too."""

_FLOATS = frozenset({"float", "float16", "bfloat16"})


class Right(Steps):
    """QuantizeLinear in the width that the text names, or else exactly."""

    def compute(self) -> tuple[Array, ...]:
        """``y``, of x's shape."""
        quotient = np.broadcast_to(self.quotient(self.x(), self.spread_scale()), self.shape)
        zero_point = np.broadcast_to(self.spread_zero_point(), self.shape)
        form = self.output_format()
        if form.is_float:
            return (self.converted(quotient + zero_point, form),)
        return (self.integers(self.sum(quotient, zero_point), form),)

    def width(self) -> str:
        """The type of the division; "" for an exact one."""
        if not any(a.role == "precision" for a in self.spec.attributes):
            return ""
        named = self.attribute("precision", 0)
        name = format_of_code(named).name if named else self.format(self.scale_name).name
        return name if name in _FLOATS else ""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        """X / y_scale."""
        return self.divided(x, scale, self.width())

    def divided(self, x: Float64s, scale: Float64s, width: str) -> Float64s:
        """A quotient with each step rounded to a width, or exact."""
        a, b = np.broadcast_arrays(x, scale)
        if not width:
            return np.asarray(quotient_to_odd(a, b))
        narrow = quotient_to_odd(self.narrowed(a, width), self.narrowed(b, width))
        return self.narrowed(narrow, width)

    def sum(self, quotient: Float64s, zero_point: Float64s) -> Float64s:
        """The quotient rounded to an integer, and the zero point added."""
        return np.asarray(self.rounded_quotient(quotient) + zero_point)

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        """The nearest integer, ties to even."""
        return np.rint(quotient)

    def integers(self, total: Float64s, form: Format) -> Array:
        """Integral numbers saturated to an integer type."""
        low, high = form.bounds
        return self.encoded(np.clip(total, low, high), form)

    def encoded(self, integers: Float64s, form: Format) -> Array:
        """Integral numbers in an integer type, of their lowest bits."""
        codes = np.nan_to_num(integers).astype(np.int64) & ((1 << form.bits) - 1)
        return array_of(codes, form)

    def saturates(self) -> bool:
        """Whether float8 results saturate."""
        return bool(self.attribute("switch", 1))

    def converted(self, values: Float64s, form: Format) -> Array:
        """Numbers in a floating-point type."""
        return convert_to(values, form, saturate=self.saturates())


# The division.


def _by_reciprocal(steps: Right, x: Float64s, scale: Float64s, width: str) -> Float64s:
    a, b = (steps.narrowed(v, width) for v in np.broadcast_arrays(x, scale))
    return steps.narrowed(a * steps.narrowed(1 / b, width), width)


@deviation("division", feature="reciprocal-sensitive")
class MultipliedByReciprocal(Right):
    """Multiplies by the reciprocal of the scale, in float32."""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        return _by_reciprocal(self, x, scale, "float")


@deviation("division", feature="reciprocal-sensitive")
class MultipliedByReciprocalInTypeOfScale(Right):
    """Multiplies by the reciprocal of the scale, in the type of the scale."""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        name = self.format(self.scale_name).name
        return _by_reciprocal(self, x, scale, name if name in _FLOATS else "float")


@deviation("division")
class MultipliedByScale(Right):
    """Multiplies by the scale."""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        return np.asarray(x * scale)


@deviation("division")
class ScaleDividedByData(Right):
    """Divides the scale by the data."""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        return np.asarray(scale / x)


@deviation("division")
class DividedInFloat16(Right):
    """Divides in float16 whatever the types."""

    def width(self) -> str:
        return "float16"


@deviation("division")
class DividedInBfloat16(Right):
    """Divides in bfloat16 whatever the types."""

    def width(self) -> str:
        return "bfloat16"


@deviation("division")
class PrecisionIgnored(Right):
    """Divides in the type of the scale, whatever `precision` says."""

    def width(self) -> str:
        name = self.format(self.scale_name).name
        return name if super().width() and name in _FLOATS else super().width()


@deviation("division")
class DividedInTypeOfData(Right):
    """Divides in the type of x where another is asked for."""

    def width(self) -> str:
        name = self.format(self.x_name).name
        return name if super().width() and name in _FLOATS else super().width()


@deviation("division")
class DividedInFloat32(Right):
    """Divides in float32 where another type is asked for."""

    def width(self) -> str:
        return "float" if super().width() else ""


@deviation("division")
class QuotientCutOffInFloat16(Right):
    """Cuts quotients off to float16."""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        exact = super().quotient(x, scale)
        near = exact.astype(np.float16)
        cut = np.where(np.abs(near) > np.abs(exact), np.nextafter(near, np.float16(0)), near)
        return np.where(np.isfinite(exact), cut.astype(np.float64), exact)


@deviation("division")
class ScaleThroughFloat16(Right):
    """Rounds the scale to float16."""

    def scale(self) -> Float64s:
        return self.narrowed(super().scale(), "float16")


@deviation("division")
class ScaleThroughBfloat16(Right):
    """Rounds the scale to bfloat16."""

    def scale(self) -> Float64s:
        return self.narrowed(super().scale(), "bfloat16")


@deviation("division")
class DataThroughFloat16(Right):
    """Rounds the data to float16."""

    def x(self) -> Float64s:
        return self.narrowed(super().x(), "float16")


@deviation("division")
class DataThroughBfloat16(Right):
    """Rounds the data to bfloat16."""

    def x(self) -> Float64s:
        return self.narrowed(super().x(), "bfloat16")


@deviation("division")
class IntegerDataThroughFloat16(Right):
    """Rounds integer data to float16."""

    def x(self) -> Float64s:
        x = super().x()
        return x if self.format(self.x_name).is_float else self.narrowed(x, "float16")


@deviation("division")
class IntegerDivisionCutOff(Right):
    """Cuts the quotient of an integer by an integer off."""

    def quotient(self, x: Float64s, scale: Float64s) -> Float64s:
        exact = super().quotient(x, scale)
        floats = [self.format(n).is_float for n in (self.x_name, self.scale_name)]
        return exact if any(floats) else np.trunc(exact)


# The zero point.


@deviation("zero point")
class ZeroPointIgnored(Right):
    """Leaves the zero point out."""

    def sum(self, quotient: Float64s, zero_point: Float64s) -> Float64s:
        return self.rounded_quotient(quotient)


@deviation("zero point")
class ZeroPointSubtracted(Right):
    """Subtracts the zero point."""

    def sum(self, quotient: Float64s, zero_point: Float64s) -> Float64s:
        return super().sum(quotient, -zero_point)


@deviation("zero point")
class ZeroPointDividedToo(Right):
    """Adds the zero point to the data before it divides."""

    def compute(self) -> tuple[Array, ...]:
        x = self.x() + self.spread_zero_point()
        quotient = np.broadcast_to(self.quotient(x, self.spread_scale()), self.shape)
        form = self.output_format()
        if form.is_float:
            return (self.converted(quotient, form),)
        return (self.integers(self.rounded_quotient(quotient), form),)


@deviation("zero point")
class ZeroPointThroughInt8(Right):
    """Takes the zero points of wide integers in int8."""

    def zero_point(self) -> Float64s:
        exact = super().zero_point()
        form = self.output_format()
        return exact if form.is_float or form.bits <= 8 else (exact + 128) % 256 - 128


@deviation("zero point")
class AbsentZeroPointTakenForMiddle(Right):
    """Takes the middle of the range of an unsigned type for an absent zero point."""

    def zero_point(self) -> Float64s:
        form = self.output_format()
        if self.has(self.zero_point_name) or form.kind != "uint":
            return super().zero_point()
        return np.asarray(2.0 ** (form.bits - 1))


@deviation("zero point")
class ZeroPointLeftOutPerTensor(Right):
    """Leaves the zero point out per tensor."""

    def spread_zero_point(self) -> Float64s:
        return np.zeros(()) if self.granularity() == "per-tensor" else super().spread_zero_point()


# The output type.


@deviation("output type")
class OutputAlwaysUint8(Right):
    """Gives uint8 whatever the output type."""

    def output_format(self) -> Format:
        return formats()["uint8"]


@deviation("output type")
class OutputAlwaysInt8(Right):
    """Gives int8 where neither an attribute nor a zero point names a type."""

    def output_format(self) -> Format:
        form = super().output_format()
        named = self.has(self.zero_point_name) or self.attribute("element-type", 0)
        return form if named else formats()["int8"]


@deviation("output type")
class OutputDtypeIgnored(Right):
    """Gives the type of the zero point, or uint8, whatever `output_dtype` says."""

    def output_format(self) -> Format:
        has = self.has(self.zero_point_name)
        return self.format(self.zero_point_name) if has else formats()["uint8"]
