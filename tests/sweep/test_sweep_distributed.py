"""Sweeps and suites from many processes are those of one, whatever happens to a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from command_line import files_in, onnx_cts
from sweeps import MANY, SMALL, swept, wait_for_lines

from onnx_cts_generator import scheduling

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a sweep in one process."""
    record = tmp_path_factory.mktemp("whole") / "r.jsonl"
    swept(*MANY, "--record", record)
    return record


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A scheduler, and three worker processes that it starts again when they end."""
    options = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=3, processes=True, **options) as cluster:
        yield cluster


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_the_blocks_of_a_killed_worker_are_done_again(
    whole: Path, cluster: Any, tmp_path: Path
) -> None:
    record = tmp_path / "r.jsonl"
    with distributed.Client(cluster, set_as_default=False) as client:
        pids = list(client.run(os.getpid).values())

    def kill() -> None:
        wait_for_lines(record, 6)
        os.kill(pids[0], signal.SIGKILL)

    assert len(set(pids)) == 3
    killer = Thread(target=kill)
    killer.start()
    done = swept(*MANY, "--record", record, "--scheduler", cluster.scheduler_address)
    killer.join()
    assert (done.status, done.err) == (1, "")
    assert record.read_bytes() == whole.read_bytes()
    with distributed.Client(cluster, set_as_default=False) as client:
        assert pids[0] not in client.run(os.getpid).values()


def test_of_many_things_each_is_done_once_and_they_stay_in_order(cluster: Any) -> None:
    with scheduling.workers_at(cluster.scheduler_address, 1) as workers:
        assert list(workers.in_order(abs, range(-1000, 0))) == list(range(1000, 0, -1))
        assert list(workers.in_order(abs, [-1])) == [1]
        assert list(workers.in_order(abs, [])) == []


def test_a_suite_from_a_cluster_has_the_bytes_of_one_from_this_process(
    cluster: Any, tmp_path: Path
) -> None:
    options = ("--operator", "DequantizeLinear", "--version", 10, "--version", 13)
    address = ("--scheduler", cluster.scheduler_address)
    assert onnx_cts("generate", "--out", tmp_path / "one", *options).status == 0
    assert onnx_cts("generate", "--out", tmp_path / "many", *options, *address).status == 0
    assert files_in(tmp_path / "one") == files_in(tmp_path / "many")
    assert (
        onnx_cts("generate", "--out", tmp_path / "one", "--check", *options, *address).status == 0
    )


def test_several_processes_of_this_machine_leave_the_same_record(
    whole: Path, tmp_path: Path
) -> None:
    swept(*MANY, "--record", tmp_path / "r.jsonl", workers=2)
    assert (tmp_path / "r.jsonl").read_bytes() == whole.read_bytes()


def test_a_backend_that_the_workers_cannot_start_is_one_clear_error(
    cluster: Any, tmp_path: Path
) -> None:
    adapter = tmp_path / "broken.py"
    adapter.write_text("raise ImportError('no such runtime')\n")
    address = ("--scheduler", cluster.scheduler_address)
    done = swept(*SMALL, "--backend", adapter, *address)
    assert done.status == 2
    assert done.err.startswith("onnx-cts: backend 'broken' could not be started: ImportError: no s")
    assert len(done.err.splitlines()) == 1


def test_no_backend_outlives_a_sweep_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    swept(*SMALL, "--backend", MANY[-1], "--scheduler", cluster.scheduler_address)
    with distributed.Client(cluster, set_as_default=False) as client:
        assert set(client.run(_backends).values()) == {0}


def _backends() -> int:
    from onnx_cts_generator.sweep.work import _backends

    return len(_backends)


def test_a_scheduler_that_is_not_there_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduling, "PATIENCE", 0.2)
    done = swept(*SMALL, "--backend", MANY[-1], "--scheduler", "tcp://127.0.0.1:9")
    assert (done.status, len(done.err.splitlines())) == (2, 1)
    assert "there is no scheduler at tcp://127.0.0.1:9" in done.err


def test_without_the_extra_one_process_does_it_and_more_are_one_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduling, "has_distributed", lambda: False)
    monkeypatch.setattr(scheduling, "processors", lambda: 2)
    alone = onnx_cts("sweep", *SMALL, "--backend", MANY[-1])
    assert "17,920 elements: 17," in alone.out
    assert "in one process, since more of them need dask: pip install 'onnx-cts[dist" in alone.err
    done = swept(*SMALL, "--backend", MANY[-1], workers=2)
    assert done.status == 2
    assert "more than one process needs dask: pip install 'onnx-cts[distributed]'" in done.err


def test_dask_is_not_imported_where_one_process_does_it() -> None:
    program = (
        "import sys\n"
        "from onnx_cts_generator.scheduling import workers_at\n"
        "with workers_at(None, 1) as workers:\n"
        "    assert list(workers.in_order(abs, [-1, 2])) == [1, 2]\n"
        "sys.exit('distributed' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
