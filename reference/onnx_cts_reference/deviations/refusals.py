"""Deviations in which valid calls are refused, and empty data is not taken as it is."""

from __future__ import annotations

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Array


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


@deviation("refusal")
class RefusesBlockLongerThanAxis(Steps):
    """Refuses a block that is longer than the axis."""

    def refuses(self) -> bool:
        return self.granularity() == "blocked" and self.block_size() > self.shape[self.axis()]


@deviation("empty")
class RefusesEmpty(Steps):
    """Refuses data without elements."""

    def refuses(self) -> bool:
        return 0 in self.shape


@deviation("empty")
class EmptyLosesShape(Steps):
    """Gives an output of shape (0,) for any data without elements."""

    def run(self) -> tuple[Array, ...]:
        return tuple(y if y.size else y.reshape(0) for y in super().run())
