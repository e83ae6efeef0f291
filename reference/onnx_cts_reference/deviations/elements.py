"""Deviations in how the elements of a tensor are read: packing, signs, formats."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Codes, Float64s, formats, pack, unpack, values_of

# How elements under a byte are stored.


def _subbyte(steps: Steps, name: str) -> bool:
    return steps.format(name).bits < 8


@deviation("packing")
class PackedElementsSwapped(Steps):
    """Takes the first element of a byte from its highest bits."""

    def codes(self, name: str) -> Codes:
        codes, form = super().codes(name), self.format(name)
        if not _subbyte(self, name) or 8 % form.bits:
            return codes
        per_byte = 8 // form.bits
        padded = np.zeros(-(-codes.size // per_byte) * per_byte, codes.dtype)
        padded[: codes.size] = codes.reshape(-1)
        swapped = padded.reshape(-1, per_byte)[:, ::-1].reshape(-1)
        return swapped[: codes.size].reshape(codes.shape)


@deviation("packing")
class RowsPaddedToBytes(Steps):
    """Expects each row of elements under a byte to begin at a new byte."""

    def codes(self, name: str) -> Codes:
        codes, form = super().codes(name), self.format(name)
        if not _subbyte(self, name) or codes.ndim < 2 or not codes.size:
            return codes
        row = -(-codes.shape[-1] * form.bits // 8)
        packed = pack(codes, form)
        rows = codes.size // codes.shape[-1]
        padded = packed.ljust(row * rows, b"\0")
        return np.stack(
            [unpack(padded[i * row : (i + 1) * row], form, codes.shape[-1:]) for i in range(rows)]
        ).reshape(codes.shape)


@deviation("packing")
class OddElementLost(Steps):
    """Takes an element that begins a last, incomplete byte for zero."""

    def codes(self, name: str) -> Codes:
        codes, form = super().codes(name), self.format(name)
        lost = codes.size * form.bits % 8
        if not _subbyte(self, name) or not lost or form.bits == 6:
            return codes
        whole = codes.reshape(-1).copy()
        whole[codes.size - lost // form.bits :] = 0
        return whole.reshape(codes.shape)


@deviation("packing")
class PackedBytesTakenForElements(Steps):
    """Takes the bytes of packed elements for elements of a byte each."""

    def values(self, name: str) -> Float64s:
        codes, form = self.codes(name), self.format(name)
        if not _subbyte(self, name):
            return super().values(name)
        packed = np.frombuffer(pack(codes, form), np.uint8 if form.kind != "int" else np.int8)
        return np.resize(packed, codes.size).astype(np.float64).reshape(codes.shape)


# Signs and widths of integers.


@deviation("sign")
class UnsignedTakenForSigned(Steps):
    """Extends the sign of unsigned data and zero points."""

    def values(self, name: str) -> Float64s:
        form = self.format(name)
        if form.kind != "uint":
            return super().values(name)
        half = 1 << (form.bits - 1)
        return ((self.codes(name).astype(np.int64) ^ half) - half).astype(np.float64)


@deviation("sign")
class SignedTakenForUnsigned(Steps):
    """Takes signed data and zero points for unsigned ones."""

    def values(self, name: str) -> Float64s:
        if self.format(name).kind != "int":
            return super().values(name)
        return self.codes(name).astype(np.float64)


@deviation("sign")
class UnsignedZeroPointTakenForSigned(Steps):
    """Extends the sign of unsigned zero points alone."""

    def zero_point(self) -> Float64s:
        values = super().zero_point()
        if not self.has(self.zero_point_name) or self.format(self.zero_point_name).kind != "uint":
            return values
        half = 2.0 ** (self.format(self.zero_point_name).bits - 1)
        return (values + half) % (2 * half) - half


# Formats taken for one another.


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
        return _read_as(self, self.scale_name, {"bfloat16": "float16"})
