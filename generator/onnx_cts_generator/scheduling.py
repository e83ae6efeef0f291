"""Work in this process or on a dask cluster: the same results in the same order.

``distributed`` is an extra and slow to import, so nothing here imports it before it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeVar

from onnx_cts_generator.errors import GenerateError
from onnx_cts_harness.parallel import AHEAD, ordered

T = TypeVar("T")
R = TypeVar("R")

EXTRA = "pip install 'onnx-cts[distributed]'"
#: Seconds to wait for a scheduler, and for its first worker.
PATIENCE = 30
#: Tasks begun at the least, since more workers may come while others are at work.
FEWEST_AHEAD = 16
#: Where there are many more things than workers, so many are one task: each costs the scheduler
#: some milliseconds.
MOST_TOGETHER = 32
#: Tasks for each worker at the least, so that all end at about the same time.
FEWEST_TASKS = 16


#: Dask has its workers give memory back at once, and so get it again for every large array: as much
#: work as all the rest.
KEEPS_MEMORY = {"MALLOC_TRIM_THRESHOLD_": 1 << 30, "MALLOC_MMAP_THRESHOLD_": 1 << 25}


class Workers(Protocol):
    """Processes that work can be given to."""

    def in_order(self, work: Callable[[T], R], things: Iterable[T]) -> Iterator[R]:
        """What the work gives for each thing, in their order.

        Both must be such that pickle can send them, and the work a function of what it is given.
        """

    def everywhere(self, work: Callable[[], None]) -> None:
        """Do something in each process."""


class Here:
    """This process alone."""

    def in_order(self, work: Callable[[T], R], things: Iterable[T]) -> Iterator[R]:
        """What the work gives for each thing, in their order."""
        yield from map(work, things)

    def everywhere(self, work: Callable[[], None]) -> None:
        """Do something in this process."""
        work()


class Cluster:
    """The workers of a dask scheduler. What a lost worker had begun is done again by another."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def in_order(self, work: Callable[[T], R], things: Iterable[T]) -> Iterator[R]:
        """What the work gives for each thing, in their order.

        Raises:
            GenerateError: A thing took several workers with it, or the scheduler is gone.
        """
        from distributed import KilledWorker

        every = list(things)
        workers = sum(self._client.nthreads().values())
        size = max(1, min(MOST_TOGETHER, len(every) // (workers * FEWEST_TASKS)))
        tasks = (every[start : start + size] for start in range(0, len(every), size))
        ahead = max(FEWEST_AHEAD, AHEAD * workers)
        try:
            # Not pure: of two equal tasks each is to be done, and no result is to be kept.
            for results in ordered(
                lambda task: self._client.submit(_each, work, task, pure=False), tasks, ahead
            ):
                yield from results
        except KilledWorker as error:
            raise GenerateError(f"the workers died one after the other: {error}") from None
        except OSError as error:
            raise GenerateError(f"the scheduler cannot be reached any more: {error}") from None

    def everywhere(self, work: Callable[[], None]) -> None:
        """Do something in each worker; in none where the scheduler is gone."""
        with suppress(OSError, TimeoutError):
            self._client.run(work)


def _each(work: Callable[[T], R], things: list[T]) -> list[R]:
    return list(map(work, things))


@contextmanager
def workers_at(address: str | None, count: int) -> Iterator[Workers]:
    """Workers: those of a scheduler, or of a cluster of this machine that ends with the context.

    Args:
        address: The scheduler's address; None for this machine.
        count: Processes on this machine; for 1 it is this one, and no cluster is made.

    Raises:
        GenerateError: There is no such scheduler, it has no workers, or the extra is missing.
    """
    if address is None and count == 1:
        yield Here()
        return
    if not has_distributed():
        raise GenerateError(f"more than one process needs dask: {EXTRA}")
    with _local(count) if address is None else _remote(address) as client:
        yield Cluster(client)


def has_distributed() -> bool:
    """Whether the extra is installed."""
    from importlib.util import find_spec

    return find_spec("distributed") is not None


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _local(count: int) -> Iterator[Any]:
    import logging

    import dask
    from distributed import Client, LocalCluster

    before = dask.config.get("distributed.nanny.pre-spawn-environ", {})
    with (
        dask.config.set({"distributed.nanny.pre-spawn-environ": {**before, **KEEPS_MEMORY}}),
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def _remote(address: str) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise GenerateError(f"there is no scheduler at {address}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise GenerateError(
                f"the scheduler at {address} has no workers; start some: dask worker {address}"
            ) from None
        yield client
