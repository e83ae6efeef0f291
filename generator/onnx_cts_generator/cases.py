"""All cases of a spec at a level, in order, made one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from onnx_cts_generator import probes
from onnx_cts_generator.case import Case
from onnx_cts_generator.chained import chain_cases
from onnx_cts_generator.covering import Covering
from onnx_cts_generator.coverings import covering_of
from onnx_cts_generator.factors import PRESENTATION, Factors, Row, factors_of
from onnx_cts_generator.undecided import undecided_cases
from onnx_cts_generator.values import unsalted, value_case
from onnx_cts_generator.version_cases import ToldApart, told_apart
from onnx_cts_specs import Spec


@dataclass(frozen=True)
class Chapter:
    """The cases of one operator version at one level."""

    spec: Spec
    level: str

    @cached_property
    def factors(self) -> Factors:
        """The factors of the spec."""
        return factors_of(self.spec)

    @property
    def covering(self) -> Covering:
        """The covering array behind the value cases."""
        spec = self.spec
        return covering_of(spec.operator, spec.domain, spec.since_version, self.level)

    @cached_property
    def _scale_probes(self) -> list[Row]:
        return list(probes.scale_probes(self.spec, self.factors))

    def cases(self) -> Iterator[Case]:
        """Every case, value cases first."""
        told = told_apart(self.spec)
        yield from self._value_cases(told)
        yield from chain_cases(self.spec, self.factors)
        yield from told.merged(undecided_cases(self.spec, self.factors))

    def _value_cases(self, told: ToldApart) -> Iterator[Case]:
        turns: Counter[tuple[str, str]] = Counter()
        plainest: dict[tuple[str, ...], tuple[str, dict[str, int]]] = {}
        told_nodes = {_node_of(row) for row in told.rows}
        for row in (*self.covering.rows, *told.beside(self.covering.rows)):
            node = _node_of(row)
            name, salts = plainest.get(node, ("", {}))
            is_probe = row in self._scale_probes
            if not salts and not is_probe:
                salts = {i.name: turns[i.name, row[i.name]] for i in self.spec.inputs}
                turns.update((i.name, row[i.name]) for i in self.spec.inputs)
            if is_probe or node in told_nodes:
                # Their patterns meet as they should where all begin at their beginning.
                salts = unsalted(self.spec)
            case = value_case(self.spec, self.factors, row, salts, presents=name)
            plainest.setdefault(node, (case.name, salts))
            yield replace(case, features=(*case.features, *told.features(row)))

    def coverage(self) -> dict[str, object]:
        """What the manifest states of the coverage reached."""
        return {
            "strength": self.covering.strength,
            "tuples": self.covering.tuples,
            "factors": {name: list(values) for name, values in self.factors.values.items()},
            "impossible": [
                {"values": dict(values), "reason": reason}
                for values, reason in self.covering.impossible.items()
            ],
        }


def _node_of(row: Row) -> tuple[str, ...]:
    """What rows of one node have in common."""
    return tuple(value for name, value in row.items() if name not in PRESENTATION)
