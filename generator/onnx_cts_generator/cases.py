"""All cases of a spec at a level, in order, made one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from onnx_cts_generator import probes
from onnx_cts_generator.bases import bases
from onnx_cts_generator.case import Case
from onnx_cts_generator.chained import chain_cases
from onnx_cts_generator.covering import Covering, cover
from onnx_cts_generator.factors import PRESENTATION, Factors, Row, factors_of
from onnx_cts_generator.undecided import undecided_cases
from onnx_cts_generator.values import value_case
from onnx_cts_specs import Spec

LEVELS = {"core": 2, "full": 3}
"""The levels of a suite, and the strength of the covering array of each."""


@dataclass(frozen=True)
class Chapter:
    """The cases of one operator version at one level."""

    spec: Spec
    level: str

    @cached_property
    def factors(self) -> Factors:
        """The factors of the spec."""
        return factors_of(self.spec)

    @cached_property
    def covering(self) -> Covering:
        """The covering array behind the value cases.

        It begins with the calls from which reject and open cases differ, and with the probes.
        """
        first = [base.row for base in bases(self.spec, self.factors)]
        for make in (
            probes.axis_probes,
            probes.presentations,
            probes.pattern_probes,
            probes.overflow_probes,
        ):
            first += make(self.spec, self.factors)
        masked = [*self._scale_probes, *probes.masking_probes(self.spec, self.factors)]
        return cover(self.spec, LEVELS[self.level], first, masked)

    @cached_property
    def _scale_probes(self) -> list[Row]:
        return list(probes.scale_probes(self.spec, self.factors))

    def cases(self) -> Iterator[Case]:
        """Every case, value cases first."""
        turns: Counter[tuple[str, str]] = Counter()
        plainest: dict[tuple[str, ...], tuple[str, dict[str, int]]] = {}
        for row in self.covering.rows:
            node = tuple(v for name, v in row.items() if name not in PRESENTATION)
            name, salts = plainest.get(node, ("", {}))
            if row in self._scale_probes:
                # Their patterns meet as they should where all begin at their beginning.
                salts = dict.fromkeys((i.name for i in self.spec.inputs), 0)
            elif not salts:
                salts = {i.name: turns[i.name, row[i.name]] for i in self.spec.inputs}
                turns.update((i.name, row[i.name]) for i in self.spec.inputs)
            case = value_case(self.spec, self.factors, row, salts, presents=name)
            plainest.setdefault(node, (case.name, salts))
            yield case
        yield from chain_cases(self.spec, self.factors)
        yield from undecided_cases(self.spec, self.factors)

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
