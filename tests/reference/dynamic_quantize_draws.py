"""Tensors drawn for DynamicQuantizeLinear, as codes of float32."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from code_arrays import notable_codes
from hypothesis import strategies as st

Codes = st.SearchStrategy[list[int]]


def _codes(values: Sequence[float]) -> list[int]:
    codes: list[int] = np.array(values, np.float32).view(np.uint32).tolist()
    return codes


def plain_tensors() -> Codes:
    return st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=12).map(_codes)


@st.composite
def tensors_of_ties(draw: st.DrawFn) -> list[int]:
    """Halves of the scale, which is a power of two, at both ends of the range and between them."""
    least = 2 * draw(st.integers(-255, 0)) + draw(st.sampled_from([0, 1]))
    greatest = least + 510
    between = draw(st.lists(st.integers(least, greatest), max_size=10))
    scale = 2.0 ** draw(st.integers(-20, 20))
    return _codes([half * scale / 2 for half in (least, greatest, *between)])


def tensors_of_any_codes() -> Codes:
    codes = st.one_of(st.integers(0, (1 << 32) - 1), st.sampled_from(notable_codes("float")))
    return st.lists(codes, max_size=6)


def tensors_of_subnormals() -> Codes:
    """Ranges about the least of which 255 parts are no number but 0."""
    sign = 1 << 31
    return st.lists(st.integers(0, 5000) | st.integers(sign, sign + 5000), max_size=6)
