"""Reject and open cases: calls one change away from a valid one, and what the spec says of them.

Each rule is broken alone, in every way that the changes find; each open question is raised alone.
None is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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


def undecided_cases(spec: Spec, factors: Factors) -> Iterator[Case]:
    """The reject and open cases of a spec, in the order of its rules and open questions."""
    ids = [r.id for r in spec.rules] + [q.id for q in spec.open_questions]
    found: dict[str, dict[str, Case]] = {name: {} for name in ids}
    seen: set[str] = set()
    for base in bases(spec, factors):
        for label, call in mutations(spec, base.plan.call):
            judgement = judge(spec, call)
            at_fault = [r.id for r in judgement.broken] + [q.id for q in judgement.questions]
            if len(at_fault) != 1 or label in found[at_fault[0]] or repr(call) in seen:
                continue
            seen.add(repr(call))
            found[at_fault[0]][label] = (
                _reject(spec, base, call, judgement, label)
                if judgement.broken
                else _open(spec, base, call, judgement, label)
            )
    for cases in found.values():
        yield from cases.values()


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
    try:
        derived = output_types(spec, call)
    except UndefinedError:
        derived = output_types(spec, base.plan.call)
    fallback = output_types(spec, base.plan.call)
    return {
        o.name: (o.dtype or plain.dtype, o.shape)
        for o, plain in zip(derived, fallback, strict=True)
    }


def _name(*words: str) -> str:
    return "_".join(words).replace("-", "_")


def _reject(spec: Spec, base: Base, call: Call, judgement: Judgement, label: str) -> Case:
    (rule,) = judgement.broken
    return Case(
        name=_name("reject", rule.id, label),
        node=_node(spec, base, call, _REJECT_PATTERNS),
        presentation=Presentation(spec.since_version),
        expectation="reject",
        granularity=judgement.granularity,
        features=(f"change:{label}",),
        rules=(rule.id,),
        stage=rule.stage,
    )


def _open(spec: Spec, base: Base, call: Call, judgement: Judgement, label: str) -> Case:
    (question,) = judgement.questions
    node = _node(spec, base, call, _OPEN_PATTERNS)
    expected = {
        answer.name: tuple(Value.of(e.value) for e in evaluated(node, answer.name))
        for answer in question.readings
        if not answer.refuse
    }
    return Case(
        name=_name("open", question.id, label),
        node=node,
        presentation=Presentation(spec.since_version),
        expectation="open",
        granularity=judgement.granularity,
        features=(f"change:{label}",),
        rules=(question.id,),
        readings=tuple(answer.name for answer in question.readings),
        expected=expected,
    )
