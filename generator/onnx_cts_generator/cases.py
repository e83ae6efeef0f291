"""All cases of a spec at a level, in order, made one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from onnx_cts_generator.case import Case
from onnx_cts_generator.covering import Covering, cover
from onnx_cts_generator.factors import Factors, Row, factors_of
from onnx_cts_generator.undecided import bases, undecided_cases
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
        """The covering array behind the value cases."""
        return cover(self.spec, LEVELS[self.level])

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the value cases: plain calls first, then those of the covering array.

        The plain calls are the valid neighbours of the reject and open cases.
        """
        neighbours = [base.row for base in bases(self.spec, self.factors)]
        others = [row for row in self.covering.rows if row not in neighbours]
        return (*neighbours, *others)

    def __len__(self) -> int:
        return len(self.rows)

    def cases(self) -> Iterator[Case]:
        """Every case, value cases first."""
        for salt, row in enumerate(self.rows):
            yield value_case(self.spec, self.factors, row, salt)
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
