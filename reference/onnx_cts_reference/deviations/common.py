"""Deviations in what operators with data, a scale and a zero point share."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Array, Codes, Float64s, pack, unpack

# The axis.


@deviation("axis")
class AxisAlwaysFirst(Steps):
    """Takes the first axis, whatever `axis` says."""

    def axis(self) -> int:
        return 0


@deviation("axis")
class AxisAlwaysLast(Steps):
    """Takes the last axis, whatever `axis` says."""

    def axis(self) -> int:
        return max(len(self.shape) - 1, 0)


@deviation("axis")
class AxisAlwaysDefault(Steps):
    """Takes axis 1 (the last one of rank 1), whatever `axis` says."""

    def axis(self) -> int:
        return min(1, max(len(self.shape) - 1, 0))


@deviation("axis")
class NegativeAxisOffByOne(Steps):
    """Takes a negative axis for the one before it."""

    def axis(self) -> int:
        given = self.given_axis()
        return (given - 1 if given < 0 else given) % max(len(self.shape), 1)


@deviation("axis")
class NegativeAxisWithoutSign(Steps):
    """Takes the absolute value of a negative axis."""

    def axis(self) -> int:
        return abs(self.given_axis()) % max(len(self.shape), 1)


@deviation("axis")
class NegativeAxisTakenForFirst(Steps):
    """Takes every negative axis for the first."""

    def axis(self) -> int:
        return max(self.given_axis(), 0) % max(len(self.shape), 1)


@deviation("axis")
class AxisCountedFromBack(Steps):
    """Counts a positive axis from the back."""

    def axis(self) -> int:
        given = self.given_axis()
        return (-1 - given if given >= 0 else given) % max(len(self.shape), 1)


@deviation("axis")
class AxisOffByOne(Steps):
    """Takes the axis after the one given."""

    def axis(self) -> int:
        return (self.given_axis() + 1) % max(len(self.shape), 1)


@deviation("axis")
class TrailingBroadcast(Steps):
    """Broadcasts 1-D parameters over the last axis wherever their length fits it."""

    def spread(self, parameter: Float64s) -> Float64s:
        if parameter.ndim == 1 and self.shape and self.shape[-1] == parameter.size:
            return parameter
        return super().spread(parameter)


@deviation("axis")
class TransposedByInversePermutation(Steps):
    """Moves the axis to the front and back by the inverse permutation."""

    def axis(self) -> int:
        rank = max(len(self.shape), 1)
        return (rank - super().axis()) % rank


# Granularity.


@deviation("granularity")
class FirstParametersForAll(Steps):
    """Uses the first scale and zero point for every element."""

    def spread(self, parameter: Float64s) -> Float64s:
        return parameter.reshape(-1)[:1].reshape(()) if parameter.size else parameter


@deviation("granularity")
class LastParametersForAll(Steps):
    """Uses the last scale and zero point for every element."""

    def spread(self, parameter: Float64s) -> Float64s:
        return parameter.reshape(-1)[-1:].reshape(()) if parameter.size else parameter


@deviation("granularity")
class FirstScaleForAll(Steps):
    """Uses the first scale for every element, and zero points as they should be."""

    def spread_scale(self) -> Float64s:
        scale = self.scale()
        return scale.reshape(-1)[:1].reshape(()) if scale.size else scale


@deviation("granularity")
class FirstZeroPointForAll(Steps):
    """Uses the first zero point for every element, and scales as they should be."""

    def spread_zero_point(self) -> Float64s:
        zero_point = self.zero_point()
        return zero_point.reshape(-1)[:1].reshape(()) if zero_point.size else zero_point


@deviation("granularity")
class ParametersReversed(Steps):
    """Applies scales and zero points in reverse order."""

    def spread(self, parameter: Float64s) -> Float64s:
        return super().spread(np.flip(parameter))


@deviation("granularity")
class ParametersCycled(Steps):
    """Applies per-axis parameters to elements in storage order, again and again."""

    def spread(self, parameter: Float64s) -> Float64s:
        if self.granularity() != "per-axis" or not parameter.size:
            return super().spread(parameter)
        return np.resize(parameter, self.shape)


@deviation("granularity")
class ParametersInRuns(Steps):
    """Applies per-axis parameters to equal runs of elements in storage order."""

    def spread(self, parameter: Float64s) -> Float64s:
        size = int(np.prod(self.shape))
        if self.granularity() != "per-axis" or not parameter.size or size % parameter.size:
            return super().spread(parameter)
        return np.repeat(parameter, size // parameter.size).reshape(self.shape)


# Blocks.


@deviation("block")
class BlocksInterleaved(Steps):
    """Deals elements to blocks in turn instead of filling one block after the other."""

    def block_index(self, length: int, blocks: int) -> Codes:
        return np.arange(length) % max(blocks, 1)


@deviation("block")
class BlocksOfEqualLength(Steps):
    """Stretches the blocks evenly over the axis, whatever `block_size` says."""

    def block_index(self, length: int, blocks: int) -> Codes:
        return np.arange(length) * blocks // max(length, 1)


@deviation("block")
class TailTakesFullBlock(Steps):
    """Gives the elements of an incomplete last block the parameters of the last full one."""

    def block_index(self, length: int, blocks: int) -> Codes:
        full = max(length // self.block_size() - 1, 0)
        return np.minimum(super().block_index(length, blocks), full)


@deviation("block")
class TailTakesFirstBlock(Steps):
    """Gives the elements of an incomplete last block the parameters of the first block."""

    def block_index(self, length: int, blocks: int) -> Codes:
        index = super().block_index(length, blocks)
        return np.where(index < length // self.block_size(), index, 0)


@deviation("block")
class BlockSizeOneTooLarge(Steps):
    """Makes blocks one element longer than `block_size`."""

    def block_index(self, length: int, blocks: int) -> Codes:
        return np.arange(length) // (self.block_size() + 1)


@deviation("block")
class BlocksTakenForPerAxis(Steps):
    """Takes 1-D blocked parameters for per-axis ones, and the last for all that follow."""

    def block_index(self, length: int, blocks: int) -> Codes:
        if len(self.shape) == 1:
            return np.minimum(np.arange(length), max(blocks - 1, 0))
        return super().block_index(length, blocks)


@deviation("block")
class BlockedZeroPointNotSpread(Steps):
    """Uses the zero points of the first block for all blocks."""

    def spread_zero_point(self) -> Float64s:
        zero_point = self.zero_point()
        if self.granularity() != "blocked" or not zero_point.size or not zero_point.shape:
            return super().spread_zero_point()
        return zero_point.take([0], axis=self.axis())


@deviation("block")
class BlocksOfStorageOrder(Steps):
    """Makes blocks of elements that follow each other in storage, whatever the axis."""

    def spread(self, parameter: Float64s) -> Float64s:
        size = int(np.prod(self.shape))
        if self.granularity() != "blocked" or not parameter.shape or not parameter.size:
            return super().spread(parameter)
        index = np.minimum(np.arange(size) // self.block_size(), parameter.size - 1)
        return parameter.reshape(-1)[index].reshape(self.shape)


# Refusals of what is valid, and shapes.


@deviation("refusal")
class RefusesAbsentZeroPoint(Steps):
    """Refuses calls without a zero point."""

    def refuses(self) -> bool:
        return not self.has(self.zero_point_name)


@deviation("refusal")
class RefusesNegativeAxis(Steps):
    """Refuses a negative axis."""

    def refuses(self) -> bool:
        return self.given_axis() < 0


@deviation("refusal")
class RefusesTailBlock(Steps):
    """Refuses blocks that do not divide the axis."""

    def refuses(self) -> bool:
        if self.granularity() != "blocked" or self.block_size() < 1:
            return False
        return self.shape[self.axis()] % self.block_size() != 0


@deviation("empty")
class RefusesRankZero(Steps):
    """Refuses data of rank 0."""

    def refuses(self) -> bool:
        return not self.shape


@deviation("empty")
class RefusesEmpty(Steps):
    """Refuses data without elements."""

    def refuses(self) -> bool:
        return 0 in self.shape


@deviation("empty")
class RankZeroBecomesOne(Steps):
    """Gives an output of shape (1,) for data of rank 0."""

    def run(self) -> tuple[Array, ...]:
        return tuple(y.reshape(y.shape or (1,)) for y in super().run())


@deviation("empty")
class EmptyLosesShape(Steps):
    """Gives an output of shape (0,) for any data without elements."""

    def run(self) -> tuple[Array, ...]:
        return tuple(y if y.size else y.reshape(0) for y in super().run())


@deviation("empty")
class LengthOneAxesDropped(Steps):
    """Drops axes of length 1 from the output."""

    def run(self) -> tuple[Array, ...]:
        return tuple(y.squeeze() for y in super().run())


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


# Formats taken for one another.


def _read_as(steps: Steps, name: str, aliases: dict[str, str]) -> Float64s:
    from onnx_cts_reference.formats import formats, values_of

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
