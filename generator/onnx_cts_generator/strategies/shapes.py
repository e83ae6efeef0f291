"""Shapes of data, and the attributes that say where parameters apply to it."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from onnx_cts_specs import Spec
from onnx_cts_specs.expressions import mentions
from onnx_cts_specs.model import Attribute, AttributeValue, Granularity

Shape = tuple[int, ...]

GREATEST_RANK = 5
MOST_ELEMENTS = 640
"""More than all codes of 8 bits twice."""
_LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
_LONG = (16, 17, 31, 33, 64, 67, 130, 259, 300)
"""About the registers of vector units, and past the codes of 8 bits."""
_ONE_IN = 4


def chance(one_in: int) -> st.SearchStrategy[bool]:
    """True about once in so many draws; False is the simpler."""
    return st.sampled_from([False] * (one_in - 1) + [True])


def asks_for(spec: Spec, granularity: Granularity, role: str) -> Attribute | None:
    """The attribute of a role on which the shape of the parameters depends; None for none."""
    asked = {name for _, name in mentions(granularity.shape, {t.name: t.value for t in spec.terms})}
    return next((a for a in spec.attributes if a.role == role and a.name in asked), None)


def drawn_shape(draw: st.DrawFn, least_rank: int) -> Shape:
    """A shape: of distinct or equal lengths, empty, of one element, or with one long axis."""
    rank = draw(st.integers(least_rank, GREATEST_RANK))
    if draw(chance(_ONE_IN)):
        shape = [draw(st.integers(1, 4))] * rank
    else:
        shape = [draw(st.sampled_from(_LENGTHS)) for _ in range(rank)]
    if rank and draw(chance(_ONE_IN)):
        shape[draw(st.integers(0, rank - 1))] = draw(st.sampled_from(_LONG))
    return _cut(shape)


def _cut(shape: list[int]) -> Shape:
    """A shape whose last axes are shortened until it has not too many elements."""
    left = MOST_ELEMENTS
    cut = []
    for length in shape:
        cut.append(min(length, left))
        left //= max(cut[-1], 1)
    return tuple(cut)


def drawn_placing(
    draw: st.DrawFn, spec: Spec, granularity: Granularity
) -> tuple[Shape, Mapping[str, AttributeValue]]:
    """A shape of data, and the attributes by which parameters of a granularity apply to it.

    An attribute that the granularity does not use is at its default, or an axis of the data.
    """
    needs_axis = asks_for(spec, granularity, "axis") is not None
    shape = drawn_shape(draw, 1 if needs_axis else 0)
    rank = len(shape)
    given: dict[str, AttributeValue] = {}
    for attribute in spec.attributes:
        if attribute.role == "axis":
            default = int(str(attribute.default))
            may_omit = not needs_axis or -rank <= default < rank
            axes = [*([default] if may_omit else []), *range(rank), *range(-rank, 0)]
            given[attribute.name] = draw(st.sampled_from(axes))
    if block := asks_for(spec, granularity, "block-size"):
        axis = next(int(str(given[a.name])) for a in spec.attributes if a.role == "axis")
        given[block.name] = draw(block_sizes(shape[axis]))
    return shape, given


def block_sizes(length: int) -> st.SearchStrategy[int]:
    """Sizes of blocks of an axis: whole ones, tails, single elements, and longer than the axis."""
    inside = st.integers(1, max(length, 1))
    return inside | st.integers(2, max(length - 1, 2)) | st.integers(length + 1, length + 3)
