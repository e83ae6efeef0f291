"""Run a suite on a backend."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from onnx_cts_harness.backend import DEFAULT_TIMEOUT, Backend
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.classic import open_folder
from onnx_cts_harness.errors import CaseError, NotCrossingError
from onnx_cts_harness.outcome import Outputs
from onnx_cts_harness.registry import resolve
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
    ) -> Iterator[Result]:
        """Run the cases of these operators at these versions in the suite's order; () is all.

        Args:
            operators: The operators.
            versions: The versions.
            without: Cases with one of these features are left out.

        Raises:
            SuiteError: The suite has none such; before the first result.
            BackendError: The backend cannot go on.
        """
        return self._results(self.suite.select(operators, versions), frozenset(without))

    def _results(self, entries: Collection[CaseEntry], without: frozenset[str]) -> Iterator[Result]:
        for entry in entries:
            loaded = self._loaded(entry)
            if isinstance(loaded, Result):
                yield loaded
            elif without.isdisjoint(loaded.case.features):
                yield judged(self.backend, entry, loaded)

    def _loaded(self, entry: CaseEntry) -> LoadedCase | Result:
        """A case, or the result of one that cannot be run."""
        try:
            return self.suite.load(entry)
        except NotCrossingError as error:
            return not_runnable(entry, str(error))
        except CaseError as error:
            return harness_error(entry, str(error))


def judged(backend: Backend, entry: CaseEntry, loaded: LoadedCase) -> Result:
    """Run one case on a backend, judge what it did, and diagnose it where that is wrong.

    Raises:
        BackendError: The backend cannot go on.
    """
    outcome = backend.run(loaded)
    result = verify(entry, loaded, outcome)
    if result.verdict.is_failure and isinstance(outcome, Outputs) and not loaded.tolerance:
        from onnx_cts_harness.diagnosis import diagnosed

        return replace(result, diagnosis=diagnosed(loaded, outcome.tensors))
    return result


def start_run(
    suite: Path, backend: str, *, python: Path | None = None, timeout: float = DEFAULT_TIMEOUT
) -> Run:
    """Open a suite and start a backend.

    Args:
        suite: The suite's folder, or one with cases in ONNX's classic layout.
        backend: A name that ``registry.resolve`` takes.
        python: Interpreter of the environment that has the runtime; None for this one.
        timeout: Seconds that one case may take.

    Raises:
        SuiteError: The suite cannot be used.
        BackendError: The backend is unknown or cannot be started.
    """
    spec = resolve(backend)
    return Run(open_folder(suite), Backend(spec, python=python, timeout=timeout))


def run_suite(
    suite: Path,
    backend: str,
    *,
    python: Path | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    operators: Collection[str] = (),
    versions: Collection[int] = (),
) -> Iterator[Result]:
    """The results of a run from its start to its end; the arguments are those of its parts."""
    with start_run(suite, backend, python=python, timeout=timeout) as run:
        yield from run.results(operators, versions)
