"""Give one case to a backend in a presentation that it can be fed, and judge what it did."""

from __future__ import annotations

from dataclasses import dataclass, replace

from onnx_cts_harness.backend import Backend
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


def attempt(backend: Backend, loaded: LoadedCase) -> Attempt:
    """Give a case to a backend, presented so that it can be fed it.

    Raises:
        BackendError: The backend cannot go on.
    """
    try:
        given = presented(loaded, backend.identity.declared.feeds)
    except UnfeedableError as error:
        return Attempt(NotRunnable(str(error)))
    return Attempt(backend.run(given.loaded), given.initializers)


def judge(entry: CaseEntry, loaded: LoadedCase, made: Attempt) -> Result:
    """Judge an attempt at a case, and diagnose it where that is wrong."""
    outcome = made.outcome
    result = replace(verify(entry, loaded, outcome), presented=made.presented)
    if result.verdict.is_failure and isinstance(outcome, Outputs) and not loaded.tolerance:
        from onnx_cts_harness.diagnosis import diagnosed

        return replace(result, diagnosis=diagnosed(loaded, outcome.tensors))
    return result
