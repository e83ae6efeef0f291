"""The plan of a sweep: the grids of an operator version, cut into blocks that can be run alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.sweep.combinations import Combination, combinations
from onnx_cts_generator.sweep.grids import Grid, Indices, grids
from onnx_cts_specs import Spec, spec_for
from onnx_cts_specs.sweeps import Sweep, Sweeps, sweeps_of, sweeps_path

FEED_ELEMENTS = 1 << 20
"""Elements of the data of one call: enough that the call itself costs little beside them."""
BLOCK_ELEMENTS = 1 << 22
BLOCK_FEEDS = 256


@dataclass(frozen=True)
class Domain:
    """What is swept: the name of a plan, which every machine makes for itself.

    Attributes:
        operator: The operator.
        version: Its version.
        domain: Its domain, empty for ONNX's own.
        sweeps: Names of the sweeps; () is all but those that are to be named.
        types: For some inputs the types that they are to have; others have any.
        against: Another version, with which this one is compared; 0 for none.
    """

    operator: str
    version: int
    domain: str = ""
    sweeps: tuple[str, ...] = ()
    types: tuple[tuple[str, str], ...] = ()
    against: int = 0

    @property
    def spec(self) -> Spec:
        """The spec; raises UnknownOperatorError where there is none."""
        return spec_for(self.operator, self.version, self.domain)

    @property
    def other(self) -> Spec | None:
        """The spec of the other version, if there is one."""
        return spec_for(self.operator, self.against, self.domain) if self.against else None

    @property
    def hash(self) -> str:
        """The sha256 of what a plan is made of: the files of the specs and of the sweeps."""
        digest = hashlib.sha256()
        specs = [spec for spec in (self.spec, self.other) if spec]
        for path in (*(s.path for s in specs), sweeps_path(self.operator, self.domain)):
            digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
        return digest.hexdigest()


@dataclass(frozen=True)
class Feed:
    """The part of a grid that one call covers: some rows by all columns.

    Attributes:
        grid: The grid.
        rows: The rows, the last of them repeated where the grid ends before the call.
        count: How many rows are no repetition.
    """

    grid: Grid
    rows: Indices
    count: int

    @property
    def elements(self) -> int:
        """Number of elements, repetitions aside."""
        return self.count * self.grid.columns


@dataclass(frozen=True)
class Block:
    """Some feeds of one grid, which are run one after the other.

    Attributes:
        grid: The grid.
        first: Number of its first feed in the grid.
        last: Number of the feed after its last.
    """

    grid: Grid
    first: int
    last: int

    @property
    def elements(self) -> int:
        """Number of elements."""
        height = feed_height(self.grid)
        rows = min(self.last * height, self.grid.rows) - self.first * height
        return rows * self.grid.columns

    def feeds(self) -> Iterator[Feed]:
        """The feeds, in order."""
        height = feed_height(self.grid)
        for number in range(self.first, self.last):
            start = number * height
            rows = np.minimum(np.arange(start, start + height), self.grid.rows - 1)
            yield Feed(self.grid, rows, min(height, self.grid.rows - start))


@dataclass(frozen=True)
class Place:
    """A block of a plan, as it is named to another process.

    Attributes:
        id: What names it to people and in a record, the same wherever the plan is made.
        combination: Number of its combination in the plan.
        number: Its number in the combination.
        elements: Number of its elements.
    """

    id: str
    combination: int
    number: int
    elements: int


@dataclass(frozen=True)
class Plan:
    """All blocks of a domain, in order.

    Attributes:
        domain: What is swept.
        sweeps: The sweeps.
        blocks: The blocks.
    """

    domain: Domain
    sweeps: tuple[Sweep, ...]
    blocks: tuple[Place, ...]

    @property
    def elements(self) -> int:
        """Number of elements in all blocks."""
        return sum(block.elements for block in self.blocks)


def feed_height(grid: Grid) -> int:
    """Number of rows of each call of a grid."""
    if not grid.many_rows:
        return 1
    return max(1, min(FEED_ELEMENTS // grid.columns, grid.rows))


def plan_of(domain: Domain) -> Plan:
    """The plan of a domain.

    Raises:
        GenerateError: The operator has no sweeps, or none as named, or no such types.
        UnknownOperatorError: There is no such operator or version.
    """
    found: list[Place] = []
    for index, combination in enumerate(combinations_of(domain)):
        blocks = blocks_at(domain, index)
        width = len(str(len(blocks)))
        for number, block in enumerate(blocks):
            name = f"{combination.id}/{number + 1:0{width}}"
            found.append(Place(name, index, number, block.elements))
    if not found:
        raise GenerateError(
            f"no sweep of {domain.operator} {domain.version} has calls of these types together"
        )
    return Plan(domain, _chosen(domain), tuple(found))


@lru_cache(maxsize=4)
def blocks_at(domain: Domain, combination: int) -> tuple[Block, ...]:
    """The blocks of one combination of a domain, by its number."""
    found = grids(domain.spec, combinations_of(domain)[combination])
    return tuple(Block(grid, first, last) for grid in found for first, last in _cuts(grid))


def _cuts(grid: Grid) -> Iterator[tuple[int, int]]:
    height = feed_height(grid)
    feeds = -(-grid.rows // height)
    each = max(1, min(BLOCK_ELEMENTS // (height * grid.columns), BLOCK_FEEDS))
    for first in range(0, feeds, each):
        yield first, min(first + each, feeds)


@cache
def combinations_of(domain: Domain) -> tuple[Combination, ...]:
    """The combinations of a domain, in order; of some the spec may admit no call.

    Raises:
        GenerateError: The operator has no sweeps, or none as named, or no such types.
        UnknownOperatorError: There is no such operator or version.
    """
    spec = domain.spec
    sweeps = _chosen(domain)
    layout = _known(domain).layout(spec, domain.other or spec)
    if layout is None:
        raise GenerateError(
            f"{domain.operator} {domain.version} lacks every granularity of the layouts in "
            f"{sweeps_path(domain.operator, domain.domain)}; add one"
        )
    every = [c for sweep in sweeps for c in combinations(spec, sweep, layout)]
    _check_types(domain, every)
    return tuple(c for c in every if all(c.types.get(n) == dtype for n, dtype in domain.types))


def _known(domain: Domain) -> Sweeps:
    known = sweeps_of(domain.operator, domain.domain)
    if known is None:
        path = sweeps_path(domain.operator, domain.domain)
        raise GenerateError(
            f"{domain.operator} has no sweeps: there is no {path}; they are for operators of "
            "which each output element depends on one element of the data and its parameters"
        )
    return known


def _chosen(domain: Domain) -> tuple[Sweep, ...]:
    known = _known(domain).sweeps
    names = [sweep.name for sweep in known]
    for name in domain.sweeps:
        if name not in names:
            raise GenerateError(
                f"{domain.operator} has no sweep {name}; there are: {', '.join(names)}"
            )
    return tuple(s for s in known if s.name in domain.sweeps or not (domain.sweeps or s.named))


def _check_types(domain: Domain, every: Sequence[Combination]) -> None:
    for name, dtype in domain.types:
        known = sorted({c.types[name] for c in every if name in c.types})
        if dtype not in known:
            raise GenerateError(
                f"no sweep of {domain.operator} {domain.version} has {name} of type {dtype}; "
                f"there are: {', '.join(known) or 'none'}"
            )
