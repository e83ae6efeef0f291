"""Reject and open cases: calls one change away from a valid one, and what the spec says of them.

Each rule is broken alone, in every way that the changes find; each open question is raised alone.
None is written by hand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from onnx_cts_generator import factors as f
from onnx_cts_generator.bases import Base, bases, bases_of_types
from onnx_cts_generator.case import Case, Node, Presentation, Value
from onnx_cts_generator.factors import Factors
from onnx_cts_generator.filling import Filling, Unfilled, filled_inputs
from onnx_cts_generator.models import function_body
from onnx_cts_generator.mutations import mutations
from onnx_cts_generator.plans import Plan
from onnx_cts_generator.values import evaluated
from onnx_cts_reference.formats import formats
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Call, Judgement, Spec, UndefinedError, judge, output_types

_SHIFTS = 8
"""How many places of the patterns are tried for one that raises a question in a small tensor."""
AGREEING: Mapping[str, str] = {"range": "rims", "ordinary": "powers"}
"""Patterns in place of others where all ways of computing are to agree."""


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
    for base in itertools.chain(bases(spec, factors), bases_of_types(spec, factors)):
        for label, call in mutations(spec, base.plan.call):
            judgement = judge(spec, call)
            at_fault = [r.id for r in judgement.broken] + [q.id for q in judgement.questions]
            contents = [tensor.content for tensor in call.present().values()]
            keys = {f"{call} {contents}", f"{' '.join(at_fault)} {label}"}
            if len(at_fault) != 1 or not keys.isdisjoint(seen):
                continue
            seen |= keys
            yield Change(base, call, judgement, at_fault[0], label)


def undecided_cases(spec: Spec, factors: Factors) -> Iterator[Case]:
    """The reject and open cases of a spec, in the order of its rules and open questions."""
    ids = [r.id for r in spec.rules] + [q.id for q in spec.open_questions]
    for change in sorted(changes(spec, factors), key=lambda change: ids.index(change.against)):
        told = (change.judgement, change.label, f"change:{change.label}")
        if change.judgement.broken:
            yield reject_case(changed_node(spec, change.base.plan, change.call), *told)
        elif node := _raising(spec, change):
            case = open_case(node, *told)
            yield case
            if function_body(spec.domain, spec.operator, spec.since_version):
                yield _expanded(case)


def _raising(spec: Spec, change: Change) -> Node | None:
    """The node of a change whose values raise its question; None if the pattern has none such."""
    for salt in range(_SHIFTS):
        node = changed_node(spec, change.base.plan, change.call, AGREEING, salt)
        arrays = {name: value.array for name, value in node.inputs.items()}
        if judge(spec, call_from(arrays, node.attributes)).questions:
            return node
    return None


def changed_node(
    spec: Spec, base: Plan, call: Call, instead: Mapping[str, str] = {}, salt: int = 0
) -> Node:
    """The node of a changed call.

    Args:
        spec: The spec.
        base: The valid call from which it was changed.
        call: The changed call, its tensors planned.
        instead: Patterns in place of others.
        salt: Where in its pattern each input begins.
    """
    patterns = {}
    for name, tensor in call.present().items():
        planned = cast("Filling", tensor.content).pattern
        patterns[name] = instead.get(planned, planned)
    declared = _declared(spec, base, call)
    # An attribute may name a type that has no place here.
    target = formats().get(declared[spec.outputs[0].name][0], base.target)
    salts = dict.fromkeys(patterns, salt)
    inputs = filled_inputs(Unfilled(spec, call, "", target), patterns, salts)
    return Node(spec, inputs, call.attributes, declared)


def _declared(spec: Spec, base: Plan, call: Call) -> dict[str, tuple[str, tuple[int, ...]]]:
    """What the model declares of its outputs: as the spec derives them, or as the base has them."""
    fallback = base.outputs
    try:
        derived = output_types(spec, call)
    except UndefinedError:
        derived = fallback
    return {
        o.name: (o.dtype or plain.dtype, o.shape)
        for o, plain in zip(derived, fallback, strict=True)
    }


def reject_case(node: Node, judgement: Judgement, label: str, *features: str) -> Case:
    """A case that breaks the rules of a judgement, named by them and a label."""
    stages = dict.fromkeys(stage for rule in judgement.broken for stage in rule.stage)
    rules = tuple(rule.id for rule in judgement.broken)
    return Case(
        name=_name("reject", *rules, label),
        node=node,
        presentation=Presentation(node.spec.since_version),
        expectation="reject",
        granularity=judgement.granularity,
        features=features,
        rules=rules,
        stage=tuple(stages),
    )


def open_case(node: Node, judgement: Judgement, label: str, *features: str) -> Case:
    """A case that raises the one question of a judgement, named by it and a label."""
    (question,) = judgement.questions
    expected = {
        answer.name: tuple(Value.of(e.value) for e in evaluated(node, answer.name))
        for answer in question.readings
        if not answer.refuse
    }
    return Case(
        name=_name("open", question.id, label),
        node=node,
        presentation=Presentation(node.spec.since_version),
        expectation="open",
        granularity=judgement.granularity,
        features=features,
        rules=(question.id,),
        readings=tuple(answer.name for answer in question.readings),
        expected=expected,
    )


def _name(*words: str) -> str:
    return "_".join(words).replace("-", "_")


def _expanded(case: Case) -> Case:
    """The same with the function body of the operator in place of its node."""
    return replace(
        case,
        name=_name(case.name, f.FUNCTION_BODY),
        presentation=replace(case.presentation, expanded=True),
        features=(*case.features, f"{f.FORM}:{f.FUNCTION_BODY}"),
        presents=case.name,
    )
