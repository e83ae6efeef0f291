"""A backend under test: what names it, and the worker that runs cases on it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.outcome import (
    Broken,
    Crashed,
    NotRunnable,
    Outcome,
    Outputs,
    Refused,
    TimedOut,
)
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


class Backend:
    """A backend in a worker process, which is started again after a crash or a hang.

    Use it as a context manager, so that the worker ends with it.
    """

    def __init__(
        self, spec: BackendSpec, *, python: Path | None = None, timeout: float = DEFAULT_TIMEOUT
    ) -> None:
        """Start the worker.

        Args:
            spec: The backend.
            python: Interpreter of the environment that has the runtime; None for this one.
            timeout: Seconds that one case may take.

        Raises:
            BackendError: The backend cannot be started.
        """
        self.spec = spec
        self._timeout = timeout
        self._python, self._environment = _interpreter(python)
        self._deaths = 0
        self._worker: WorkerProcess | None = None
        self.identity: Identity = self._start()

    def __enter__(self) -> Self:
        """The backend itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the worker."""
        self.close()

    def close(self) -> None:
        """End the worker; more than once does no harm."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def run(self, loaded: LoadedCase) -> Outcome:
        """Run one case.

        Raises:
            BackendError: The worker cannot be started again, or died too often in a row.
        """
        worker = self._ready_worker()
        names = loaded.case.inputs
        header = {
            "files": list(loaded.files),
            "inputs": [
                [name, tensor.code, tensor.shape]
                for name, tensor in zip(names, loaded.inputs, strict=True)
            ],
        }
        tensors = [tensor.data for tensor in loaded.inputs]
        worker.send(header, [loaded.model, *loaded.files.values(), *tensors])
        try:
            reply = worker.receive(self._timeout)
        except WorkerHungError:
            self._bury()
            return TimedOut(self._timeout, worker.last_errors())
        except WorkerDiedError as death:
            self._bury()
            return Crashed(str(death), worker.last_errors())
        self._deaths = 0
        return _outcome(reply)

    def _bury(self) -> None:
        self._deaths += 1
        self.close()

    def _ready_worker(self) -> WorkerProcess:
        if self._deaths >= MOST_DEATHS:
            raise BackendError(
                f"backend {self.spec.label!r}: the worker crashed or hung {self._deaths} times in "
                "a row; the run ends here: run fewer cases to see what it can do"
            )
        if self._worker is not None and self._worker.alive:
            return self._worker
        # It died between two cases, which is no case's fault, or it was buried.
        self.close()
        for attempt in range(RESTARTS):
            try:
                self._start()
                break
            except BackendError:
                if attempt == RESTARTS - 1:
                    raise
        if self._worker is None:
            raise AssertionError("a started backend has a worker")
        return self._worker

    def _start(self) -> Identity:
        spec = self.spec
        arguments = [str(spec.adapter.resolve()), spec.argument or "", *map(str, spec.folders)]
        try:
            worker = WorkerProcess(arguments, self._python, self._environment)
        except OSError as error:
            raise self._not_started(f"{self._python}: {error.strerror}") from None
        try:
            hello, _ = worker.receive(START_TIMEOUT)
        except WorkerHungError:
            worker.close()
            raise self._not_started(f"not ready within {START_TIMEOUT:g} s") from None
        except WorkerDiedError as death:
            worker.close()
            said = " / ".join(worker.last_errors()[-3:])
            raise self._not_started(f"{death}{said and f', {said}'}") from None
        except BaseException:
            worker.close()
            raise
        if not hello["ready"]:
            worker.close()
            raise self._not_started(first_line(hello["message"]))
        self._worker = worker
        keys = ("version", "python", "platform", "machine", "packages")
        return Identity(**{key: hello[key] for key in keys})

    def _not_started(self, why: str) -> BackendError:
        return BackendError(
            f"backend {self.spec.label!r} could not be started: {why}; it needs NumPy and its "
            f"runtime in the environment of {self._python} (--python names another)"
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


def _outcome(reply: Frame) -> Outcome:
    header, blobs = reply
    match header["outcome"]:
        case "outputs":
            heads = zip(header["outputs"], blobs, strict=True)
            return Outputs(tuple(Tensor(code, tuple(shape), blob) for (code, shape), blob in heads))
        case "refused":
            stage, error = clean(header["stage"], 40), clean(header["error"], 80)
            return Refused(stage, error, first_line(header["message"]))
        case "not_runnable":
            return NotRunnable(first_line(header["message"]))
        case "crashed":
            return Crashed(first_line(header["message"]), tuple(map(clean, header["stderr"])))
        case _:
            return Broken(first_line(header["message"]))
