"""What a spec says of a call: which rules it breaks, and which open questions it raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from onnx_cts_specs.call import Call, Tensor
from onnx_cts_specs.errors import SpecError, UndefinedError
from onnx_cts_specs.evaluator import Evaluator
from onnx_cts_specs.model import (
    Answer,
    Attribute,
    AttributeValue,
    OpenQuestion,
    Output,
    Reading,
    Rule,
    Spec,
)

_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "tensor": (object,),
    "int": (int,),
    "float": (float,),
    "string": (str,),
    "ints": (tuple, list),
    "floats": (tuple, list),
    "strings": (tuple, list),
}


@dataclass(frozen=True)
class OutputType:
    """Element type and shape of an output, as the spec derives them from the call."""

    name: str
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Judgement:
    """What a spec says of one call.

    Attributes:
        granularity: Name of the granularity that the call selects, empty where none fits.
        broken: Rules that the call breaks and that no open question excuses, in the spec's order.
        questions: Open questions that the call raises; what they excuse is not in ``broken``.
        applied: Rules with a condition of their own that holds for the call.
    """

    granularity: str
    broken: tuple[Rule, ...]
    questions: tuple[OpenQuestion, ...]
    applied: tuple[Rule, ...]

    @property
    def valid(self) -> bool:
        """Whether the call breaks no rule and raises no open question."""
        return not self.broken and not self.questions


def attribute_values(spec: Spec, call: Call) -> dict[str, AttributeValue | None]:
    """The value of each attribute of the spec in a call: the one given, or else the default."""
    return {a.name: call.attributes.get(a.name, a.default) for a in spec.attributes}


def _is_mistyped(attribute: Attribute, value: AttributeValue) -> bool:
    return isinstance(value, bool) or not isinstance(value, _PYTHON_TYPES[attribute.type])


def evaluator(spec: Spec, call: Call) -> Evaluator:
    """An evaluator of the spec's expressions over a call, its granularity included."""
    formal = {a.name: a for a in spec.attributes}
    names: dict[str, object] = {i.name: call.inputs.get(i.name) for i in spec.inputs}
    names |= attribute_values(spec, call)
    names |= {c.name: c.types for c in spec.type_constraints}
    names["unknown_attributes"] = tuple(n for n in call.attributes if n not in formal)
    mistyped = tuple(
        n for n, v in call.attributes.items() if n in formal and _is_mistyped(formal[n], v)
    )
    names["mistyped_attributes"] = mistyped
    # A value of the wrong type must not reach arithmetic: the rule on types speaks for it.
    names |= {n: formal[n].default for n in mistyped}
    evaluate = Evaluator(names, spec.path)
    evaluate.define_lazily("granularity", partial(_granularity, evaluate, spec))
    for term in spec.terms:
        evaluate.define_lazily(term.name, partial(evaluate.value, term.value))
    for output in spec.outputs:
        evaluate.define_lazily(output.name, partial(_output_tensor, evaluate, output))
    return evaluate


def _granularity(evaluate: Evaluator, spec: Spec) -> str:
    return next((g.name for g in spec.granularities if evaluate.holds(g.when)), "")


def _output_tensor(evaluate: Evaluator, output: Output) -> Tensor:
    return Tensor(evaluate.value(output.dtype), evaluate.value(output.shape))


def output_types(spec: Spec, call: Call) -> tuple[OutputType, ...]:
    """Element types and shapes of the outputs of a call.

    Raises:
        UndefinedError: The call lacks an input that they depend on.
    """
    evaluate = evaluator(spec, call)
    return tuple(
        OutputType(o.name, evaluate.value(o.dtype), evaluate.value(o.shape)) for o in spec.outputs
    )


def readings_of(spec: Spec, call: Call) -> tuple[Reading, ...]:
    """The ways of computing that the text admits for a call, the one of the value first."""
    evaluate = evaluator(spec, call)
    return tuple(r for r in spec.readings if not r.when or evaluate.holds(r.when))


def judge(spec: Spec, call: Call, answered: frozenset[str] = frozenset()) -> Judgement:
    """Judge a call by the rules and open questions of a spec.

    A call whose open question has only refused answers left is broken: whatever the answer, some
    rule stands against it.

    Args:
        spec: The spec.
        call: The call.
        answered: Ids of open questions that an answer has settled already.

    Raises:
        SpecError: A rule has no value for a call that breaks no other rule.
    """
    evaluate = evaluator(spec, call)
    questions = tuple(
        q for q in spec.open_questions if q.id not in answered and evaluate.holds(q.when)
    )
    excused = {rule_id for q in questions for rule_id in q.excuses}
    broken: list[Rule] = []
    undefined: list[Rule] = []
    applied: list[Rule] = []
    for rule in spec.rules:
        try:
            if rule.when and not evaluate.value(rule.when):
                continue
            met = evaluate.value(rule.require)
        except UndefinedError:
            undefined.append(rule)
            continue
        if rule.when:
            applied.append(rule)
        if not met and rule.id not in excused:
            broken.append(rule)
    if undefined and not broken and not questions:
        raise SpecError(
            spec.path,
            f"rule {undefined[0].id} has no value for a call that breaks no rule: {call}",
            "guard it with a `when`, or add the rule that such a call breaks",
        )
    granularity = str(evaluate.value("granularity"))
    if questions and not broken:
        broken = list(_broken_by_every_answer(spec, call, questions[0], answered))
    return Judgement(granularity, tuple(broken), questions, tuple(applied))


def _broken_by_every_answer(
    spec: Spec, call: Call, question: OpenQuestion, answered: frozenset[str]
) -> tuple[Rule, ...]:
    broken: tuple[Rule, ...] = ()
    for answer in question.readings:
        if answer.refuse:
            continue
        after = judge(spec, answered_call(call, answer), answered | {question.id})
        if not after.broken:
            return ()
        broken = broken or after.broken
    return broken


def answered_call(call: Call, answer: Answer) -> Call:
    """The call that an answer to an open question computes in place of the one given."""
    inputs: dict[str, Tensor | None] = dict(call.inputs)
    for name, shape in (answer.reshape or {}).items():
        tensor = inputs.get(name)
        if tensor is not None:
            inputs[name] = replace(tensor, shape=shape)
    for name in answer.omit:
        inputs[name] = None
    return Call(inputs, {**call.attributes, **(answer.attributes or {})})
