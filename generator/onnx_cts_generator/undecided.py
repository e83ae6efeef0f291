"""Reject and open cases: calls one change away from a valid one, and what the spec says of them.

Each rule is broken alone, in every way that the changes find; each open question is raised alone.
None is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from onnx_cts_generator.bases import Base, bases
from onnx_cts_generator.case import Case, Node, Presentation, Value
from onnx_cts_generator.factors import Factors
from onnx_cts_generator.mutations import mutations
from onnx_cts_generator.patterns import codes_for
from onnx_cts_generator.values import evaluated
from onnx_cts_reference.formats import formats
from onnx_cts_specs import Call, Judgement, Spec, UndefinedError, judge, output_types

_REJECT_PATTERNS = {"data": "range", "scale": "ordinary", "zero-point": "extreme"}
_OPEN_PATTERNS = {"data": "rims", "scale": "powers", "zero-point": "extreme"}


@dataclass(frozen=True)
class Change:
    """A call that is one change away from a valid one, and has one rule or question against it.

    Attributes:
        base: The valid call.
        call: The changed call.
        judgement: What the spec says of it.
        against: Id of the one rule that it breaks, or the one open question that it raises.
        label: What was changed, and how.
    """

    base: Base
    call: Call
    judgement: Judgement
    against: str
    label: str


def changes(spec: Spec, factors: Factors) -> Iterator[Change]:
    """The changes that matter, each rule and question with each label once."""
    seen: set[str] = set()
    for base in bases(spec, factors):
        for label, call in mutations(spec, base.plan.call):
            judgement = judge(spec, call)
            at_fault = [r.id for r in judgement.broken] + [q.id for q in judgement.questions]
            if len(at_fault) != 1 or not {repr(call), f"{at_fault[0]} {label}"}.isdisjoint(seen):
                continue
            seen |= {repr(call), f"{at_fault[0]} {label}"}
            yield Change(base, call, judgement, at_fault[0], label)


def undecided_cases(spec: Spec, factors: Factors) -> Iterator[Case]:
    """The reject and open cases of a spec, in the order of its rules and open questions."""
    ids = [r.id for r in spec.rules] + [q.id for q in spec.open_questions]
    for change in sorted(changes(spec, factors), key=lambda change: ids.index(change.against)):
        yield _reject(spec, change) if change.judgement.broken else _open(spec, change)


def _node(spec: Spec, base: Base, call: Call, patterns: Mapping[str, str]) -> Node:
    target = base.plan.outputs[0]
    inputs = {}
    for formal in spec.inputs:
        tensor = call.inputs.get(formal.name)
        if tensor is not None:
            form = formats()[tensor.dtype]
            # Integers where a float belongs have no significands to choose.
            fits = form.is_float or formal.role != "scale"
            pattern = patterns[formal.role] if fits else "range"
            inputs[formal.name] = Value(form, codes_for(pattern, form, tensor.shape, 0, target))
    return Node(spec, inputs, call.attributes, _declared(spec, base, call))


def _declared(spec: Spec, base: Base, call: Call) -> dict[str, tuple[str, tuple[int, ...]]]:
    """What the model declares of its outputs: as the spec derives them, or as the base has them."""
    fallback = output_types(spec, base.plan.call)
    try:
        derived = output_types(spec, call)
    except UndefinedError:
        derived = fallback
    return {
        o.name: (o.dtype or plain.dtype, o.shape)
        for o, plain in zip(derived, fallback, strict=True)
    }


def _name(*words: str) -> str:
    return "_".join(words).replace("-", "_")


def _reject(spec: Spec, change: Change) -> Case:
    (rule,) = change.judgement.broken
    return Case(
        name=_name("reject", rule.id, change.label),
        node=_node(spec, change.base, change.call, _REJECT_PATTERNS),
        presentation=Presentation(spec.since_version),
        expectation="reject",
        granularity=change.judgement.granularity,
        features=(f"change:{change.label}",),
        rules=(rule.id,),
        stage=rule.stage,
    )


def _open(spec: Spec, change: Change) -> Case:
    (question,) = change.judgement.questions
    node = _node(spec, change.base, change.call, _OPEN_PATTERNS)
    expected = {
        answer.name: tuple(Value.of(e.value) for e in evaluated(node, answer.name))
        for answer in question.readings
        if not answer.refuse
    }
    return Case(
        name=_name("open", question.id, change.label),
        node=node,
        presentation=Presentation(spec.since_version),
        expectation="open",
        granularity=change.judgement.granularity,
        features=(f"change:{change.label}",),
        rules=(question.id,),
        readings=tuple(answer.name for answer in question.readings),
        expected=expected,
    )
