"""Do work on many things at the same time, and give the results in the order of the things."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

#: Things begun for each worker before the first of them is given: one slow thing then stops none.
AHEAD = 4


def in_order(work: Callable[[T], R], things: Iterable[T], workers: int) -> Iterator[R]:
    """What the work gives for each thing, in their order.

    An exception comes at the place of its thing, and ends the work. Work that has begun goes on
    when the results are no longer asked for; what it uses is to be closed.

    Args:
        work: Is called in other threads if there is more than one worker.
        things: What it is called with.
        workers: Number of threads.
    """
    if workers == 1:
        yield from map(work, things)
        return
    executor = ThreadPoolExecutor(workers, thread_name_prefix="onnx-cts")
    try:
        yield from ordered(lambda thing: executor.submit(work, thing), things, workers * AHEAD)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


class Begun(Protocol[R_co]):
    """Work that has begun."""

    def result(self) -> R_co:
        """Wait for what it gives; raises what it raises."""


def ordered(begin: Callable[[T], Begun[R]], things: Iterable[T], ahead: int) -> Iterator[R]:
    """What work gives for each thing, in their order.

    Args:
        begin: Begins the work on a thing.
        things: The things.
        ahead: How many things may have begun and not been given.
    """
    begun: deque[Begun[R]] = deque()
    for thing in things:
        begun.append(begin(thing))
        if len(begun) >= ahead:
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()
