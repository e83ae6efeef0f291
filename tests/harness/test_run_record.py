"""The run record is strict JSON Lines by its schema, and is complete or says that it is not."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from harness_suites import SuiteBuilder, coded, fake, tensor
from jsonschema import Draft202012Validator

from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.record import read_record
from onnx_cts_harness.recording import RecordWriter
from onnx_cts_harness.run import Run, start_run
from onnx_cts_harness.schema import schema_path

NAN = math.nan


def schema(name: str) -> Any:
    """A published schema."""
    return json.loads(schema_path(name).read_text("utf-8"))


@pytest.fixture
def run(builder: SuiteBuilder) -> Any:
    """A run with a verdict of many kinds."""
    one = tensor([1.0])
    builder.value("exact", [one], [one])
    builder.value("wrong", [tensor([3.0])], [one], bounds=(one, tensor([2.0])))
    builder.value("nan", [tensor([NAN])], [one], bounds=(tensor([-math.inf]), one))
    builder.value("crash", [coded(list(b"_exit"), "uint8")], [one])
    builder.value("raise", [coded(list(b"raise"), "uint8")], [one])
    builder.reject("accepted", [one])
    builder.open("open", [one], {"exact": [one]})
    with start_run(builder.write(), fake("scripted")) as started:
        yield started


def write(run: Run, file: Path) -> list[dict[str, Any]]:
    """Record a run; returns the lines as strict JSON has them."""
    with RecordWriter(file, run) as record:
        for result in run.results():
            record.add(result)
    return [json.loads(line, parse_constant=pytest.fail) for line in file.read_text().splitlines()]


def test_each_line_is_valid_by_the_schema(run: Run, tmp_path: Path) -> None:
    lines = write(run, tmp_path / "deep" / "r.jsonl")
    validator = Draft202012Validator(schema("record"))
    for line in lines:
        validator.validate(line)
    assert [line["kind"] for line in lines] == ["header", *["case"] * 7, "end"]
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("name", ["manifest", "case", "record"])
def test_the_schemas_are_valid(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))


def test_the_header_says_what_was_run_on_what(run: Run, tmp_path: Path) -> None:
    header = write(run, tmp_path / "r.jsonl")[0]
    assert header["suite"] == {"hash": run.suite.hash, "cases": 7, "levels": ["core"]}
    assert header["backend"] == {"name": "scripted", "variant": None, "version": "1.0"}
    assert set(header["environment"]) == {"python", "platform", "machine", "packages"}


def test_a_case_says_the_worst_element(run: Run, tmp_path: Path) -> None:
    lines = {line.get("case", "").rpartition("_")[2]: line for line in write(run, tmp_path / "r")}
    wrong = lines["wrong"]
    assert wrong["verdict"] == "wrong_value"
    assert (wrong["output"], wrong["element"]) == ("y", [0])
    assert (wrong["expected"], wrong["permitted"], wrong["got"]) == (1.0, [1.0, 2.0], 3.0)
    assert (wrong["ulp"], wrong["wrong"], wrong["elements"]) == (4194304, 1, 1)
    assert lines["nan"]["got"] == "NaN"
    assert lines["nan"]["permitted"] == ["-Infinity", 1.0]
    assert "ulp" not in lines["nan"]
    assert lines["raise"]["stage"] == "run"
    assert lines["accepted"]["rule"] == "some-rule"
    assert lines["open"]["reading"] == "exact"


def test_a_complete_record_is_read_back(run: Run, tmp_path: Path) -> None:
    lines = write(run, tmp_path / "r.jsonl")
    record = read_record(tmp_path / "r.jsonl")
    assert [record.header, *record.cases] == lines[:-1]
    assert record.verdicts == {
        "exact": 1, "wrong_value": 2, "crashed": 1, "refused": 1, "accepted_invalid": 1, "open": 1,
    }  # fmt: skip


def test_an_interrupted_run_leaves_a_part_without_the_closing_line(
    run: Run, tmp_path: Path
) -> None:
    def interrupted() -> None:
        with RecordWriter(tmp_path / "r.jsonl", run) as record:
            record.add(next(iter(run.results())))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not (tmp_path / "r.jsonl").exists()
    part = tmp_path / "r.jsonl.part"
    assert [json.loads(line)["kind"] for line in part.read_text().splitlines()] == [
        "header",
        "case",
    ]
    with pytest.raises(RecordError, match="incomplete"):
        read_record(part)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda text: "", "incomplete"),
        (lambda text: text[:-1], "incomplete"),
        (lambda text: text[: len(text) // 2], "incomplete"),
        (lambda text: "".join(text.splitlines(keepends=True)[:-1]), "incomplete"),
        (lambda text: text.replace('"cases": 7, "verdicts"', '"cases": 8, "verdicts"'), "incompl"),
        (lambda text: text.partition("\n")[2], "the first line is not a header"),
        (lambda text: "{}\n" + text, "line 1: at .: 'kind' is a required property"),
        (lambda text: "hello\n", "line 1: not valid JSON"),
        (
            lambda text: text.replace('"format": 1', '"format": 2'),
            "a record of format 2, and this .* reads format 1; ",
        ),
    ],
)
def test_what_is_no_complete_record_is_refused(
    run: Run, tmp_path: Path, spoil: Any, says: str
) -> None:
    file = tmp_path / "r.jsonl"
    write(run, file)
    file.write_text(spoil(file.read_text()))
    with pytest.raises(RecordError, match=says) as caught:
        read_record(file)
    assert str(caught.value).startswith(str(file))


def test_a_record_that_cannot_be_written_gives_one_clear_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot be written"):
        RecordWriter(tmp_path / "file" / "r.jsonl", run)
