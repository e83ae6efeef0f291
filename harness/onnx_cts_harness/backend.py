"""A backend under test: what names it, and the worker that runs cases on it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self, TypedDict, Unpack

from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.declarations import Declarations, declarations
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.lane import Lane
from onnx_cts_harness.outcome import (
    Broken,
    Crashed,
    NotRunnable,
    Outcome,
    Outputs,
    Refused,
    TimedOut,
)
from onnx_cts_harness.pool import Pool, PoolClosedError
from onnx_cts_harness.process import (
    Frame,
    WorkerDiedError,
    WorkerHungError,
    WorkerProcess,
)
from onnx_cts_harness.tensor import Tensor
from onnx_cts_harness.text import clean, first_line

DEFAULT_TIMEOUT = 30.0
START_TIMEOUT = 120.0
MOST_DEATHS = 20
RESTARTS = 3


@dataclass(frozen=True)
class BackendSpec:
    """What names a backend; ``registry.resolve`` makes one.

    Attributes:
        name: The name in reports.
        variant: The variant in reports; None for the plain backend.
        adapter: The adapter's file.
        argument: What the adapter is opened with; None for nothing.
        folders: Where its Python looks for modules after all other places.
    """

    name: str
    variant: str | None
    adapter: Path
    argument: str | None
    folders: tuple[Path, ...] = ()

    @property
    def label(self) -> str:
        """Name and variant, as a user names it."""
        return self.name if self.variant is None else f"{self.name}:{self.variant}"


@dataclass(frozen=True)
class Identity:
    """What a started backend says of itself and of where it runs."""

    version: str
    python: str
    platform: str
    machine: str
    packages: Mapping[str, str]
    declared: Declarations


@dataclass(frozen=True)
class Limits:
    """What a worker may take.

    Attributes:
        timeout: Seconds that one case may take.
        memory: MiB of address space that a worker may use; None for no limit.
        offline: Whether it is cut off from the network.
    """

    timeout: float = DEFAULT_TIMEOUT
    memory: int | None = None
    offline: bool = False


class Options(TypedDict, total=False):
    """How a backend is run.

    Attributes:
        python: Interpreter of the environment that has the runtime; None for this one.
        timeout: Seconds that one case may take.
        memory: MiB of address space that a worker may use; None for no limit.
        offline: Whether the workers are cut off from the network.
        workers: Number of workers, and of cases that can run at the same time.
    """

    python: Path | None
    timeout: float
    memory: int | None
    offline: bool
    workers: int


class Backend:
    """A backend in worker processes, each started again after a crash or a hang.

    Use it as a context manager, so that the workers end with it.
    """

    def __init__(self, spec: BackendSpec, **options: Unpack[Options]) -> None:
        """Start the first worker; others start when cases run at the same time.

        Args:
            spec: The backend.
            options: How it is run.

        Raises:
            BackendError: The backend cannot be started.
        """
        self.spec = spec
        self.limits = Limits(
            options.get("timeout", DEFAULT_TIMEOUT),
            options.get("memory"),
            options.get("offline", False),
        )
        self.workers = options.get("workers", 1)
        self._python, self._environment = _interpreter(options.get("python"))
        self._deaths, self._lock = 0, Lock()
        first, self.identity = self._start()
        self._pool = Pool(self._restart, self.workers, first)

    def __enter__(self) -> Self:
        """The backend itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the workers."""
        self.close()

    def close(self) -> None:
        """End the workers; more than once does no harm."""
        self._pool.close()

    def run(self, loaded: LoadedCase, *, keep: bool = False) -> Outcome:
        """Run one case as it is; several threads may do so at the same time.

        Args:
            loaded: The case.
            keep: Whether its model stays loaded for the next one, which may have the same.

        Raises:
            BackendError: A worker cannot be started again, or they died too often in a row.
        """
        with self.lane() as lane:
            lane.give(loaded, keep=keep)
            return lane.take()

    def lane(self) -> closing[Lane]:
        """Give cases to one worker ahead of their turn, within the context."""
        return closing(Lane(self._occupied, self._received))

    @contextmanager
    def _occupied(self) -> Iterator[WorkerProcess]:
        if self._deaths >= MOST_DEATHS:
            raise BackendError(
                f"backend {self.spec.label!r}: the worker crashed or hung {self._deaths} times in "
                "a row; the run ends here: run fewer cases to see what it can do"
            )
        try:
            with self._pool.worker() as worker:
                yield worker
        except PoolClosedError:
            raise BackendError(f"backend {self.spec.label!r} was closed") from None

    def _received(self, worker: WorkerProcess) -> Outcome:
        try:
            reply = worker.receive(self.limits.timeout)
        except WorkerHungError:
            self._bury(worker)
            return TimedOut(self.limits.timeout, worker.last_errors())
        except WorkerDiedError as death:
            self._bury(worker)
            return Crashed(str(death), worker.last_errors())
        with self._lock:
            self._deaths = 0
        return _outcome(reply, self.identity.declared)

    def _bury(self, worker: WorkerProcess) -> None:
        with self._lock:
            self._deaths += 1
        worker.close()

    def _restart(self) -> WorkerProcess:
        for _ in range(RESTARTS - 1):
            try:
                return self._start()[0]
            except BackendError:
                continue
        return self._start()[0]

    def _start(self) -> tuple[WorkerProcess, Identity]:
        settings = {
            "adapter": str(self.spec.adapter.resolve()),
            "variant": self.spec.argument,
            "folders": [str(folder) for folder in self.spec.folders],
            "memory": self.limits.memory,
            "offline": self.limits.offline,
        }
        try:
            worker = WorkerProcess(settings, self._python, self._environment)
        except OSError as error:
            raise self._not_started(f"{self._python}: {error.strerror}") from None
        try:
            return worker, self._greeted(worker)
        except BaseException:
            worker.close()
            raise

    def _greeted(self, worker: WorkerProcess) -> Identity:
        try:
            hello, _ = worker.receive(START_TIMEOUT)
        except WorkerHungError:
            raise self._not_started(f"not ready within {START_TIMEOUT:g} s") from None
        except WorkerDiedError as death:
            worker.close()
            said = " / ".join(worker.last_errors()[-3:])
            raise self._not_started(f"{death}{said and f', {said}'}") from None
        if not hello["ready"]:
            raise self._not_started(first_line(hello["message"]))
        try:
            declared = declarations(hello["feeds"], hello["documentation"], hello["refusals"])
        except ValueError as error:
            raise BackendError(f"backend {self.spec.label!r}: {clean(str(error))}") from None
        keys = ("version", "python", "platform", "machine", "packages")
        return Identity(**{key: hello[key] for key in keys}, declared=declared)

    def _not_started(self, why: str) -> BackendError:
        return BackendError(
            f"backend {self.spec.label!r} could not be started: {why}; it needs NumPy and its "
            f"runtime in the environment of {self._python} (--python names another)",
            why,
        )


def _interpreter(python: Path | None) -> tuple[str, dict[str, str]]:
    environment = dict(os.environ)
    search = environment.pop("PYTHONPATH", "")
    if python is None:
        # The worker runs in a folder of its own, so relative entries would change their meaning.
        if search:
            entries = (str(Path(entry).absolute()) for entry in search.split(os.pathsep))
            environment["PYTHONPATH"] = os.pathsep.join(entries)
        return sys.executable, environment
    # What serves this interpreter may break another.
    environment.pop("PYTHONHOME", None)
    found = shutil.which(python)
    # No resolve(): a virtual environment is known by the path of its link.
    return str(Path(found).absolute()) if found else str(python), environment


def _outcome(reply: Frame, declared: Declarations) -> Outcome:
    header, blobs = reply
    match header["outcome"]:
        case "outputs":
            heads = zip(header["outputs"], blobs, strict=True)
            return Outputs(tuple(Tensor(code, tuple(shape), blob) for (code, shape), blob in heads))
        case "refused":
            error, message = clean(header["error"], 80), header["message"]
            kind, stage = declared.refusal(clean(header["stage"], 40), error, message)
            return Refused(stage, error, first_line(message), kind)
        case "not_runnable":
            return NotRunnable(first_line(header["message"]))
        case "crashed":
            return Crashed(first_line(header["message"]), tuple(map(clean, header["stderr"])))
        case _:
            return Broken(first_line(header["message"]))
