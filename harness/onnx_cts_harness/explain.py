"""Explain many failures by few deviations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from onnx_cts_harness.verify import Result

T = TypeVar("T")


def explained(results: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    """The fewest deviations that explain the diagnosed results, each with those it explains.

    The deviation that explains the most comes first, and takes what it explains from those after
    it. Last come the results that no known deviation explains, under the name "".
    """
    diagnosed = [result for result in results if result.diagnosis is not None]
    return explained_by(diagnosed, lambda result: result.diagnosis or ())


def explained_by(
    failures: Sequence[T], diagnosis: Callable[[T], Sequence[str]]
) -> Iterator[tuple[str, list[T]]]:
    """The same of any failures whose diagnosis can be told: the names of the deviations."""
    left = list(failures)
    # Of names that explain as much, the one that comes first in the catalogue of a failure.
    names = dict.fromkeys(name for one in left for name in diagnosis(one))
    while any(map(diagnosis, left)):
        name = max(names, key=lambda n: sum(n in diagnosis(one) for one in left))
        yield name, [one for one in left if name in diagnosis(one)]
        left = [one for one in left if name not in diagnosis(one)]
    if left:
        yield "", left
