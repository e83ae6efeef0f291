"""DequantizeLinear by its formula, index by index, on the exact fractions of the oracle."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import oracle
from emitted import EmittedCase, Tensor

Difference = Callable[[oracle.Number, oracle.Number], oracle.Number]


def wrapped_difference(a: oracle.Number, b: oracle.Number) -> oracle.Number:
    """The difference of two int32, in int32."""
    return oracle.number((a.value - b.value + 2**31) % 2**32 - 2**31)


@dataclass(frozen=True, eq=False)
class Formula:
    """The formula over the tensors of a case, with the choices that an open question leaves.

    Attributes:
        granularity: Which element of a parameter an element of x takes.
        difference: What ``x - x_zero_point`` is.
        without_zero_point: Take an absent zero point in place of the one given.
        axis: The axis in place of the one that the node names.
    """

    case: EmittedCase
    granularity: str
    difference: Difference = oracle.subtract
    without_zero_point: bool = False
    axis: int | None = None

    @cached_property
    def factors(self) -> list[tuple[oracle.Number, oracle.Number]]:
        """The difference and the scale of each element of y, in C order."""
        x, scale = (self.case.inputs[name] for name in ("x", "x_scale"))
        zero_point = None if self.without_zero_point else self.case.inputs.get("x_zero_point")
        found = []
        for index in np.ndindex(x.shape):
            difference = x.at(index)
            if zero_point is not None:
                difference = self.difference(difference, self._parameter(zero_point, index))
            found.append((difference, self._parameter(scale, index)))
        return found

    @cached_property
    def answers(self) -> list[oracle.Answers]:
        """What each element of y may be."""
        return [oracle.answers(*pair, self.case.output_type) for pair in self.factors]

    @cached_property
    def products(self) -> list[oracle.Number]:
        """Each element of y before it is rounded."""
        return [oracle.multiply(*pair) for pair in self.factors]

    def codes(self, field: str = "exact") -> list[int]:
        return [getattr(answer, field) for answer in self.answers]

    def _parameter(self, tensor: Tensor, index: tuple[int, ...]) -> oracle.Number:
        if self.granularity == "per-tensor":
            (only,) = tensor.numbers
            return only
        axis = self.case.attribute("axis") if self.axis is None else self.axis
        axis %= len(index)
        if self.granularity == "per-axis":
            return tensor.at((index[axis],))
        block = index[axis] // self.case.attribute("block_size")
        return tensor.at((*index[:axis], block, *index[axis + 1 :]))


def is_tie(exact: oracle.Number, name: str) -> bool:
    """Whether a product lies half way between two neighbours of a type."""
    if exact.is_nan or exact.size == math.inf:
        return False
    code = oracle.encode(oracle.Number(False, exact.size), name)
    nearest = oracle.decode(code, name).size
    if nearest in (math.inf, exact.size):
        return False
    other = oracle.decode(code + (1 if exact.size > nearest else -1), name).size
    return 2 * exact.size == nearest + other


def differing(case: EmittedCase, file: str, wanted: list[int]) -> list[str]:
    """Where the tensor in a file is not what is wanted, in words; NaN is NaN."""
    tensor = case.tensor(file)
    shape = case.inputs["x"].shape
    if (tensor.type, tensor.shape) != (case.output_type, shape):
        return [f"{case} {file}: {tensor.type} {tensor.shape}, not {case.output_type} {shape}"]
    return [
        f"{case} {file} at {index}: {code:#x}, not {right:#x}"
        for index, code, right in zip(
            np.ndindex(shape), tensor.codes.reshape(-1), wanted, strict=True
        )
        if code != right and not _both_nan(int(code), right, case.output_type)
    ]


def _both_nan(code: int, other: int, name: str) -> bool:
    return oracle.decode(code, name).is_nan and oracle.decode(other, name).is_nan
