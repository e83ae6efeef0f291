"""A pool of worker processes, each started when it is needed, and again after its end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import LifoQueue

from onnx_cts_harness.process import WorkerProcess


class PoolClosedError(Exception):
    """The pool was closed while a thread waited for a worker."""


class Pool:
    """Places for workers; any number of threads may ask for one."""

    def __init__(self, start: Callable[[], WorkerProcess], size: int, first: WorkerProcess) -> None:
        """Make the places.

        Args:
            start: Starts a worker.
            size: Number of places.
            first: A worker that runs already, at one of them.
        """
        self._start = start
        self._lock, self._closed = threading.Lock(), False
        self._workers = {first}
        # Last in, first out: a worker that runs is taken before another is started.
        self._places: LifoQueue[WorkerProcess | None] = LifoQueue()
        for worker in (*[None] * (size - 1), first):
            self._places.put(worker)

    @contextmanager
    def worker(self) -> Iterator[WorkerProcess]:
        """A worker that runs, and is nobody else's within the context.

        Raises:
            PoolClosedError: The pool is closed.
        """
        place = self._places.get()
        try:
            if self._closed:
                raise PoolClosedError
            if place is None or not place.alive:
                place = self._renewed(place)
            yield place
        finally:
            self._places.put(place)

    def close(self) -> None:
        """End all workers, also those in use; more than once does no harm."""
        with self._lock:
            self._closed = True
            workers, self._workers = self._workers, set()
        for worker in workers:
            worker.close()

    def _renewed(self, ended: WorkerProcess | None) -> WorkerProcess:
        if ended is not None:
            with self._lock:
                self._workers.discard(ended)
            ended.close()
        worker = self._start()
        with self._lock:
            # Closed in the meantime, the pool knows nothing of it.
            wanted = not self._closed
            if wanted:
                self._workers.add(worker)
        if not wanted:
            worker.close()
            raise PoolClosedError
        return worker
