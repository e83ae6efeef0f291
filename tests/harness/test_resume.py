"""A run that was killed leaves an incomplete record, and another run finishes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from harness_suites import SuiteBuilder, coded, fake, tensor

from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.record import read_record
from onnx_cts_harness.record_line import case_line, result_of
from onnx_cts_harness.recording import RecordWriter, Selection
from onnx_cts_harness.run import run_suite, start_run


@pytest.fixture
def suite(builder: SuiteBuilder) -> Path:
    """A suite with a verdict of many kinds."""
    one, two = tensor([1.0]), tensor([2.0])
    builder.value("exact", [one], [one])
    builder.value("wrong", [tensor([3.0])], [one], bounds=(one, two))
    builder.value("nan", [tensor([float("nan")])], [one], bounds=(tensor([float("-inf")]), one))
    for act in ("_exit", "raise", "notrun", "junk"):
        builder.value(act, [coded(list(act.encode()), "uint8")], [one])
    builder.reject("accepted", [one])
    builder.open("open", [one], {"exact": [one]})
    return builder.write()


def record(
    suite: Path, file: Path, backend: str = fake("scripted"), stop: int = 100, **options: Any
) -> list[str]:
    """Record a run that ends before the case with the number ``stop``; the cases that it ran."""
    ran: list[str] = []
    with start_run(suite, backend) as run:
        try:
            with RecordWriter(file, run, **options) as writer:
                known = [result.case for result in writer.known]
                for result in run.results(known=known):
                    if len(ran) == stop:
                        raise KeyboardInterrupt
                    ran.append(result.case)
                    writer.add(result)
        except KeyboardInterrupt:
            pass
    return ran


@pytest.mark.parametrize("stop", range(10))
def test_a_resumed_record_is_that_of_a_run_in_one_go(
    suite: Path, tmp_path: Path, stop: int
) -> None:
    file = tmp_path / "r.jsonl"
    record(suite, tmp_path / "whole.jsonl")
    first = record(suite, file, stop=stop)
    second = record(suite, file, resume=True)
    assert len(first) == min(stop, 9)
    assert len(second) == 9 - len(first)
    assert file.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert not list(tmp_path.glob("*.part"))


def test_a_line_that_was_cut_short_is_run_again(suite: Path, tmp_path: Path) -> None:
    file, part = tmp_path / "r.jsonl", tmp_path / "r.jsonl.part"
    record(suite, tmp_path / "whole.jsonl")
    record(suite, file, stop=4)
    part.write_bytes(part.read_bytes()[:-9])
    assert len(record(suite, file, resume=True)) == 6
    assert file.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_an_incomplete_record_that_was_renamed_is_resumed_too(suite: Path, tmp_path: Path) -> None:
    record(suite, tmp_path / "r.jsonl", stop=4)
    (tmp_path / "r.jsonl.part").rename(tmp_path / "r.jsonl")
    assert len(record(suite, tmp_path / "r.jsonl", resume=True)) == 5
    assert len(read_record(tmp_path / "r.jsonl").cases) == 9


def test_the_line_of_a_case_gives_its_result_back(suite: Path) -> None:
    for result in run_suite(suite, fake("scripted")):
        line = json.loads(json.dumps(case_line(result)))
        assert case_line(result_of(line)) == line
        if result.case.rpartition("_")[2] != "nan":
            assert result_of(line) == result


def test_another_suite_is_one_clear_error(
    suite: Path, tmp_path: Path, builder: SuiteBuilder
) -> None:
    record(suite, tmp_path / "r.jsonl", stop=4)
    builder.value("more", [tensor([1.0])], [tensor([1.0])])
    builder.write()
    with pytest.raises(RecordError, match=r"cannot be resumed: it is of another suite: \w+,"):
        record(suite, tmp_path / "r.jsonl", resume=True)


def test_another_backend_or_version_is_one_clear_error(suite: Path, tmp_path: Path) -> None:
    record(suite, tmp_path / "r.jsonl", stop=4)
    with pytest.raises(RecordError, match=r"of another backend: scripted 1\.0, and this .* echo "):
        record(suite, tmp_path / "r.jsonl", fake("echo"), resume=True)
    newer = tmp_path / "scripted.py"
    newer.write_text(Path(fake("scripted")).read_text().replace('version = "1.0"', 'version = "2"'))
    with pytest.raises(RecordError, match=r"scripted 1\.0, and this run of scripted 2; run with"):
        record(suite, tmp_path / "r.jsonl", str(newer), resume=True)
    assert (tmp_path / "r.jsonl.part").read_text().count("\n") == 5


def test_another_selection_is_one_clear_error(suite: Path, tmp_path: Path) -> None:
    record(suite, tmp_path / "r.jsonl", stop=4, selection=Selection(versions=(21,)))
    with pytest.raises(RecordError, match=r'cases: {"versions": \[21\]}, and this run of all cas'):
        record(suite, tmp_path / "r.jsonl", resume=True)


def test_nothing_to_resume_is_one_clear_error(suite: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no record to resume; run without --resume"):
        record(suite, tmp_path / "r.jsonl", resume=True)
    (tmp_path / "r.jsonl.part").write_text("")
    with pytest.raises(RecordError, match="there is nothing in it to resume; run it again"):
        record(suite, tmp_path / "r.jsonl", resume=True)


def test_a_record_of_which_only_the_part_is_there_is_incomplete(
    suite: Path, tmp_path: Path
) -> None:
    record(suite, tmp_path / "r.jsonl", stop=4)
    with pytest.raises(RecordError, match=r"r\.jsonl: incomplete: the run ended before"):
        read_record(tmp_path / "r.jsonl")


def test_a_record_that_is_complete_remains_as_it_is(suite: Path, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    record(suite, file)
    before = file.read_bytes()
    assert record(suite, file, resume=True) == []
    assert file.read_bytes() == before


def test_the_header_says_what_was_selected_and_allowed(suite: Path, tmp_path: Path) -> None:
    selection = Selection(("Identity",), (21,), ("subnormal",))
    with (
        start_run(suite, fake("echo"), timeout=5, memory=4096) as run,
        RecordWriter(tmp_path / "r.jsonl", run, selection) as writer,
    ):
        for result in run.results(*selection.named().values()):
            writer.add(result)
    header = read_record(tmp_path / "r.jsonl").header
    assert header["limits"] == {"timeout": 5, "memory": 4096}
    assert header["selection"] == {
        "operators": ["Identity"], "versions": [21], "without": ["subnormal"],
    }  # fmt: skip
