"""Give one case to a backend in a presentation that it can be fed, and judge what it did."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from onnx_cts_harness.backend import Backend
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.declarations import Feeds
from onnx_cts_harness.lane import Lane
from onnx_cts_harness.outcome import NotRunnable, Outcome, Outputs
from onnx_cts_harness.presentation import UnfeedableError, presented
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.verify import Result, verify


@dataclass(frozen=True)
class Attempt:
    """What a backend did with a case.

    Attributes:
        outcome: What came of it.
        presented: Names of the graph inputs that it was given as initializers.
    """

    outcome: Outcome
    presented: tuple[str, ...] = ()


@dataclass(frozen=True)
class Begun:
    """An attempt under way, or one that had no need of the backend."""

    _lane: Lane | NotRunnable
    _presented: tuple[str, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether the result is there, if it is the oldest of the lane."""
        return isinstance(self._lane, NotRunnable) or self._lane.is_ready

    def result(self) -> Attempt:
        """What came of it, once it is there; to be asked for once, and in the order of the lane.

        Raises:
            BackendError: The backend cannot go on.
        """
        lane = self._lane
        outcome = lane if isinstance(lane, NotRunnable) else lane.take()
        return Attempt(outcome, self._presented)


def begin(lane: Lane, feeds: Feeds, loaded: LoadedCase) -> Begun:
    """Give a case to a backend, presented so that it can be fed it, and do not wait for it.

    Args:
        lane: The lane of the backend's worker.
        feeds: What the backend can be fed.
        loaded: The case.

    Raises:
        BackendError: The backend cannot go on.
    """
    try:
        given = presented(loaded, feeds)
    except UnfeedableError as error:
        return Begun(NotRunnable(str(error)))
    lane.give(given.loaded)
    return Begun(lane, given.initializers)


def attempt(backend: Backend, loaded: LoadedCase) -> Attempt:
    """Give a case to a backend, presented so that it can be fed it, and see what comes of it.

    Raises:
        BackendError: The backend cannot go on.
    """
    with backend.lane() as lane:
        return begin(lane, backend.identity.declared.feeds, loaded).result()


def judge(
    entry: CaseEntry, loaded: LoadedCase, made: Attempt, among: Container[str] | None = None
) -> Result:
    """Judge an attempt at a case, and diagnose it where that is wrong.

    Args:
        entry: The case as its suite lists it.
        loaded: The case.
        made: The attempt.
        among: Names of the deviations that a diagnosis tries; None for all.
    """
    outcome = made.outcome
    result = verify(entry, loaded, outcome)
    if made.presented:
        result = replace(result, presented=made.presented)
    if result.verdict.is_failure and isinstance(outcome, Outputs) and not loaded.tolerance:
        from onnx_cts_harness.diagnosis import diagnosed

        return replace(result, diagnosis=diagnosed(loaded, outcome.tensors, among))
    return result
