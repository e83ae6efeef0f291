"""Cases are given to a worker ahead of their turn, and each has the outcome of its own turn."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from harness_suites import SuiteBuilder, coded, fake

from onnx_cts_harness import backend as backend_module
from onnx_cts_harness import run as run_module
from onnx_cts_harness.backend import Backend
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.lane import Lane
from onnx_cts_harness.outcome import Crashed, Outcome, Outputs
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.run import AHEAD, run_suite
from onnx_cts_harness.suite import CaseEntry, Suite, open_suite

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def scripted() -> Iterator[Backend]:
    """The scripted fake."""
    with Backend(resolve(fake("scripted"))) as backend:
        yield backend


def written(builder: SuiteBuilder, *acts: str) -> Path:
    """A suite of a case an act, in order."""
    for number, text in enumerate(acts):
        told = coded(list(text.encode()), "uint8")
        builder.value(f"{number:03}", [told], [told])
    return builder.write()


def give(lane: Lane, suite: Path) -> int:
    """Give all cases of a suite, and say how many there are."""
    opened = open_suite(suite)
    for entry in opened.entries.values():
        lane.give(opened.load(entry))
    return len(opened.entries)


def taken(lane: Lane, count: int) -> list[Outcome]:
    """The next outcomes."""
    return [lane.take() for _ in range(count)]


def test_outcomes_come_in_the_order_of_the_cases(builder: SuiteBuilder, scripted: Backend) -> None:
    acts = [f"say {number}" for number in range(40)]
    with scripted.lane() as lane:
        found = taken(lane, give(lane, written(builder, *acts)))
    said = [outcome.tensors[0].data.decode() for outcome in found if isinstance(outcome, Outputs)]
    assert said == acts


def test_a_crash_is_that_of_the_case_at_whose_turn_it_was(
    builder: SuiteBuilder, scripted: Backend
) -> None:
    deaths = (3, 4, 39, 79)
    acts = ["abort" if number in deaths else "mumble" for number in range(80)]
    with scripted.lane() as lane:
        found = taken(lane, give(lane, written(builder, *acts)))
    crashed = {n: outcome for n, outcome in enumerate(found) if not isinstance(outcome, Outputs)}
    assert crashed == dict.fromkeys(deaths, Crashed("killed by SIGABRT", ("the last words",)))


def test_what_a_runtime_writes_among_the_answers_costs_its_case_alone(
    builder: SuiteBuilder, scripted: Backend
) -> None:
    with scripted.lane() as lane:
        found = taken(lane, give(lane, written(builder, "echo", "meddle", "echo")))
    assert [type(outcome) for outcome in found] == [Outputs, Crashed, Outputs]


def test_a_hang_costs_its_case_alone(builder: SuiteBuilder) -> None:
    acts = ["echo"] * 5 + ["sleep"] + ["echo"] * (AHEAD + 5)
    found = list(run_suite(written(builder, *acts), fake("scripted"), timeout=1.0))
    assert [n for n, result in enumerate(found) if result.verdict != "exact"] == [5]
    assert found[5].verdict == "timed_out"


def test_tensors_larger_than_a_pipe_can_be_given_ahead(builder: SuiteBuilder) -> None:
    large = coded(np.zeros(300_000, np.uint8), "uint8")
    for number in range(40):
        builder.value(f"{number:02}", [large], [large])
    found = list(run_suite(builder.write(), fake("echo"), timeout=10.0))
    assert {str(result.verdict) for result in found} == {"exact"}


def test_a_result_is_given_once_it_is_there_though_cases_are_slow_to_load(
    builder: SuiteBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = written(builder, *["echo"] * 100)
    loaded: list[str] = []
    load = Suite.load

    def slowly(suite: Suite, entry: CaseEntry) -> LoadedCase:
        loaded.append(entry.id)
        time.sleep(0.02)
        return load(suite, entry)

    monkeypatch.setattr(Suite, "load", slowly)
    assert next(run_suite(suite, fake("echo"))).verdict == "exact"
    assert len(loaded) < 50


def test_of_large_cases_few_are_held_at_a_time(
    builder: SuiteBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "MOST_BYTES", 250_000)
    large = coded(np.zeros(100_000, np.uint8), "uint8")
    names = [builder.value(f"{number:02}", [large], [large]) for number in range(8)]
    loaded: list[str] = []
    load = Suite.load

    def noted(suite: Suite, entry: CaseEntry) -> LoadedCase:
        loaded.append(entry.id)
        return load(suite, entry)

    monkeypatch.setattr(Suite, "load", noted)
    for number, result in enumerate(run_suite(builder.write(), fake("echo"))):
        assert (result.case, result.verdict) == (names[number], "exact")
        assert len(loaded) - number <= 3


def test_what_came_before_a_run_that_cannot_go_on_is_known(
    builder: SuiteBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend_module, "MOST_DEATHS", 2)
    suite = written(builder, "echo", "abort", "abort", "echo")
    found = run_suite(suite, fake("scripted"))
    assert [str(next(found).verdict) for _ in range(3)] == ["exact", "crashed", "crashed"]
    with pytest.raises(BackendError, match="crashed or hung 2 times in a row"):
        next(found)


def test_a_lane_left_at_work_ends_its_worker_and_gives_the_place_back(
    builder: SuiteBuilder, scripted: Backend
) -> None:
    suite = written(builder, "echo", "sleep", "echo")
    with scripted.lane() as lane:
        give(lane, suite)
        assert isinstance(lane.take(), Outputs)
    opened = open_suite(suite)
    first = next(iter(opened.entries.values()))
    assert isinstance(scripted.run(opened.load(first)), Outputs)
