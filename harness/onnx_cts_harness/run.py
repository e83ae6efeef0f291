"""Run a suite on a backend."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self, Unpack

from onnx_cts_harness.backend import Backend, Options
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.classic import open_folder
from onnx_cts_harness.errors import CaseError, NotCrossingError
from onnx_cts_harness.outcome import NotRunnable, Outputs
from onnx_cts_harness.parallel import in_order
from onnx_cts_harness.presentation import Presented, UnfeedableError, presented
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.shard import WHOLE, Shard
from onnx_cts_harness.suite import CaseEntry, Suite
from onnx_cts_harness.verify import Result, harness_error, not_runnable, verify


@dataclass(frozen=True)
class Run:
    """A suite on a started backend; a context manager, which ends the backend's worker.

    Attributes:
        suite: The suite.
        backend: The backend, with its identity.
    """

    suite: Suite
    backend: Backend

    def __enter__(self) -> Self:
        """The run itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the worker."""
        self.backend.close()

    def result(
        self, entry: CaseEntry, adapted: Callable[[LoadedCase], LoadedCase] | None = None
    ) -> Result:
        """Run one case and judge it.

        Args:
            entry: The case.
            adapted: Changes the case once it is loaded.

        Raises:
            BackendError: The backend cannot go on.
        """
        loaded = self._loaded(entry)
        if isinstance(loaded, Result):
            return loaded
        return judged(self.backend, entry, adapted(loaded) if adapted else loaded)

    def results(
        self,
        operators: Collection[str] = (),
        versions: Collection[int] = (),
        without: Collection[str] = (),
        known: Collection[str] = (),
        shard: Shard = WHOLE,
    ) -> Iterator[Result]:
        """Run the cases of these operators at these versions in the suite's order; () is all.

        As many run at the same time as the backend has workers.

        Args:
            operators: The operators.
            versions: The versions.
            without: Cases with one of these features are left out.
            known: Cases of these ids are left out, since their results are known.
            shard: The share of the cases of these operators and versions.

        Raises:
            SuiteError: The suite has none such; before the first result.
            BackendError: The backend cannot go on.
        """
        chosen = shard.of(self.suite.select(operators, versions))
        left = [entry for entry in chosen if entry.id not in known]
        work = partial(self._wanted, without=frozenset(without))
        found = in_order(work, left, self.backend.workers)
        return (result for result in found if result is not None)

    def _wanted(self, entry: CaseEntry, without: frozenset[str]) -> Result | None:
        """The result of a case; None for one that is left out."""
        loaded = self._loaded(entry)
        if isinstance(loaded, Result):
            return loaded
        if not without.isdisjoint(loaded.case.features):
            return None
        return judged(self.backend, entry, loaded)

    def _loaded(self, entry: CaseEntry) -> LoadedCase | Result:
        """A case, or the result of one that cannot be run."""
        try:
            return self.suite.load(entry)
        except NotCrossingError as error:
            return not_runnable(entry, str(error))
        except CaseError as error:
            return harness_error(entry, str(error))


def judged(
    backend: Backend, entry: CaseEntry, loaded: LoadedCase, among: Container[str] | None = None
) -> Result:
    """Run one case on a backend, judge what it did, and diagnose it where that is wrong.

    The backend gets the case in a presentation that it can be fed, and the result says so.

    Args:
        backend: The backend.
        entry: The case as its suite lists it.
        loaded: The case.
        among: Names of the deviations that a diagnosis tries; None for all.

    Raises:
        BackendError: The backend cannot go on.
    """
    given = _presented(backend, loaded)
    if isinstance(given, NotRunnable):
        return verify(entry, loaded, given)
    outcome = backend.run(given.loaded)
    result = replace(verify(entry, loaded, outcome), presented=given.initializers)
    if result.verdict.is_failure and isinstance(outcome, Outputs) and not loaded.tolerance:
        from onnx_cts_harness.diagnosis import diagnosed

        return replace(result, diagnosis=diagnosed(loaded, outcome.tensors, among))
    return result


def _presented(backend: Backend, loaded: LoadedCase) -> Presented | NotRunnable:
    try:
        return presented(loaded, backend.identity.declared.feeds)
    except UnfeedableError as error:
        return NotRunnable(str(error))


def start_run(suite: Path, backend: str, **options: Unpack[Options]) -> Run:
    """Open a suite and start a backend.

    Args:
        suite: The suite's folder, or one with cases in ONNX's classic layout.
        backend: A name that ``registry.resolve`` takes.
        options: How the backend is run.

    Raises:
        SuiteError: The suite cannot be used.
        BackendError: The backend is unknown or cannot be started.
    """
    spec = resolve(backend)
    return Run(open_folder(suite), Backend(spec, **options))


def run_suite(
    suite: Path,
    backend: str,
    *,
    operators: Collection[str] = (),
    versions: Collection[int] = (),
    **options: Unpack[Options],
) -> Iterator[Result]:
    """The results of a run from its start to its end; the arguments are those of its parts."""
    with start_run(suite, backend, **options) as run:
        yield from run.results(operators, versions)
