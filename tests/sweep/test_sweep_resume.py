"""A sweep that was stopped is gone on with, and leaves the record of one that was not."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from sweeps import DEVIANT, MANY, SMALL, lines_of, started, swept, wait_for_lines

RIGHT = f"{DEVIANT}:right"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a sweep in one go."""
    record = tmp_path_factory.mktemp("whole") / "r.jsonl"
    swept(*MANY, "--record", record)
    return record


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_sweep_that_was_killed_and_resumed_leaves_the_same_bytes(
    whole: Path, tmp_path: Path
) -> None:
    record = tmp_path / "r.jsonl"
    process = started("sweep", *MANY, "--workers", 1, "--record", record)
    wait_for_lines(record, 6)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    part = record.with_name("r.jsonl.part")
    before = part.read_bytes()
    assert before.count(b"\n") < whole.read_bytes().count(b"\n") - 1
    swept(*MANY, "--record", record, "--resume")
    assert record.read_bytes() == whole.read_bytes()
    assert record.read_bytes().startswith(before[: before.rindex(b"\n")])
    assert not part.exists()


def test_a_line_that_was_cut_short_is_done_again(whole: Path, tmp_path: Path) -> None:
    part = tmp_path / "r.jsonl.part"
    part.write_bytes(whole.read_bytes()[:4000])
    swept(*MANY, "--record", tmp_path / "r.jsonl", "--resume")
    assert (tmp_path / "r.jsonl").read_bytes() == whole.read_bytes()


def test_the_record_has_each_block_in_the_order_of_the_plan_and_no_clock(whole: Path) -> None:
    header, *blocks, end = lines_of(whole)
    assert header["sweep"]["blocks"] == len(blocks) == end["blocks"]
    assert header["sweep"]["elements"] == sum(line["elements"] for line in blocks)
    assert set(header) == {
        "kind", "format", "sweep", "backend", "environment", "limits", "harness",
    }  # fmt: skip
    assert len({line["block"] for line in blocks}) == len(blocks)
    for line in blocks:
        assert sum(line["verdicts"].values()) == line["elements"]
        assert sum(line.get("readings", {}).values()) == line["verdicts"].get("open", 0)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((*SMALL, "--backend", f"{DEVIANT}:one-too-many"), "of another backend: deviant:right 1"),
        (
            (*SMALL[:-1], "codes", "--backend", RIGHT),
            "cannot be resumed: it is of another sweep: {",
        ),
        ((*SMALL[:2], 24, *SMALL[3:], "--backend", RIGHT), "it is of another sweep: {"),
    ],
)
def test_another_sweep_or_backend_is_one_clear_error(
    tmp_path: Path, arguments: tuple[object, ...], problem: str
) -> None:
    record = tmp_path / "r.jsonl"
    swept(*SMALL, "--backend", RIGHT, "--record", record)
    done = swept(*arguments, "--record", record, "--resume")
    assert done.status == 2
    assert problem in done.err
    assert len(done.err.splitlines()) == 1


def test_what_is_no_record_of_a_sweep_is_one_clear_error(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    record.write_text('{"kind": "case"}\n')
    done = swept(*SMALL, "--backend", RIGHT, "--record", record, "--resume")
    assert (done.status, len(done.err.splitlines())) == (2, 1)
    assert "line 1: at $.kind: 'case' is not one of ['header', 'block', 'end']" in done.err
