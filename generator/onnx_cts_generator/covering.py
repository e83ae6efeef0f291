"""Covering arrays: few rows that hold every possible tuple of factor values.

covertable makes them. It was chosen over allpairspy, which leaves possible pairs out where
constraints cut off a row that it has begun (161 of 1,973 in a trial with these factors).

Some values mask others: a fault with int4 data does not show where the data is empty or the scale
is NaN. So tuples without a masking value are covered by rows without one, and only then are rows
added for the tuples with one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from covertable import Controller

from onnx_cts_generator.constraints import prohibitions
from onnx_cts_generator.factors import Factors, Row, factors_of
from onnx_cts_generator.groups import Group, Tuple, groups_of
from onnx_cts_specs import Spec


@dataclass(frozen=True)
class Covering:
    """Rows that together hold every possible tuple of a strength.

    Attributes:
        strength: The number of factors in a tuple.
        rows: The rows, each of them possible; the presets come first.
        tuples: The number of possible tuples, all of which some row holds.
        impossible: Tuples that no valid call has, with the reason.
    """

    strength: int
    rows: tuple[Row, ...]
    tuples: int
    impossible: Mapping[Tuple, str]


def cover(
    spec: Spec, strength: int, presets: Sequence[Row] = (), masked: Sequence[Row] = ()
) -> Covering:
    """Cover every tuple of factor values that some valid call of the spec has.

    Args:
        spec: The spec.
        strength: The number of factors in a tuple.
        presets: Rows to begin with, none of which has a masking value.
        masked: Rows with a masking value to begin with.
    """
    factors = factors_of(spec)
    groups = groups_of(spec, factors, list(prohibitions(spec, factors)))
    rows = list(presets)
    for some, more in ((factors.without(factors.masking), ()), (factors, masked)):
        rows += more
        controller = _Controller(some, [g.within(some) for g in groups], strength, rows)
        made = [{name: row[name] for name in some.values} for row in controller.make()]
        stats = controller.stats
        if stats["uncovered_pairs"]:
            raise AssertionError(f"covertable left tuples out: {stats['uncovered_pairs'][:3]}")
        rows = _needed(made, rows, strength)
    # The last round knew all values, and so all tuples.
    impossible = dict(i for group in groups for i in group.impossible(strength))
    return Covering(strength, tuple(rows), int(stats["covered_pairs"]), impossible)


def _needed(rows: Sequence[Row], kept: Sequence[Row], strength: int) -> list[Row]:
    """The rows to keep, and those that hold a tuple which no other row holds.

    A greedy choice leaves rows that later ones have made needless.
    """
    times = Counter(t for row in rows for t in itertools.combinations(row.items(), strength))
    needed = []
    for row in reversed(rows):
        held = list(itertools.combinations(row.items(), strength))
        if row in kept or any(times[t] == 1 for t in held):
            needed.append(row)
        else:
            times.subtract(held)
    return needed[::-1]


class _Controller(Controller):  # type: ignore[misc] # covertable has no types
    """covertable's controller, with an exact look-ahead in place of its own.

    Its own propagates constraints value by value, which took nine tenths of the time; the groups
    know outright whether a row that is begun can be ended.
    """

    def __init__(
        self,
        factors: Factors,
        groups: Sequence[Group],
        strength: int,
        presets: Sequence[Row],
    ) -> None:
        self._groups = groups
        self._known: list[dict[tuple[int | None, ...], bool]] = [{} for _ in groups]
        # The groups that a pair or more of factors can be at odds with.
        self._touched: dict[tuple[str, ...], tuple[int, ...]] = {}
        constraints = [
            {"operator": "fn", "requires": list(group.names), "evaluate": group.admits}
            for group in groups
        ]
        values = {name: list(options) for name, options in factors.values.items()}
        super().__init__(
            values,
            strength=strength,
            constraints=constraints,
            presets=list(presets),
        )

    def _forward_check(self, snapshot: Mapping[str, int]) -> bool:
        return self._admitted(range(len(self._groups)), snapshot)

    def _storable_check(
        self, candidate: Sequence[tuple[str, int]], row: Mapping[str, int] | None = None
    ) -> bool:
        # The row was possible before, so only groups with one of the new values can object.
        names = tuple([name for name, _ in candidate])
        touched = self._touched.get(names)
        if touched is None:
            groups = enumerate(self._groups)
            touched = tuple(i for i, group in groups if not set(names).isdisjoint(group.names))
            self._touched[names] = touched
        begun = dict(self.row if row is None else row)
        begun.update(candidate)
        return self._admitted(touched, begun)

    def _admitted(self, groups: Iterable[int], begun: Mapping[str, int]) -> bool:
        """Whether groups admit a row that has begun, in the numbers that stand for values."""
        for i in groups:
            known, group = self._known[i], self._groups[i]
            key = tuple(map(begun.get, group.names))
            if key not in known:
                row: Row = self._to_map_from_dict(begun)
                known[key] = group.admits(row)
            if not known[key]:
                return False
        return True
