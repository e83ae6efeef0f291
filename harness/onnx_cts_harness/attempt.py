"""Give one case to a backend in a presentation that it can be fed, and judge what it did."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from onnx_cts_harness.backend import Backend, Running
from onnx_cts_harness.case import LoadedCase
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

    _running: Running | NotRunnable
    _presented: tuple[str, ...] = ()

    def result(self) -> Attempt:
        """What came of it, once it is there."""
        running = self._running
        outcome = running if isinstance(running, NotRunnable) else running.result()
        return Attempt(outcome, self._presented)

    def abandon(self) -> None:
        """Nobody wants the result any more."""
        if not isinstance(self._running, NotRunnable):
            self._running.abandon()


def begin(backend: Backend, loaded: LoadedCase) -> Begun:
    """Give a case to a backend, presented so that it can be fed it, and do not wait for it.

    Raises:
        BackendError: The backend cannot go on.
    """
    try:
        given = presented(loaded, backend.identity.declared.feeds)
    except UnfeedableError as error:
        return Begun(NotRunnable(str(error)))
    return Begun(backend.begin(given.loaded), given.initializers)


def attempt(backend: Backend, loaded: LoadedCase) -> Attempt:
    """The same, and wait for what comes of it."""
    return begin(backend, loaded).result()


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
    result = replace(verify(entry, loaded, outcome), presented=made.presented)
    if result.verdict.is_failure and isinstance(outcome, Outputs) and not loaded.tolerance:
        from onnx_cts_harness.diagnosis import diagnosed

        return replace(result, diagnosis=diagnosed(loaded, outcome.tensors, among))
    return result
