"""Calls that a version of an operator and its neighbour judge otherwise, the plainest of each kind.

They follow from the two specs alone. Each is valid by the one version; the other breaks a rule over
it, leaves it open, or has other answers to it. What one version has and the other lacks (a type, an
attribute, a granularity) shows in calls that carry it; what both have and judge otherwise shows in
plain calls and in the probes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol, TypeVar

from onnx_cts_generator import factors as f
from onnx_cts_generator.bases import Base, first_possible
from onnx_cts_generator.carriers import carriers_of, covered, plain_and_probing, ways_to_carry
from onnx_cts_generator.case import Node, beside_defaults
from onnx_cts_generator.factors import Row, factors_of
from onnx_cts_generator.features import permitted
from onnx_cts_generator.values import evaluated, filled_node, unsalted
from onnx_cts_harness.case import Expected as Permitted
from onnx_cts_harness.compare import difference as beyond
from onnx_cts_harness.compare import is_same
from onnx_cts_reference import Expected
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Call, Judgement, Spec, judge, spec_for, versions
from onnx_cts_specs.judge import readings_of

T = TypeVar("T")
Judged = tuple[Base, Judgement]
"""A call that is valid by one version, and what another says of it."""


@dataclass(frozen=True)
class Difference:
    """A call that is valid by one version and judged otherwise by another.

    Attributes:
        row: The row that describes it among the factors of the one version.
        node: Its node.
        as_other: The same node at the other version.
        judgement: What the other version says of it.
        other_row: Where it is valid by both, the row that describes it by the other one.
    """

    row: Row
    node: Node
    as_other: Node
    judgement: Judgement
    other_row: Row | None = None


def neighbours(spec: Spec) -> tuple[Spec, ...]:
    """The versions right before and right after, as far as there are such."""
    known = versions(spec.operator, spec.domain)
    place = known.index(spec.since_version)
    beside = (*known[:place][-1:], *known[place + 1 :][:1])
    return tuple(spec_for(spec.operator, version, spec.domain) for version in beside)


@cache
def differences(operator: str, domain: str, version: int, other: int) -> tuple[Difference, ...]:
    """The calls of a version that another judges otherwise, one for each kind of difference.

    A call that is valid by both is found from the earlier version alone.

    Args:
        operator: Name of the operator.
        domain: Its domain.
        version: The version by which the calls are valid.
        other: The other version.
    """
    pair = _Pair(spec_for(operator, version, domain), spec_for(operator, other, domain))
    once: dict[tuple[str, ...], Difference] = {}
    for difference in pair.differences():
        once.setdefault(tuple(difference.row.values()), difference)
    return tuple(once.values())


class _Pair:
    """A version of an operator, and another by which its calls are judged again."""

    def __init__(self, spec: Spec, other: Spec) -> None:
        self.spec = spec
        self.other = other
        self.factors = factors_of(spec)
        self.others_factors = factors_of(other)

    def differences(self) -> Iterator[Difference]:
        """What the other version lacks; then what both have and judge otherwise."""
        spec, factors = self.spec, self.factors
        version = (spec.operator, spec.domain, spec.since_version)
        carriers = list(carriers_of(spec, factors, self.other))
        seen: set[tuple[str, ...]] = set()
        for carrier in carriers:
            there = (base for base in covered(*version) if carrier.items() <= base.row.items())
            calls = itertools.chain(there, ways_to_carry(spec, factors, carrier))
            least = self._refused_for_least(calls)
            if least is None:
                continue
            base, broken = least
            # A type that takes another with it breaks several rules, as its like do.
            if len(broken) == 1 or broken not in seen:
                seen.add(broken)
                yield self._difference(base)
        shared = list(self._judged_without(carriers, covered(*version)))
        yield from self._refused(shared)
        yield from self._left_open(shared)
        if spec.since_version < self.other.since_version:
            probing = self._judged_without(carriers, plain_and_probing(*version))
            yield from self._answered_otherwise(probing)

    def _judged_without(self, carriers: Sequence[Row], calls: Iterable[Base]) -> Iterator[Judged]:
        """The calls that use nothing that the other version lacks, and what that says of them."""
        known = {attribute.name for attribute in self.other.attributes}
        for base in calls:
            is_carrying = any(carrier.items() <= base.row.items() for carrier in carriers)
            if not is_carrying and known.issuperset(self._written(base).attributes):
                yield base, self._judgement(base)

    def _refused_for_least(self, bases: Iterable[Base]) -> tuple[Base, tuple[str, ...]] | None:
        """The first call over which the other version breaks the fewest rules, and those."""
        least: tuple[Base, tuple[str, ...]] | None = None
        for base in bases:
            judgement = self._judgement(base)
            broken = tuple(rule.id for rule in judgement.broken)
            if broken and not judgement.questions and (not least or len(broken) < len(least[1])):
                least = base, broken
                if len(broken) == 1:
                    break
        return least

    def _refused(self, calls: Iterable[Judged]) -> Iterator[Difference]:
        """The plainest call for each set of rules that the other version breaks over it."""
        seen = set()
        for base, judgement in calls:
            broken = tuple(rule.id for rule in judgement.broken)
            if broken and broken not in seen and not judgement.questions:
                seen.add(broken)
                yield self._difference(base)

    def _left_open(self, calls: Sequence[Judged]) -> Iterator[Difference]:
        """The plainest call for each question that the other version raises alone over it."""
        seen: set[str] = set()
        for base, judgement in calls:
            if judgement.broken or seen.issuperset(q.id for q in judgement.questions):
                continue
            # What the values may be raises a question; whether they do shows once they are there.
            difference = self._difference(base)
            asked = [question.id for question in difference.judgement.questions]
            if len(asked) == 1 and not seen.issuperset(asked):
                seen.update(asked)
                yield difference

    def _answered_otherwise(self, calls: Iterable[Judged]) -> Iterator[Difference]:
        """For each change of the readings the plainest call whose answers differ the most."""
        best: dict[frozenset[str], tuple[int, Difference]] = {}
        for base, judgement in calls:
            changed = self._changed_readings(base)
            twin = self._twin(base) if changed and judgement.valid else None
            if twin is None:
                continue
            difference = replace(self._difference(base), other_row=twin.row)
            node, others = filled_node(
                self.other, self.others_factors, twin.row, twin.plan, unsalted(self.other)
            )
            apart = _apart(evaluated(difference.node), others)
            is_same_call = node.is_like(difference.as_other, in_values=True)
            if is_same_call and apart > best.get(changed, (0,))[0]:
                best[changed] = apart, difference
        yield from (difference for _, difference in best.values())

    def _twin(self, base: Base) -> Base | None:
        """The same call among those of the other version."""
        factors = self.others_factors
        names = _names(self.spec.inputs, self.other.inputs)
        inputs = zip(self.spec.inputs, self.other.inputs, strict=False)
        names |= {mine.type: theirs.type for mine, theirs in inputs}
        outputs = zip(self.spec.outputs, self.other.outputs, strict=False)
        names |= {mine.type: theirs.type for mine, theirs in outputs}
        row = {names.get(name, name): value for name, value in base.row.items()}
        kept = {n: v for n, v in row.items() if n != f.OPSET and v in factors.values.get(n, ())}
        return first_possible(self.other, factors.plain(), iter([kept]))

    def _changed_readings(self, base: Base) -> frozenset[str]:
        """The readings that one of the versions alone admits for a call."""
        mine = {reading.name for reading in readings_of(self.spec, base.plan.call)}
        theirs = {reading.name for reading in readings_of(self.other, self._written(base))}
        return frozenset(mine ^ theirs)

    def _judgement(self, base: Base) -> Judgement:
        return judge(self.other, self._written(base))

    def _written(self, base: Base) -> Call:
        """The call that the model of a call makes at the other version.

        A model gives inputs by their place, and attributes where they are not at their default.
        """
        call = base.plan.call
        inputs = _renamed(call.present(), _names(self.spec.inputs, self.other.inputs))
        return Call(inputs, beside_defaults(self.spec, call.attributes))

    def _difference(self, base: Base) -> Difference:
        node, _ = filled_node(self.spec, self.factors, base.row, base.plan, unsalted(self.spec))
        as_other = Node(
            self.other,
            _renamed(node.inputs, _names(self.spec.inputs, self.other.inputs)),
            beside_defaults(self.spec, node.attributes),
            _renamed(node.outputs, _names(self.spec.outputs, self.other.outputs)),
        )
        arrays = {name: value.array for name, value in as_other.inputs.items()}
        judgement = judge(self.other, call_from(arrays, as_other.attributes))
        return Difference(base.row, node, as_other, judgement)


class _Formal(Protocol):
    @property
    def name(self) -> str: ...


def _names(formals: Sequence[_Formal], others: Sequence[_Formal]) -> dict[str, str]:
    """For the names of one version those that another has in the same places."""
    return {mine.name: theirs.name for mine, theirs in zip(formals, others, strict=False)}


def _renamed(values: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    return {names[name]: value for name, value in values.items()}


def _apart(mine: Sequence[Expected], theirs: Sequence[Expected]) -> int:
    """How far two versions are apart in their answers to one call.

    Returns:
        2 where an answer is right by one alone, 1 where both permit the same answers and expect
        another of them, 0 where they agree.
    """
    pairs = list(zip(map(permitted, mine), map(permitted, theirs), strict=True))
    if any(_has_answer_beyond(*pair) or _has_answer_beyond(*pair[::-1]) for pair in pairs):
        return 2
    return 0 if all(is_same(one.value, other.value) for one, other in pairs) else 1


def _has_answer_beyond(one: Permitted, other: Permitted) -> bool:
    """Whether one permits an output that the other does not."""
    given = one.value
    if (given.code, given.shape) != (other.value.code, other.value.shape):
        return True
    ends = (tensor for tensor in (given, one.lower, one.upper) if tensor)
    return any(beyond(other, tensor) for tensor in ends)
