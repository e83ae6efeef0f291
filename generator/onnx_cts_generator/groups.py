"""Groups of factors that are bound together, and the assignments of values that are possible."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from onnx_cts_generator.constraints import Predicate, Prohibition
from onnx_cts_generator.factors import Factors
from onnx_cts_generator.plans import ImpossibleError, plan
from onnx_cts_specs import Spec

Tuple = tuple[tuple[str, str], ...]
"""Factors and their values, in the order of the factors."""


class Group:
    """Factors that are bound together, with a table of their possible assignments.

    The table has an axis for each factor, along which its values lie in order.
    """

    def __init__(self, spec: Spec, factors: Factors, names: Sequence[str]) -> None:
        """Begin with a table in which all is possible."""
        self.names = tuple(names)
        self._options = [factors.values[name] for name in names]
        self._places = {
            name: {value: place for place, value in enumerate(options)}
            for name, options in zip(self.names, self._options, strict=True)
        }
        self._plain = factors.plain()
        self._ids = {r.id for r in spec.rules} | {q.id for q in spec.open_questions}
        self._reasons: list[str] = [""]
        self._reason_at = np.zeros(tuple(map(len, self._options)), np.int16)
        self._parts: dict[tuple[int, ...], NDArray[np.bool_]] = {}

    def forbid(self, prohibition: Prohibition) -> None:
        """Make impossible what a prohibition forbids, if it is about factors of this group."""
        asked = {name for predicate in prohibition.predicates for name in predicate.names}
        if not asked or not asked <= set(self.names):
            return
        forbidden = np.ones((1,) * len(self.names), bool)
        for predicate in prohibition.predicates:
            forbidden = forbidden & self._table(predicate)
        self._mark(forbidden, prohibition.reason)

    def _mark(self, forbidden: NDArray[np.bool_], reason: str) -> None:
        """Give assignments that were possible so far a reason for being impossible."""
        new = forbidden & (self._reason_at == 0)
        self._reason_at[new] = self._number_of(reason)

    def _number_of(self, reason: str) -> int:
        """The number that stands for a reason, a new one where it is met first."""
        if reason not in self._reasons:
            self._reasons.append(reason)
        return self._reasons.index(reason)

    def _table(self, predicate: Predicate) -> NDArray[np.bool_]:
        """Where a predicate holds, with an axis of length 1 for each factor that it ignores."""
        shape = [
            len(o) if n in predicate.names else 1
            for n, o in zip(self.names, self._options, strict=True)
        ]
        asked = [name for name in self.names if name in predicate.names]
        holds = (
            predicate.holds(self._plain | dict(zip(asked, values, strict=True)))
            for values in itertools.product(*(self._places[name] for name in asked))
        )
        return np.fromiter(holds, bool).reshape(shape)

    def plan_all(self, spec: Spec) -> None:
        """Make impossible every assignment that no call can be planned for."""
        for place in np.ndindex(self._reason_at.shape):
            values = (options[i] for options, i in zip(self._options, place, strict=True))
            try:
                plan(spec, self._plain | dict(zip(self.names, values, strict=True)))
            except ImpossibleError as reason:
                self._reason_at[place] = self._number_of(str(reason))

    def within(self, factors: Factors) -> Group:
        """The group with no other values than those of the given factors."""
        kept = copy(self)
        kept._parts = {}
        kept._reason_at = self._reason_at.copy()
        for axis, (name, options) in enumerate(zip(self.names, self._options, strict=True)):
            left_out = [i for i, value in enumerate(options) if value not in factors.values[name]]
            kept._reason_at[(slice(None),) * axis + (left_out,)] = -1
        return kept

    def _part(self, places: tuple[int, ...]) -> NDArray[np.bool_]:
        """Where some possible assignment has these values of the factors at some places."""
        if places not in self._parts:
            missing = [i for i in range(len(self.names)) if i not in places]
            if not missing:
                self._parts[places] = self._reason_at == 0
            else:
                wider = tuple(sorted((*places, missing[-1])))
                along = np.moveaxis(self._part(wider), wider.index(missing[-1]), 0)
                # Slice by slice, since NumPy reduces short inner axes a hundred times as slowly.
                self._parts[places] = reduce(np.logical_or, along)
        return self._parts[places]

    def admits(self, row: Mapping[str, str]) -> bool:
        """Whether some possible assignment agrees with a row that may leave factors out."""
        places = tuple(i for i, name in enumerate(self.names) if name in row)
        at = tuple(self._places[self.names[i]][row[self.names[i]]] for i in places)
        return bool(self._part(places)[at])

    def impossible(self, strength: int) -> Iterator[tuple[Tuple, str]]:
        """The tuples within the group that no possible assignment has, with the usual reason."""
        for places in itertools.combinations(range(len(self.names)), strength):
            for at in np.argwhere(~self._part(places)):
                named = tuple(
                    (self.names[i], self._options[i][j]) for i, j in zip(places, at, strict=True)
                )
                yield named, self._reason(places, at)

    def _reason(self, places: tuple[int, ...], at: Iterable[int]) -> str:
        index: list[slice | int] = [slice(None)] * len(self.names)
        for place, value in zip(places, at, strict=True):
            index[place] = int(value)
        counts = np.bincount(self._reason_at[tuple(index)].reshape(-1))
        found = {self._reasons[i]: int(n) for i, n in enumerate(counts) if n}
        # A rule or an open question says more than a factor at odds with another.
        named = [reason for reason in found if reason in self._ids]
        return max(named or found, key=lambda reason: found[reason])


def groups_of(spec: Spec, factors: Factors, forbidden: Sequence[Prohibition]) -> list[Group]:
    """The groups of a spec's factors: the first is that of shapes."""
    groups = [Group(spec, factors, names) for names in factors.groups]
    groups[0].plan_all(spec)
    for group in groups[1:]:
        for prohibition in forbidden:
            group.forbid(prohibition)
    return groups
