"""Explain many failures by few deviations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onnx_cts_harness.verify import Result


def explained(results: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    """The fewest deviations that explain the diagnosed results, each with those it explains.

    The deviation that explains the most comes first, and takes what it explains from those after
    it. Last come the results that no known deviation explains, under the name "".
    """
    left = [result for result in results if result.diagnosis is not None]
    # Of names that explain as much, the one that comes first in the catalogue of a failure.
    names = dict.fromkeys(name for result in left for name in result.diagnosis or ())
    while any(result.diagnosis for result in left):
        name = max(names, key=lambda n: sum(n in (r.diagnosis or ()) for r in left))
        yield name, [result for result in left if name in (result.diagnosis or ())]
        left = [result for result in left if name not in (result.diagnosis or ())]
    if left:
        yield "", left
