"""What pytest-benchmark's table does not say: the time of each of many things, and memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

SUITE = Path(__file__).parents[1] / "generated_tests"
LINES = pytest.StashKey[list[str]]()

Say = Callable[..., None]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LINES] = []


@pytest.fixture
def say(benchmark: BenchmarkFixture, request: pytest.FixtureRequest) -> Say:
    """Say how long each of ``count`` cases took in the best round and in the worst, and more."""

    def line(count: int, more: str = "") -> None:
        best, worst = benchmark.stats.stats.min, benchmark.stats.stats.max
        each = f"{1000 * best / count:.2f} ms a case ({1000 * worst / count:.2f})"
        text = f"{request.node.name}: {each}, {count / best:.0f} a second{more and f', {more}'}"
        benchmark.extra_info["each"] = text
        request.config.stash[LINES].append(text)

    return line


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in terminalreporter.config.stash[LINES]:
        terminalreporter.write_line(line)
