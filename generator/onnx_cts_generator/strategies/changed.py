"""Calls one change away from a valid one that break one rule, or raise one open question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from hypothesis import reject
from hypothesis import strategies as st

from onnx_cts_generator.case import Node
from onnx_cts_generator.filling import planned as planned_tensor
from onnx_cts_generator.mutations import mutations
from onnx_cts_generator.patterns import PATTERNS
from onnx_cts_generator.strategies.calls import Planned, drawn_plan
from onnx_cts_generator.strategies.contents import SALTS
from onnx_cts_generator.strategies.shapes import GREATEST_RANK
from onnx_cts_generator.strategies.space import Space
from onnx_cts_generator.undecided import AGREEING, changed_node
from onnx_cts_reference.formats import formats
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Call, Judgement, Spec, judge

Wanted = Callable[[Judgement], Sequence[str]]
"""The ids against a call, if they are of the kind that is wanted and no others; else none."""


def broken_rules(judgement: Judgement) -> Sequence[str]:
    """The rules that a call breaks which raises no open question."""
    return () if judgement.questions else [rule.id for rule in judgement.broken]


def raised_questions(judgement: Judgement) -> Sequence[str]:
    """The open questions of a call that breaks no rule."""
    return () if judgement.broken else [question.id for question in judgement.questions]


def broken_calls(spec: Spec) -> st.SearchStrategy[Node]:
    """Calls that break exactly one rule, and raise no open question.

    A valid call is changed in one respect, as the generator changes it for its reject cases or
    freely: an attribute, a shape or a type becomes any other. The rules are drawn evenly.

    Args:
        spec: The spec.
    """
    return _broken_calls(Space(spec))


@st.composite
def _broken_calls(draw: st.DrawFn, space: Space) -> Node:
    return drawn_broken(draw, space.spec, drawn_plan(draw, space))


def open_calls(spec: Spec) -> st.SearchStrategy[Node]:
    """Calls that raise exactly one open question, and break no rule; none for a spec without any.

    Args:
        spec: The spec.
    """
    if not spec.open_questions:
        return st.nothing()
    return _open_calls(Space(spec))


@st.composite
def _open_calls(draw: st.DrawFn, space: Space) -> Node:
    return drawn_open(draw, space.spec, drawn_plan(draw, space))


def drawn_broken(draw: st.DrawFn, spec: Spec, planned: Planned) -> Node:
    """A change of a valid call that breaks one rule."""
    return _changed(draw, spec, planned, broken_rules, [rule.id for rule in spec.rules])


def drawn_open(draw: st.DrawFn, spec: Spec, planned: Planned) -> Node:
    """A change of a valid call that raises one open question."""
    return _changed(draw, spec, planned, raised_questions, [q.id for q in spec.open_questions])


def _changed(
    draw: st.DrawFn, spec: Spec, planned: Planned, wanted: Wanted, ids: Sequence[str]
) -> Node:
    base = planned.plan
    goals = _shuffled(ids, draw(SALTS))
    free = _free_change(draw, spec, base.call) if draw(st.booleans()) else None
    known = [_refilled(spec, base.call, call) for _, call in mutations(spec, base.call)]
    start = draw(st.integers(0, len(known) - 1))
    candidates = [
        *([_refilled(spec, base.call, free)] if free else []),
        *known[start:],
        *known[:start],
    ]
    call = _chosen(_against(spec, candidates, wanted), goals)
    if call is None:
        reject()
    instead = AGREEING if wanted is raised_questions else {}
    node = changed_node(spec, base, call, instead, draw(SALTS))
    arrays = {name: value.array for name, value in node.inputs.items()}
    if len(wanted(judge(spec, call_from(arrays, node.attributes)))) != 1:
        # Values in small tensors may lack what the pattern has.
        reject()
    return node


def _shuffled(ids: Sequence[str], salt: int) -> list[str]:
    """Ids in one of many orders, of which each id is the first in as many."""
    return sorted(ids, key=lambda name: sha256(f"{salt} {name}".encode()).digest())


def _against(spec: Spec, candidates: Sequence[Call], wanted: Wanted) -> Iterator[tuple[Call, str]]:
    """The calls that have one thing against them, and what that is."""
    for call in candidates:
        found = wanted(judge(spec, call))
        if len(found) == 1:
            yield call, found[0]


def _chosen(found: Iterator[tuple[Call, str]], goals: Sequence[str]) -> Call | None:
    """A call that has the first goal against it or, if there is none, one of the goals after it."""
    first: dict[str, Call] = {}
    for call, against in found:
        if against == goals[0]:
            return call
        first.setdefault(against, call)
    return next((first[goal] for goal in goals if goal in first), None)


def _refilled(spec: Spec, base: Call, call: Call) -> Call:
    """A changed call whose tensors of other types have a pattern that all types have."""
    inputs = dict(call.inputs)
    for name, tensor in call.present().items():
        if tensor.dtype != base.present()[name].dtype:
            formal = spec.input(name)
            plain = (formal.patterns or PATTERNS[formal.role])[0]
            inputs[name] = planned_tensor(tensor, plain if tensor.nonzero else "zero")
    return replace(call, inputs=inputs)


def _free_change(draw: st.DrawFn, spec: Spec, call: Call) -> Call:
    """A call in which one attribute, shape or type is any other."""
    present = call.present()
    kinds = ["shape", "type", *(["attribute"] if spec.attributes else [])]
    kind = draw(st.sampled_from(kinds))
    if kind == "attribute":
        name = draw(st.sampled_from([a.name for a in spec.attributes]))
        value = draw(st.integers(-9, 40) | st.integers(-(1 << 63), (1 << 63) - 1))
        return replace(call, attributes={**call.attributes, name: value})
    name = draw(st.sampled_from(sorted(present)))
    if kind == "type":
        tensor = replace(present[name], dtype=draw(st.sampled_from(sorted(formats()))))
    else:
        shape = draw(st.lists(st.integers(0, 4), max_size=GREATEST_RANK))
        tensor = replace(present[name], shape=tuple(shape))
    return replace(call, inputs={**call.inputs, name: tensor})
