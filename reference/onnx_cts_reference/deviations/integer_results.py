"""Deviations in how quotients become integers: rounding and saturation."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.quantize_linear import Right
from onnx_cts_reference.deviations.steps import ties_away
from onnx_cts_reference.formats import Array, Float64s, Format

# Rounding.


@deviation("rounding")
class TiesAway(Right):
    """Rounds ties away from zero."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        return ties_away(quotient)


@deviation("rounding")
class TiesUp(Right):
    """Rounds ties to the greater integer."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        return np.where(quotient - np.floor(quotient) >= 0.5, np.ceil(quotient), np.floor(quotient))


@deviation("rounding")
class TiesDown(Right):
    """Rounds ties to the lesser integer."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        return np.where(quotient - np.floor(quotient) > 0.5, np.ceil(quotient), np.floor(quotient))


@deviation("rounding")
class TiesTowardZero(Right):
    """Rounds ties toward zero."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        size = np.abs(quotient)
        nearest = np.where(size - np.floor(size) > 0.5, np.ceil(size), np.floor(size))
        return np.copysign(nearest, quotient)


@deviation("rounding")
class TiesToOdd(Right):
    """Rounds ties to the odd integer."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        is_tie = np.abs(quotient - np.floor(quotient)) == 0.5
        odd = 2 * np.floor(quotient / 2) + 1
        return np.where(is_tie, odd, np.rint(quotient))


@deviation("rounding")
class QuotientCutOff(Right):
    """Cuts quotients off to integers."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        return np.trunc(quotient)


@deviation("rounding")
class QuotientRoundedDown(Right):
    """Rounds quotients down."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        return np.floor(quotient)


@deviation("rounding")
class QuotientRoundedUp(Right):
    """Rounds quotients up."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        return np.ceil(quotient)


@deviation("rounding")
class RoundedAfterZeroPoint(Right):
    """Adds the zero point before it rounds."""

    def sum(self, quotient: Float64s, zero_point: Float64s) -> Float64s:
        return np.rint(quotient + zero_point)


@deviation("rounding")
class RoundedAwayAfterZeroPoint(Right):
    """Adds the zero point before it rounds ties away from zero."""

    def sum(self, quotient: Float64s, zero_point: Float64s) -> Float64s:
        return ties_away(quotient + zero_point)


@deviation("rounding")
class HalfAddedInFloat32(Right):
    """Rounds by adding one half in float32 and rounding down."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        return np.floor(self.narrowed(quotient + 0.5, "float"))


# Saturation.


@deviation("saturation")
class ResultWraps(Right):
    """Lets results out of range wrap around."""

    def integers(self, total: Float64s, form: Format) -> Array:
        return self.encoded(np.clip(total, -(2.0**40), 2.0**40), form)


@deviation("saturation")
class SaturatedThroughInt32(Right):
    """Converts to int32 before it saturates: what does not fit becomes the least int32."""

    def integers(self, total: Float64s, form: Format) -> Array:
        fits = (total >= -(2.0**31)) & (total < 2.0**31)
        return super().integers(np.where(fits, total, -(2.0**31)), form)


@deviation("saturation")
class InfinityGivesZero(Right):
    """Gives the zero point for infinite quotients."""

    def rounded_quotient(self, quotient: Float64s) -> Float64s:
        return np.where(np.isinf(quotient), 0.0, super().rounded_quotient(quotient))


@deviation("saturation")
class SymmetricRange(Right):
    """Clamps signed types to a range without their least number: int8 at -127."""

    def integers(self, total: Float64s, form: Format) -> Array:
        low, high = form.bounds
        return self.encoded(np.clip(total, low + (form.kind == "int"), high), form)


@deviation("saturation")
class ClampedBeforeZeroPoint(Right):
    """Saturates the quotient to the range, and again once the zero point is added."""

    def sum(self, quotient: Float64s, zero_point: Float64s) -> Float64s:
        return np.clip(self.rounded_quotient(quotient), *self.output_format().bounds) + zero_point


@deviation("saturation")
class GreatestLeftOut(Right):
    """Clamps to one less than the greatest number."""

    def integers(self, total: Float64s, form: Format) -> Array:
        low, high = form.bounds
        return self.encoded(np.clip(total, low, high - 1), form)


@deviation("saturation")
class UnsignedClampedAsSigned(Right):
    """Clamps unsigned types to the range of signed ones."""

    def integers(self, total: Float64s, form: Format) -> Array:
        low, high = form.bounds
        return self.encoded(np.clip(total, low, high >> (form.kind == "uint")), form)


@deviation("saturation")
class SignedClampedAsUnsigned(Right):
    """Clamps signed types to the range of unsigned ones."""

    def integers(self, total: Float64s, form: Format) -> Array:
        low, high = form.bounds
        return self.encoded(np.clip(total, 0, high - low if low else high), form)


@deviation("saturation")
class WideClampedAsByte(Right):
    """Clamps types of 16 bits to the range of 8."""

    def integers(self, total: Float64s, form: Format) -> Array:
        cut = 8 if form.bits == 16 else 0
        low, high = form.bounds
        return self.encoded(np.clip(total, low >> cut, high >> cut), form)


@deviation("saturation")
class NarrowClampedAsByte(Right):
    """Clamps types of under 8 bits to the range of 8, and keeps the lowest bits."""

    def integers(self, total: Float64s, form: Format) -> Array:
        low, high = (-128, 127) if form.kind == "int" else (0, 255)
        if form.bits >= 8:
            low, high = form.bounds
        return self.encoded(np.clip(total, low, high), form)


@deviation("packing")
class PackedResultsSwapped(Right):
    """Gives the elements of a byte in reverse order."""

    def encoded(self, integers: Float64s, form: Format) -> Array:
        y = super().encoded(integers, form)
        per_byte = max(8 // form.bits, 1)
        whole = y.size // per_byte * per_byte
        flat = y.reshape(-1).copy()
        flat[:whole] = flat[:whole].reshape(-1, per_byte)[:, ::-1].reshape(-1)
        return flat.reshape(y.shape)
