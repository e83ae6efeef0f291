"""Examples of a strategy, the same each time."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

T = TypeVar("T")


def drawn(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    found: list[T] = []

    @seed(0)
    @settings(
        max_examples=count,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy.map(Hidden))
    def note(hidden: Hidden) -> None:
        found.append(hidden.value)

    note()
    return found


class Hidden:
    """What Hypothesis is to print in short."""

    def __init__(self, value: T) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "..."
