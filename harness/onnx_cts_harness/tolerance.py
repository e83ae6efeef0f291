"""Compare a tensor with an expected one as the official runner of ONNX's tests does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onnx_cts_harness.arrays import array_of_tensor
from onnx_cts_harness.case import Tolerance
from onnx_cts_harness.compare import Difference, Number
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.formats import Array

#: The official runner grants bfloat16 two units in the last place.
BFLOAT16_RTOL = 2.0**-6


@dataclass(frozen=True)
class Distant:
    """Elements beyond the tolerance.

    Attributes:
        worst: The worst of them.
        said: What is wrong with complex numbers, of which a difference cannot tell; otherwise "".
    """

    worst: Difference | None
    said: str = ""


def beyond(expected: Tensor, got: Tensor, tolerance: Tolerance) -> Distant | None:
    """What of a tensor is farther from the expected one than is tolerated; None if nothing is.

    As ``numpy.testing.assert_allclose`` has it, NaN is near NaN, and an infinity near itself.

    Args:
        expected: What is expected.
        got: A tensor of the same type and shape.
        tolerance: How far off an element may be.

    Raises:
        ValueError: The data of ``got`` is not as long as its shape asks.
    """
    want, have = array_of_tensor(expected), array_of_tensor(got)
    rtol = tolerance.rtol
    if want.dtype.name == "bfloat16":
        rtol = max(rtol, BFLOAT16_RTOL)
    with np.errstate(all="ignore"):
        wrong = ~_near(want, have, rtol, tolerance.atol)
        if not wrong.any():
            return None
        return _distant(want, have, wrong, Tolerance(rtol, tolerance.atol))


def _near(want: Array, have: Array, rtol: float, atol: float) -> NDArray[np.bool_]:
    if want.dtype.name != "bfloat16":
        try:
            return np.asarray(np.isclose(have, want, rtol=rtol, atol=atol, equal_nan=True))
        except TypeError:
            pass  # A type that this NumPy cannot promote with a plain number.
    want, have = want.astype(np.float32), have.astype(np.float32)
    return np.asarray(np.isclose(have, want, rtol=rtol, atol=atol, equal_nan=True))


def _distant(want: Array, have: Array, wrong: NDArray[np.bool_], tolerance: Tolerance) -> Distant:
    wide = np.complex128 if np.iscomplexobj(want) else np.float64
    distance = np.abs(have.astype(wide) - want.astype(wide))
    # A NaN or an infinity on one side alone is worse than any distance.
    distance = np.where(np.isnan(distance), np.inf, distance)
    at = np.unravel_index(int(np.argmax(np.where(wrong, distance, -1.0))), want.shape)
    index = tuple(int(i) for i in at)
    if np.iscomplexobj(want):
        counted = f"{int(wrong.sum())} of {want.size} wrong"
        return Distant(None, f"at {list(index)} expected {want[at]}, got {have[at]}, {counted}")
    value = _number(want[at])
    spread = tolerance.atol + tolerance.rtol * abs(value)
    permitted = (value - spread, value + spread) if np.isfinite(value) else ()
    worst = Difference(
        index, value, permitted, _number(have[at]), None, int(wrong.sum()), want.size
    )
    return Distant(worst)


def _number(element: Any) -> Number:
    value = np.asarray(element)
    integral = value.dtype.kind in "biu" or "int" in value.dtype.name
    return int(value) if integral else float(value)
