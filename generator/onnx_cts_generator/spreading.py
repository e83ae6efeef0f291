"""Codes in an order in which neighbours along every axis differ much."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onnx_cts_reference.formats import Codes, Format, integers_of

_STEP_LENGTHS = (1, 3, 3, 2, 1)
"""Found by trying: they leave the fewest equal neighbours in the shapes that plans have."""


def golden_step(bits: int) -> int:
    """An odd number near the golden section of 2^bits, so that multiples spread evenly."""
    return round((1 << bits) * 0.6180339887498949) | 1


def spread_codes(form: Format, places: Codes) -> Codes:
    """Every code of a type of up to 8 bits in turn, wider types in golden-ratio steps."""
    # The digits of the index, to the base of the number of codes, count as steps of these lengths:
    # so rows and planes differ too whose length is a multiple of the number of codes.
    index = places - places[:1]
    mask = (1 << form.bits) - 1
    steps = places[:1]
    for digit, length in enumerate(_STEP_LENGTHS):
        steps = steps + length * ((index >> (digit * form.bits)) & mask)
    codes: Codes = (steps * golden_step(form.bits)) & mask
    if form.bits == 32:
        # Numbers of every size, so that some products fit a small type.
        signed: Codes = integers_of(codes, form)
        codes = (signed >> (5 * places % 29)) & mask
    return codes


def cycle(codes: Sequence[int], places: Codes) -> Codes:
    """Codes again and again, as many as there are places."""
    return np.array(codes, np.int64)[places % len(codes)]
