"""Valid calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from hypothesis import reject
from hypothesis import strategies as st

from onnx_cts_generator import factors as f
from onnx_cts_generator.case import Node
from onnx_cts_generator.factors import Row
from onnx_cts_generator.filling import Filling, Unfilled, filled_inputs
from onnx_cts_generator.plans import Plan, shaped_call
from onnx_cts_generator.strategies.contents import SALTS, Changed, drawn_changes, unchanged
from onnx_cts_generator.strategies.shapes import drawn_placing
from onnx_cts_generator.strategies.space import Space, drawn_row
from onnx_cts_reference.formats import formats
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Spec, judge, output_types


@dataclass(frozen=True)
class Planned:
    """A valid call without values, and the row of factor values behind it."""

    row: Row
    plan: Plan


def drawn_plan(draw: st.DrawFn, space: Space) -> Planned:
    """A valid call whose tensors are to be filled by patterns."""
    spec = space.spec
    row = drawn_row(draw, space)
    granularity = next(g for g in spec.granularities if g.name == row[f.GRANULARITY])
    shape, placing = drawn_placing(draw, spec, granularity)
    call = shaped_call(spec, row, shape, placing)
    judgement = judge(spec, call)
    if not judgement.valid:
        reject()
    return Planned(row, Plan(call, judgement.granularity, output_types(spec, call)))


def calls(spec: Spec) -> st.SearchStrategy[Node]:
    """Calls that break no rule and raise no open question.

    Types, granularities, ranks from 0, shapes with empty ones, axes of both signs, block sizes with
    tails, optional inputs and attributes given or not are drawn from what the spec has; values from
    the generator's patterns and from all codes of a type.

    Args:
        spec: The spec.
    """
    return _calls(Space(spec))


@st.composite
def _calls(draw: st.DrawFn, space: Space) -> Node:
    return drawn_node(draw, space.spec, drawn_plan(draw, space))


def drawn_node(draw: st.DrawFn, spec: Spec, planned: Planned) -> Node:
    """A planned call with values, with none of which the spec finds fault."""
    plan = planned.plan
    present = plan.call.present()
    salts = {name: draw(SALTS) for name in present}
    sizes = {name: (formats()[t.dtype], _size(t.shape)) for name, t in present.items()}
    changed = drawn_changes(draw, spec, sizes, plan.target)
    for way in (changed, unchanged):
        node = _node(spec, plan, salts, way)
        arrays = {name: value.array for name, value in node.inputs.items()}
        if judge(spec, call_from(arrays, node.attributes)).valid:
            return node
    # A pattern holds more at this place than where it begins.
    return reject()


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size


def _node(spec: Spec, plan: Plan, salts: dict[str, int], changed: Changed) -> Node:
    patterns = {n: cast("Filling", t.content).pattern for n, t in plan.call.present().items()}
    unfilled = Unfilled(spec, plan.call, plan.granularity, plan.target)
    inputs = filled_inputs(unfilled, patterns, salts, changed)
    outputs = {output.name: (output.dtype, output.shape) for output in plan.outputs}
    return Node(spec, inputs, plan.call.attributes, outputs)
