"""The findings of a sweep as cases of a suite: one for each fault and combination of types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from onnx_cts_generator.case import Case, Presentation
from onnx_cts_generator.emit import SuiteFiles
from onnx_cts_generator.features import value_features
from onnx_cts_generator.sweep.feeding import node_of
from onnx_cts_generator.sweep.grids import Grid
from onnx_cts_generator.sweep.judging import call_at
from onnx_cts_generator.sweep.plan import Domain, Place, Plan, blocks_at
from onnx_cts_generator.values import bounds_of, evaluated, readings_named
from onnx_cts_generator.writing import write_suite
from onnx_cts_harness.explain import explained_by
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Spec, judge

LEVEL = "exhaustive"


@dataclass(frozen=True)
class Found:
    """A finding in its place.

    Attributes:
        place: The block.
        finding: What the record says of it.
    """

    place: Place
    finding: Mapping[str, Any]

    @property
    def combination(self) -> str:
        """Types and attributes, and the sweep that goes through them."""
        return self.place.id.rpartition("/")[0]

    @property
    def diagnosis(self) -> tuple[str, ...]:
        """The deviations that explain it; none where no known one does, or nothing was given."""
        return tuple(self.finding.get("diagnosis", ()))


@dataclass(frozen=True)
class Fault:
    """A distinct fault: what explains it, and the smallest finding of it.

    Attributes:
        name: The deviation, or the verdict where none is known.
        smallest: The finding.
        blocks: In how many blocks it was found.
    """

    name: str
    smallest: Found
    blocks: int


def faults(plan: Plan, lines: Sequence[Mapping[str, Any]]) -> list[Fault]:
    """The faults of each combination of types, by the fewest deviations that explain them.

    Args:
        plan: The plan.
        lines: The lines of its blocks, in order.
    """
    found = [
        Found(place, finding)
        for place, line in zip(plan.blocks, lines, strict=True)
        for finding in line.get("findings", ())
    ]
    faults = []
    for combination in dict.fromkeys(one.combination for one in found):
        some = [one for one in found if one.combination == combination]
        for verdict in dict.fromkeys(one.finding["verdict"] for one in some):
            alike = [one for one in some if one.finding["verdict"] == verdict]
            for name, those in explained_by(alike, lambda one: one.diagnosis):
                blocks = len({one.place.id for one in those})
                faults.append(Fault(name or verdict, those[0], blocks))
    return faults


@dataclass(frozen=True)
class FoundCases:
    """The cases of the faults that a sweep found, as a chapter of a suite.

    Attributes:
        domain: What was swept.
        faults: The faults.
    """

    domain: Domain
    faults: tuple[Fault, ...]
    level: str = LEVEL

    @property
    def spec(self) -> Spec:
        """The spec."""
        return self.domain.spec

    def cases(self) -> Iterator[Case]:
        """The cases, in the order of the plan."""
        for fault in self.faults:
            yield _case(self.domain, fault)

    def coverage(self) -> dict[str, object]:
        """What the manifest states: the sweeps behind the cases."""
        return {"sweeps": sorted({f.smallest.combination for f in self.faults})}


def write_found(domain: Domain, found: Sequence[Fault], out: Path) -> int:
    """Write the cases of faults as a suite, and say how many there are.

    A call that raises an open question has no expected value, and no case.

    Raises:
        GenerateError: The folder holds something else than a suite, or cannot be written.
    """
    settled = tuple(f for f in found if not _grid(domain, f).said.questions)
    write_suite(SuiteFiles([FoundCases(domain, settled)]), out)
    return len(settled)


def _grid(domain: Domain, fault: Fault) -> Grid:
    place = fault.smallest.place
    return blocks_at(domain, place.combination)[place.number].grid


def _case(domain: Domain, fault: Fault) -> Case:
    grid, finding = _grid(domain, fault), fault.smallest.finding
    call = call_at(grid, *(np.arange(*finding[axis]) for axis in ("rows", "columns")))
    node = node_of(grid, call)
    expected = evaluated(node)
    arrays = {name: value.array for name, value in node.inputs.items()}
    judgement = judge(grid.spec, call_from(arrays, call.attributes))
    return Case(
        name=_name(fault),
        node=node,
        presentation=Presentation(grid.spec.since_version),
        expectation="value",
        granularity=grid.said.granularity,
        features=(f"sweep:{grid.combination.sweep.name}", *value_features(node, expected)),
        rules=tuple(rule.id for rule in judgement.applied),
        readings=readings_named(expected),
        expected=bounds_of(expected),
    )


def _name(fault: Fault) -> str:
    words = f"test_sweep_{fault.smallest.combination}_{fault.name}"
    return re.sub(r"[^a-z0-9]+", "_", words.lower())
