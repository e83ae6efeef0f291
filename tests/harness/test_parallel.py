"""Cases run at the same time, and the results come in the suite's order all the same."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from harness_suites import SuiteBuilder, coded, fake

from onnx_cts_harness import backend as backend_module
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.parallel import in_order
from onnx_cts_harness.record import read_record
from onnx_cts_harness.record_line import case_line
from onnx_cts_harness.recording import RecordWriter
from onnx_cts_harness.run import run_suite, start_run


def suite_of(builder: SuiteBuilder, *acts: str) -> Path:
    """A suite with a case for each act of the scripted fake."""
    for number, text in enumerate(acts):
        value = coded(list(text.encode()), "uint8")
        builder.value(f"{number:02}", [value], [value])
    return builder.write()


def test_results_come_in_order_though_the_first_takes_longest() -> None:
    def work(number: int) -> int:
        time.sleep(0.2 if number == 0 else 0)
        return number

    assert list(in_order(work, range(50), 3)) == list(range(50))


def test_at_most_so_many_work_at_the_same_time() -> None:
    lock, busy, most = threading.Lock(), 0, 0

    def work(_: int) -> None:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        time.sleep(0.02)
        with lock:
            busy -= 1

    list(in_order(work, range(12), 3))
    assert most == 3


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_comes_at_its_place_and_ends_the_work(workers: int) -> None:
    done: list[int] = []

    def all_of_them() -> None:
        done.extend(in_order(lambda number: 1 // (5 - number), range(1000), workers))

    with pytest.raises(ZeroDivisionError):
        all_of_them()
    assert len(done) == 5


def test_the_record_of_parallel_workers_is_in_the_suites_order(
    builder: SuiteBuilder, tmp_path: Path
) -> None:
    acts = ["sleep", *["echo", "raise", "_exit"] * 6]
    suite = suite_of(builder, *acts)
    with (
        start_run(suite, fake("scripted"), workers=3, timeout=1.5) as run,
        RecordWriter(tmp_path / "r.jsonl", run) as record,
    ):
        for result in run.results():
            record.add(result)
    cases = read_record(tmp_path / "r.jsonl").cases
    assert [line["case"] for line in cases] == builder.cases
    assert [line["verdict"] for line in cases] == [
        "timed_out", *["exact", "refused", "crashed"] * 6,
    ]  # fmt: skip


def test_parallel_workers_diagnose_as_one_does() -> None:
    suite = Path(__file__).parents[2] / "generated_tests"
    backend = Path(__file__).parents[1] / "diagnosis" / "deviant.py"
    name = f"{backend}:zero-point-scaled-apart"
    alone, parallel = (
        [case_line(result) for result in run_suite(suite, name, versions=[10], workers=workers)]
        for workers in (1, 3)
    )
    assert parallel == alone
    assert any(line.get("diagnosis") for line in alone)


def test_workers_share_the_count_of_deaths_in_a_row(
    builder: SuiteBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend_module, "MOST_DEATHS", 4)
    suite = suite_of(builder, *["_exit"] * 12)
    with pytest.raises(BackendError, match=r"crashed or hung [4-6] times in a row"):
        list(run_suite(suite, fake("scripted"), workers=3))


def test_ending_a_run_early_ends_every_worker(builder: SuiteBuilder) -> None:
    suite = suite_of(builder, "echo", *["sleep"] * 8)
    deadline = time.monotonic() + 20
    with start_run(suite, fake("scripted"), workers=3) as run:
        found = run.results()
        assert next(found).verdict == "exact"
        while len(workers := set(run.backend._pool._workers)) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.02)
    assert not any(worker.alive for worker in workers)
    assert time.monotonic() < deadline
