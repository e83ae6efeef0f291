"""Values of data whose own range sets the scale: whole tensors that decide.

- ``both-signs``, ``positive``, ``negative``: numbers of full significands; without both signs the
  range must be widened to hold zero.
- ``zero-point-ties``: a range of 255 powers of two that begins half a step below an integer.
- ``output-ties``: such a range that begins at an integer, and numbers half way between steps.
- ``halves``: numbers half way between steps of a scale of full significand, so that the ways of
  computing differ; every other time near the end of float32.
- ``tiny``: a range with a subnormal scale.
"""

from __future__ import annotations

import numpy as np

from onnx_cts_generator.spreading import spread_codes
from onnx_cts_reference.formats import Codes, Float64s, Format, codes_of, round_to

_STEPS = 255
_ENDS = {
    "both-signs": (-1.7, 5.3),
    "positive": (0.37, 7.9),
    "negative": (-9.3, -0.21),
    "tiny": (-3.3e-38, 4.9e-38),
}
_PAST = {"past-the-greatest": (-2.9e38, 3.1e38), "past-the-least": (0.0, 4e-44)}
"""Ranges whose length or scale float32 does not hold, for what the text leaves open."""
SAMPLES = frozenset({*_ENDS, *_PAST, "zero-point-ties", "output-ties", "halves"})
_BEGINNINGS = (0, 1, 2, 127, 126, 3, 254, 200)
"""Steps from the least number to zero."""


def sample_codes(pattern: str, form: Format, places: Codes) -> Codes:
    """The codes of a pattern of this module."""
    if not places.size or not form.infinity:
        # No version takes other types; they occur where a case breaks that rule.
        return spread_codes(form, places)
    salt = int(places[0])
    index = np.arange(places.size)
    # From 0 to 1, both ends among them, in an order in which neighbours differ much.
    parts = ((index + salt) * 0.6180339887498949 % 1.0).astype(np.float64)
    # One end lies behind the last whole vector, where there is more than that.
    least, greatest = salt % places.size, (places.size - 1 - salt // 2) % places.size
    parts[least], parts[greatest] = 0.0, 1.0
    if pattern in _ENDS or pattern in _PAST:
        low, high = (_ENDS | _PAST)[pattern]
        values = low + (high - low) * parts
        if pattern not in {"tiny", *_PAST}:
            values = values * 2.0 ** (salt % 5 - 2)
    elif pattern == "halves":
        halves = np.where(parts < 1, np.floor(parts * _STEPS) + 0.5, _STEPS)
        values = halves / _STEPS * (1 + 0.37 * (salt % 3)) * 2.0 ** (126 * (salt % 2))
    else:
        values = _steps(pattern, parts, salt)
    return codes_of(round_to(values, form))


def _steps(pattern: str, parts: Float64s, salt: int) -> Float64s:
    """Multiples of a power of two, ``_STEPS`` of them from the first to the last."""
    before = _BEGINNINGS[salt % len(_BEGINNINGS)]
    steps = np.rint(parts * _STEPS)
    if pattern == "output-ties":
        halves = (steps > 0) & (steps < _STEPS)
        steps = np.where(halves, steps - 0.5, steps)
    else:
        steps = steps - 0.5
    return np.asarray((steps - before) * 2.0 ** (salt % 4 - 2))
