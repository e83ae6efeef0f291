"""Evaluate a call: the spec's rules are asked first, then the kernel computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from onnx_cts_reference.chunks import computed
from onnx_cts_reference.errors import BrokenRuleError, CallError, OpenQuestionError, RefusedError
from onnx_cts_reference.expected import Expected
from onnx_cts_reference.formats import Array, formats
from onnx_cts_reference.node import Node, Operand, Outputs
from onnx_cts_reference.tensors import answered_arrays, call_from
from onnx_cts_specs import Answer, Call, OpenQuestion, Spec, judge, output_types, spec_for
from onnx_cts_specs.judge import answered_call, attribute_values, readings_of
from onnx_cts_specs.model import FORMULA

Attributes = Mapping[str, Any]
Choose = Callable[[Call, OpenQuestion, frozenset[str]], Answer]
"""Chooses an answer to a question that a call raises, where those of some ids are settled."""


def evaluate(
    operator: str,
    version: int,
    inputs: Sequence[Array | None],
    attributes: Attributes,
    domain: str = "",
    *,
    reading: str | Sequence[str] | None = None,
) -> tuple[Expected, ...]:
    """The expected outputs of one call of an operator.

    Args:
        operator: Name of the operator.
        version: Its version (since_version).
        inputs: Arrays in order, None for an absent one; NumPy dtypes, and those of ml_dtypes for
            the small types, one element each whatever their width.
        attributes: The attributes that are given, by name.
        domain: Domain of the operator, empty for ONNX's own.
        reading: Name of a reading, or several: answers to the open questions that the call
            raises, or one of the spec's ways of computing. With one of the latter, ``value``,
            ``lower`` and ``upper`` are all what it gives.

    Returns:
        An Expected for each output, in order.

    Raises:
        BrokenRuleError: The call breaks a rule, which it names.
        OpenQuestionError: The text leaves the call open and no reading settles it.
        RefusedError: The reading asked for is that the call is refused.
        CallError: Too many inputs, or a reading that neither the spec nor an open question has.
        UnknownOperatorError: There is no spec for this operator at this version.
    """
    spec = spec_for(operator, version, domain)
    names = (reading,) if isinstance(reading, str) else tuple(reading or ())
    arrays = _named(spec, inputs)
    call, answers = _settle(
        spec,
        call_from(arrays, attributes),
        lambda _call, question, _answered: _named_answer(spec, question, names),
    )
    admitted = [r.name for r in readings_of(spec, call)]
    wanted = [name for name in admitted if name in names]
    unused = [n for n in names if n not in wanted and all(n != a.name for a in answers)]
    if unused:
        known = ", ".join(admitted)
        raise CallError(
            f"{operator} {version}: no open question of this call and no way of computing has "
            f"the reading {unused[0]} (ways of computing: {known})"
        )
    results = _computed(spec, call, arrays, answers, wanted or admitted)
    return tuple(
        Expected({name: outputs[i] for name, outputs in results.items()})
        for i in range(len(spec.outputs))
    )


def compute(
    operator: str,
    version: int,
    inputs: Sequence[Array | None],
    attributes: Attributes,
    domain: str = "",
) -> tuple[Array, ...]:
    """The outputs of one call by the expected way of computing, whether or not the text is clear.

    Each open question that the call raises is answered by its first reading under which something
    is computed, in the spec's order. Arguments are those of ``evaluate``.

    Returns:
        An array for each output, in order, in the dtypes of NumPy and ml_dtypes.

    Raises:
        BrokenRuleError: The call breaks a rule, which it names.
        RefusedError: The call raises a question whose every reading is that it is refused.
        CallError: Too many inputs.
        UnknownOperatorError: There is no spec for this operator at this version.
    """
    spec = spec_for(operator, version, domain)
    arrays = _named(spec, inputs)
    call, answers = _settle(spec, call_from(arrays, attributes), partial(_first_answer, spec))
    first = readings_of(spec, call)[0]
    return _computed(spec, call, arrays, answers, [first.name])[first.name]


def _named(spec: Spec, inputs: Sequence[Array | None]) -> dict[str, Array]:
    if len(inputs) > len(spec.inputs):
        raise CallError(
            f"{spec.operator} {spec.since_version} has {len(spec.inputs)} inputs, "
            f"and {len(inputs)} were given"
        )
    return {
        formal.name: np.asarray(array)
        for formal, array in zip(spec.inputs, inputs, strict=False)
        if array is not None
    }


def _settle(spec: Spec, call: Call, choose: Choose) -> tuple[Call, list[Answer]]:
    """The call with its open questions answered by choice, and those answers."""
    answers: list[Answer] = []
    answered: frozenset[str] = frozenset()
    while True:
        judgement = judge(spec, call, answered)
        if judgement.broken:
            raise BrokenRuleError(spec, judgement.broken)
        if not judgement.questions:
            return call, answers
        question = judgement.questions[0]
        answer = choose(call, question, answered)
        call = answered_call(call, answer)
        answers.append(answer)
        answered |= {question.id}


def _named_answer(spec: Spec, question: OpenQuestion, names: Sequence[str]) -> Answer:
    answer = next((a for a in question.readings if a.name in names), None)
    if answer is None:
        raise OpenQuestionError(spec, question)
    if answer.refuse:
        raise RefusedError(
            f"{spec.operator} {spec.since_version}: under the reading {answer.name} "
            f"of {question.id} the call is refused"
        )
    return answer


def _first_answer(
    spec: Spec, call: Call, question: OpenQuestion, answered: frozenset[str]
) -> Answer:
    for answer in question.readings:
        if answer.refuse:
            continue
        if not judge(spec, answered_call(call, answer), answered | {question.id}).broken:
            return answer
    raise RefusedError(
        f"{spec.operator} {spec.since_version}: under every reading of {question.id} the call "
        "is refused"
    )


def _computed(
    spec: Spec,
    call: Call,
    arrays: Mapping[str, Array],
    answers: Sequence[Answer],
    names: Sequence[str],
) -> dict[str, Outputs]:
    """The outputs under some of the spec's ways of computing, by their names."""
    node = Node(
        {name: Operand(array) for name, array in answered_arrays(arrays, call).items()},
        attribute_values(spec, call),
        judge(spec, call, frozenset(q.id for q in spec.open_questions)).granularity,
        tuple(formats()[output.dtype] for output in output_types(spec, call)),
    )
    kernel = import_module(f"onnx_cts_reference.kernels.{spec.kernel}")
    variants = frozenset(a.compute for a in answers) - {FORMULA}
    readings = partial(kernel.readings, variants=variants)
    if kernel.ELEMENTWISE:
        return computed(node, spec.data.name, readings, names)
    made = readings(node)
    return {name: made[name]() for name in names}
