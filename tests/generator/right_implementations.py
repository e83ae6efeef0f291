"""The operators of which there are right implementations, and how each is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import right_dequantizers
import right_dynamic_quantizers
import right_quantizers
from right_calls import Array

from onnx_cts_reference.model_calls import ModelCall

Implementation = Callable[[Any], Array | tuple[Array, ...]]


@dataclass(frozen=True)
class Family:
    """Right implementations of one operator, and a wrong one.

    Attributes:
        call_of: What the implementations are given, made of the call in a model.
        wrong: An implementation that leaves out a step, to show that the cases see it.
    """

    operator: str
    call_of: Callable[[ModelCall], Any]
    implementations: tuple[Implementation, ...]
    wrong: Implementation

    def place(self, implementation: Implementation) -> int:
        """Where an implementation stands among the right ones; the wrong one is the last."""
        return [*self.implementations, self.wrong].index(implementation)

    def outputs(self, implementation: Implementation, made: ModelCall) -> tuple[Array, ...]:
        """What an implementation gives for the call in a model, in the order of the outputs."""
        with np.errstate(all="ignore"):
            given = implementation(self.call_of(made))
        return given if isinstance(given, tuple) else (np.asarray(given),)


FAMILIES = {
    operator: Family(
        operator, module.call_of, module.IMPLEMENTATIONS, module.without_the_zero_point
    )
    for operator, module in (
        ("DequantizeLinear", right_dequantizers),
        ("QuantizeLinear", right_quantizers),
        ("DynamicQuantizeLinear", right_dynamic_quantizers),
    )
}
"""By operator."""
