"""A worker's lane: cases are given ahead of their turn, and outcomes taken in the same order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from itertools import islice
from typing import Any

from onnx_cts_harness import worker
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.outcome import Outcome
from onnx_cts_harness.process import WorkerProcess

#: Requests that are sent together where a worker has others at hand: each time, threads of both
#: processes wake up.
BATCH = 16


class Lane:
    """One place of a pool of workers, until it is closed.

    A worker that always has a next case at hand need not wait until somebody has looked at its last
    answer. Where it dies or hangs, the case at whose turn it did has that outcome, and another
    worker gets those after it, which the first had not begun.
    """

    def __init__(
        self,
        occupy: Callable[[], AbstractContextManager[WorkerProcess]],
        received: Callable[[WorkerProcess], Outcome],
    ) -> None:
        """Make a lane; a place is taken when the first case is given.

        Args:
            occupy: Waits for a place, and gives the worker that runs there.
            received: What came of the oldest request of a worker, which it closes where that was
                its last.
        """
        self._occupy, self._received = occupy, received
        self._worker: WorkerProcess | None = None
        self._place = ExitStack()
        self._waiting: deque[bytes] = deque()
        self._sent = 0
        self._bytes = 0

    def close(self) -> None:
        """Give the place back; a worker that is still at a case ends."""
        with self._place:
            if self._waiting and self._worker is not None:
                self._worker.close()

    @property
    def waiting_bytes(self) -> int:
        """Size of the cases whose outcomes were not taken yet."""
        return self._bytes

    @property
    def is_ready(self) -> bool:
        """Whether the oldest outcome can be taken without waiting for it."""
        return self._sent > 0 and self._worker is not None and self._worker.has_reply

    def give(self, loaded: LoadedCase, *, keep: bool = False) -> None:
        """Give a case, whose outcome is to be taken after those of the cases before it.

        Args:
            loaded: The case.
            keep: Whether its model stays loaded for the next one, which may have the same.

        Raises:
            BackendError: A worker cannot be started again, or they died too often in a row.
        """
        request = _request(loaded, keep)
        self._waiting.append(request)
        self._bytes += len(request)
        if self._sent == 0 or len(self._waiting) - self._sent >= BATCH:
            self._send()

    def take(self) -> Outcome:
        """What came of the oldest case, once it is there.

        Raises:
            BackendError: A worker cannot be started again, or they died too often in a row.
        """
        if self._sent == 0:
            self._send()
        process = self._started()
        outcome = self._received(process)
        self._bytes -= len(self._waiting.popleft())
        self._sent -= 1
        if process.closed:
            self._worker, self._sent = None, 0
            self._place.close()
        return outcome

    def _started(self) -> WorkerProcess:
        if self._worker is None:
            self._worker = self._place.enter_context(self._occupy())
        return self._worker

    def _send(self) -> None:
        self._started().send(list(islice(self._waiting, self._sent, None)))
        self._sent = len(self._waiting)


def _request(loaded: LoadedCase, keep: bool) -> bytes:
    header: dict[str, Any] = {
        "files": list(loaded.files),
        "inputs": [
            [name, tensor.code, tensor.shape]
            for name, tensor in zip(loaded.case.inputs, loaded.inputs, strict=True)
        ],
    }
    if keep:
        header["keep"] = True
    tensors = [tensor.data for tensor in loaded.inputs]
    return worker.frame(header, [loaded.model, *loaded.files.values(), *tensors])
