"""Models of one node: calls in the ways in which models present them, with what must happen."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from onnx_cts_generator.case import Case, Node, Presentation
from onnx_cts_generator.judged import judged_case
from onnx_cts_generator.strategies.calls import drawn_node, drawn_plan
from onnx_cts_generator.strategies.changed import drawn_broken, drawn_open
from onnx_cts_generator.strategies.space import Space
from onnx_cts_generator.values import presentation_of
from onnx_cts_specs import Spec

_KINDS = ("value",) * 7 + ("reject",) * 2 + ("open",)


def models(spec: Spec) -> st.SearchStrategy[Case]:
    """Cases of a spec: of ten about seven to be computed, two to be refused, one left open.

    Inputs, initializers and Constants, raw, typed and external data, static, symbolic and unknown
    shapes, absent inputs left out or named "", attributes spelled or not, function bodies and every
    opset of the version are drawn as presentations.

    Args:
        spec: The spec.
    """
    return _models(Space(spec))


@st.composite
def _models(draw: st.DrawFn, space: Space) -> Case:
    spec = space.spec
    kind = draw(st.sampled_from(_KINDS if spec.open_questions else _KINDS[:-1]))
    planned = drawn_plan(draw, space)
    presentation = presentation_of(spec, planned.row)
    if kind == "value":
        return judged_case(drawn_node(draw, spec, planned), presentation)
    node = (drawn_broken if kind == "reject" else drawn_open)(draw, spec, planned)
    return judged_case(node, _of_changed(node, presentation))


def _of_changed(node: Node, presentation: Presentation) -> Presentation:
    """A presentation that any call can have: function bodies and Constants have rules too."""
    absent = {i.name for i in node.spec.inputs if i.name not in node.inputs}
    return replace(
        presentation,
        parameters="inputs" if presentation.parameters == "constants" else presentation.parameters,
        storage=presentation.storage if presentation.parameters == "initializers" else "raw",
        expanded=False,
        empty_names=presentation.empty_names & absent,
    )
