"""Divide the cases of a run among several machines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Shard:
    """One of the equal shares that cases are divided into.

    Attributes:
        number: Which share, from 1.
        count: How many there are.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: There is no such share.
        """
        if not 1 <= self.number <= self.count:
            raise ValueError(f"there is no shard {self}")

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def of(self, things: Sequence[T]) -> Sequence[T]:
        """Every ``count``-th thing: neighbours are alike, so that each share is a fair sample."""
        return things[self.number - 1 :: self.count]


#: All there is, as one share.
WHOLE = Shard(1, 1)


def parse_shard(text: str) -> Shard:
    """A share as ``I/N``.

    Raises:
        ValueError: The text is none.
    """
    if match := re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text):
        return Shard(int(match[1]), int(match[2]))
    raise ValueError(f"{text!r} is not a number of a shard and their count, such as 2/4")
