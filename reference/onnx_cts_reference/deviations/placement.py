"""Deviations in where scales and zero points apply: axis, granularity, blocks."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Codes, Float64s

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
class DefaultAxisTakenForFirst(Steps):
    """Takes the first axis where `axis` is left out."""

    def axis(self) -> int:
        return super().axis() if self.axis_is_given() else 0


@deviation("axis")
class DefaultAxisTakenForLast(Steps):
    """Takes the last axis where `axis` is left out."""

    def axis(self) -> int:
        return super().axis() if self.axis_is_given() else max(len(self.shape) - 1, 0)


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
