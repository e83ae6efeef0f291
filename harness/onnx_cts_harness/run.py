"""Run a suite on a backend."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from onnx_cts_harness.attempt import Begun, attempt, begin, judge
from onnx_cts_harness.backend import Backend, Options
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.classic import open_folder
from onnx_cts_harness.errors import CaseError, NotCrossingError
from onnx_cts_harness.lane import Lane
from onnx_cts_harness.parallel import in_order
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.shard import WHOLE, Shard
from onnx_cts_harness.suite import CaseEntry, Suite
from onnx_cts_harness.verify import Result, harness_error, not_runnable

if TYPE_CHECKING:
    from onnx_cts_harness.conversion.converter import Converter


#: Cases that a lone worker has at hand: it works on while one that failed is diagnosed.
AHEAD = 1024
#: Bytes of them beyond which no more are loaded: a suite may be of large models.
MOST_BYTES = 1 << 24


@dataclass(frozen=True)
class Run:
    """A suite on a started backend; a context manager, which ends the workers.

    Attributes:
        suite: The suite.
        backend: The backend, with its identity.
        converter: Converts each model before the backend gets it; None for models as they are.
    """

    suite: Suite
    backend: Backend
    converter: Converter | None = None

    def __enter__(self) -> Self:
        """The run itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the workers."""
        self.backend.close()
        if self.converter is not None:
            self.converter.close()

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
        return self._judged(entry, adapted(loaded) if adapted else loaded)

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
        left_out = frozenset(without)
        if self.backend.workers == 1 and self.converter is None:
            found = self._ahead(left, left_out)
        else:
            work = partial(self._wanted, without=left_out)
            found = in_order(work, left, self.backend.workers)
        return (result for result in found if result is not None)

    def _ahead(
        self, entries: Iterable[CaseEntry], without: frozenset[str]
    ) -> Iterator[Result | None]:
        """The results of cases on one worker, which never waits: the next ones are at hand."""
        with self.backend.lane() as lane:
            under_way: deque[_Known | _UnderWay] = deque()
            for entry in entries:
                under_way.append(self._begun(entry, lane, without))
                while under_way and (
                    under_way[0].is_ready
                    or len(under_way) >= AHEAD
                    or lane.waiting_bytes > MOST_BYTES
                ):
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()

    def _begun(self, entry: CaseEntry, lane: Lane, without: frozenset[str]) -> _Known | _UnderWay:
        chosen = self._chosen(entry, without)
        if not isinstance(chosen, LoadedCase):
            return _Known(chosen)
        feeds = self.backend.identity.declared.feeds
        return _UnderWay(entry, chosen, begin(lane, feeds, chosen))

    def _wanted(self, entry: CaseEntry, without: frozenset[str]) -> Result | None:
        """The result of a case; None for one that is left out."""
        chosen = self._chosen(entry, without)
        return self._judged(entry, chosen) if isinstance(chosen, LoadedCase) else chosen

    def _chosen(self, entry: CaseEntry, without: frozenset[str]) -> LoadedCase | Result | None:
        """A case, or the result of one that cannot be run; None for one that is left out."""
        loaded = self._loaded(entry)
        if isinstance(loaded, LoadedCase) and not without.isdisjoint(loaded.case.features):
            return None
        return loaded

    def _judged(self, entry: CaseEntry, loaded: LoadedCase) -> Result:
        return judged(self.backend, entry, loaded, self.converter)

    def _loaded(self, entry: CaseEntry) -> LoadedCase | Result:
        """A case, or the result of one that cannot be run."""
        try:
            return self.suite.load(entry)
        except NotCrossingError as error:
            return not_runnable(entry, str(error))
        except CaseError as error:
            return harness_error(entry, str(error))


@dataclass(frozen=True)
class _Known:
    """A case whose result needs no backend; None for one that is left out."""

    _result: Result | None
    is_ready = True

    def result(self) -> Result | None:
        return self._result


@dataclass(frozen=True)
class _UnderWay:
    """A case that was given to a worker."""

    _entry: CaseEntry
    _loaded: LoadedCase
    _begun: Begun

    @property
    def is_ready(self) -> bool:
        return self._begun.is_ready

    def result(self) -> Result:
        return judge(self._entry, self._loaded, self._begun.result())


def judged(
    backend: Backend, entry: CaseEntry, loaded: LoadedCase, converter: Converter | None = None
) -> Result:
    """Run one case on a backend, judge what it did, and diagnose it where that is wrong.

    The backend gets the case in a presentation that it can be fed, and the result says so.

    Args:
        backend: The backend.
        entry: The case.
        loaded: The case, loaded.
        converter: Converts the model first; None for a case that runs as it is.

    Raises:
        BackendError: The backend or the converter cannot go on.
    """
    if converter is None:
        return judge(entry, loaded, attempt(backend, loaded))
    from onnx_cts_harness.conversion.judging import judged_converted

    return judged_converted(converter, entry, loaded, partial(attempt, backend))


def start_run(
    suite: Path, backend: str, *, convert_to: int | None = None, **options: Unpack[Options]
) -> Run:
    """Open a suite and start a backend.

    Args:
        suite: The suite's folder, or one with cases in ONNX's classic layout.
        backend: A name that ``registry.resolve`` takes.
        convert_to: The opset to which ``onnx.version_converter`` converts each model first; None
            for models as they are.
        options: How the backend is run.

    Raises:
        SuiteError: The suite cannot be used.
        BackendError: The backend is unknown, or it or the converter cannot be started.
    """
    spec, opened = resolve(backend), open_folder(suite)
    if convert_to is None:
        return Run(opened, Backend(spec, **options))
    from onnx_cts_harness.conversion.converter import Converter

    started = Backend(spec, **options)
    try:
        limits = started.limits
        return Run(opened, started, Converter(convert_to, limits.timeout, started.workers))
    except BaseException:
        started.close()
        raise


def run_suite(
    suite: Path,
    backend: str,
    *,
    operators: Collection[str] = (),
    versions: Collection[int] = (),
    convert_to: int | None = None,
    **options: Unpack[Options],
) -> Iterator[Result]:
    """The results of a run from its start to its end; the arguments are those of its parts."""
    with start_run(suite, backend, convert_to=convert_to, **options) as run:
        yield from run.results(operators, versions)
