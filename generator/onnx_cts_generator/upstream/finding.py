"""What a comparison of two exports finds: plain data, for people and for machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

What = Literal[
    "only in one",  # a file that one of the two cases lacks
    "stamps",  # a model's producer, IR version and opsets
    "model",  # anything else of a model
    "name",  # of a value
    "type",
    "shape",
    "structure",  # other elements in a sequence, optional or map
    "values",
    "stored",  # same content in other bytes
    "bytes",  # a file that is neither model nor value
]


@dataclass(frozen=True)
class Measure:
    """How far two tensors of one type and shape are from each other.

    Attributes:
        wrong: Number of elements that differ; any NaN is as good as another.
        elements: Number of elements.
        ulp: Most units in the last place (steps, for integers) between two elements; None for
            strings, and where no pair of differing elements is free of NaN.
        relative: Most difference of two finite elements, relative to the larger; None likewise.
        absolute: Most difference of two finite elements; None likewise.
        nan: Number of elements that are NaN on one side alone.
    """

    wrong: int
    elements: int
    ulp: int | None = None
    relative: float | None = None
    absolute: float | None = None
    nan: int = 0


@dataclass(frozen=True)
class Finding:
    """One respect in which a file differs.

    Attributes:
        what: The respect.
        says: How it was and how it is, in words.
        at: Where in a sequence, optional or map, such as ``[0]``; "" for all of it.
        measure: How far values differ.
    """

    what: What
    says: str
    at: str = ""
    measure: Measure | None = None


@dataclass(frozen=True)
class FileDifference:
    """A file that differs between two exports.

    Attributes:
        case: Name of the case.
        file: Path relative to the case.
        found: The respects in which it differs.
    """

    case: str
    file: str
    found: Sequence[Finding]


@dataclass
class Comparison:
    """What two exports have in common and what not.

    Attributes:
        added: Cases of the second alone.
        removed: Cases of the first alone.
        differing: Files that differ.
        equal: Number of cases that are the same in both.
        troubles: What could not be compared, one line each.
    """

    added: Sequence[str] = ()
    removed: Sequence[str] = ()
    differing: list[FileDifference] = field(default_factory=list)
    equal: int = 0
    troubles: list[str] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not (self.added or self.removed or self.differing)
