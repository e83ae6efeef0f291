"""The elements of inputs: patterns of the generator, elements changed in them, or free codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from hypothesis import strategies as st

from onnx_cts_generator.case import Value
from onnx_cts_generator.patterns import FORBIDDEN, PATTERNS, UnfitError, codes_for
from onnx_cts_generator.quotients import Among
from onnx_cts_generator.strategies.shapes import chance
from onnx_cts_reference.formats import Format, formats, values_of
from onnx_cts_specs import Spec
from onnx_cts_specs.model import Input

SALTS = st.integers(0, (1 << 16) - 1)
"""Where in its pattern an input begins."""
_FEW = 6
"""Elements of a tensor whose codes are drawn one by one."""
_MOST_CHANGED = 3
_SAMPLE = 16


def code_strategy(formal: Input, form: Format, target: Format) -> st.SearchStrategy[int]:
    """Codes of a format: those that matter for the role of an input, and any."""
    patterns = (*(formal.patterns or PATTERNS[formal.role]), *FORBIDDEN[formal.role])
    telling = telling_codes(patterns, form.name, target.name)
    return st.sampled_from(telling) | st.integers(0, (1 << form.bits) - 1)


@cache
def telling_codes(patterns: tuple[str, ...], name: str, target: str) -> tuple[int, ...]:
    """The first codes of some patterns as far as a format has them, the simplest first."""
    form = formats()[name]
    codes: set[int] = set()
    for pattern in (*patterns, "edges"):
        try:
            sample = codes_for(pattern, form, (_SAMPLE,), 0, Among(formats()[target]))
        except UnfitError:
            continue
        codes.update(sample.tolist())
    ordered = sorted(codes)
    values = values_of(np.array(ordered, form.code_dtype), form)
    return tuple(code for _, code in sorted(zip(map(_complexity, values), ordered, strict=True)))


def _complexity(value: float) -> tuple[bool, bool, float, bool]:
    """Small integers before other numbers, and numbers before infinities and NaN."""
    if not np.isfinite(value):
        return True, bool(np.isnan(value)), 0.0, bool(value < 0)
    return False, bool(value != np.rint(value)), abs(float(value)), bool(np.signbit(value))


Changed = Callable[[str, Value], Value]
"""Makes another value of that of an input."""


def unchanged(_name: str, value: Value) -> Value:
    """The value as it is."""
    return value


def drawn_changes(
    draw: st.DrawFn, spec: Spec, sizes: Mapping[str, tuple[Format, int]], target: Format
) -> Changed:
    """What becomes of the patterns: small tensors get codes of their own, others a few.

    Args:
        draw: Hypothesis's.
        spec: The spec.
        sizes: Format and number of elements of each present input.
        target: Format of the output.
    """
    drawn: dict[str, Mapping[int, int]] = {}
    for name, (form, size) in sizes.items():
        codes = code_strategy(spec.input(name), form, target)
        if 0 < size <= _FEW and not draw(st.booleans()):
            drawn[name] = dict(enumerate(draw(st.lists(codes, min_size=size, max_size=size))))
        elif size and draw(chance(3)):
            places = st.integers(0, size - 1)
            drawn[name] = draw(st.dictionaries(places, codes, max_size=_MOST_CHANGED))

    def changed(name: str, value: Value) -> Value:
        flat = value.codes.reshape(-1).copy()
        for place, code in drawn.get(name, {}).items():
            flat[place] = code
        return Value(value.format, flat.reshape(value.shape))

    return changed
