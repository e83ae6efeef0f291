"""Whether a spec is sound: its conditions select, forbid and ask what they are there for.

A condition that was lost or mistyped still parses. But then some granularity is never selected, or
some rule or open question never stands alone against a call one change away from a plain one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from onnx_cts_generator import factors as f
from onnx_cts_generator.bases import bases
from onnx_cts_generator.factors import Factors, factors_of
from onnx_cts_generator.mutations import missing, required
from onnx_cts_generator.undecided import changes
from onnx_cts_specs import Spec, SpecError, judge
from onnx_cts_specs.source import read


def _found(spec: Spec, factors: Factors) -> tuple[set[str], set[str]]:
    """What stands alone against a changed call, and the labels of the changes that break a rule.

    The search ends once there is nothing left to find: a sound spec needs few of the changes.
    """
    entries = {rule.id for rule in spec.rules} | {question.id for question in spec.open_questions}
    labels = {missing(formal.name) for formal in required(spec)}
    against: set[str] = set()
    missed: set[str] = set()
    for change in changes(spec, factors):
        against.add(change.against)
        if change.judgement.broken:
            missed.add(change.label)
        if entries <= against and labels <= missed:
            break
    return against, missed


def unsound(spec: Spec) -> Iterator[SpecError]:
    """The first entry of each part of a spec that does nothing; none if the spec is sound."""
    origin = read(spec.path)
    try:
        factors = factors_of(spec)
        selected = set()
        for base in bases(spec, factors):
            selected.add(base.row[f.GRANULARITY])
            # Conditions that forget to ask whether an optional input is there have no value now.
            absent = {i.name: None for i in spec.inputs if i.optional}
            judge(spec, replace(base.plan.call, inputs={**base.plan.call.inputs, **absent}))
        against, missed = _found(spec, factors)
    except SpecError as error:
        yield error
        return
    for index, granularity in enumerate(spec.granularities):
        if granularity.name not in selected:
            yield origin.error(
                ("granularities", index, "when"),
                f"no plain valid call is {granularity.name}",
                "check its condition, its shape, and the rules",
            )
            return
    for formal in required(spec):
        if missing(formal.name) not in missed:
            yield origin.error(
                ("inputs", spec.inputs.index(formal)),
                f"no rule alone is broken by a call without {formal.name}",
                "guard the rules that ask about it with a `when`",
            )
            return
    for part, what in (("rules", "breaks this rule"), ("open_questions", "raises this question")):
        for index, entry in enumerate(getattr(spec, part)):
            if entry.id not in against:
                yield origin.error(
                    (part, index, "when" if entry.when else "id"),
                    f"no call {what} ({entry.id}) alone",
                    "check its conditions, and what excuses it or is excused by it",
                )
                return
