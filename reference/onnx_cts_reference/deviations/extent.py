"""Deviations in the shapes of data and outputs."""

from __future__ import annotations

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Implementation
from onnx_cts_reference.formats import Array


@deviation("empty")
class RefusesRankZero(Implementation):
    """Refuses data of rank 0."""

    def refuses(self) -> bool:
        return not self.shape


@deviation("empty")
class RankZeroBecomesOne(Implementation):
    """Gives an output of shape (1,) for data of rank 0."""

    def run(self) -> tuple[Array, ...]:
        return tuple(y.reshape(y.shape or (1,)) for y in super().run())


@deviation("empty")
class LengthOneAxesDropped(Implementation):
    """Drops axes of length 1 from the output."""

    def run(self) -> tuple[Array, ...]:
        return tuple(y.squeeze() for y in super().run())
