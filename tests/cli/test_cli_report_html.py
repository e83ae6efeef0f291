from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import REFUSES, RETURNS_ITS_INPUT, onnx_cts
from html_pages import Page, data_of
from record_files import HOSTILE

from onnx_cts_harness import open_suite


def run(suite: Path, backend: str, file: Path, *options: object) -> Path:
    """The record of a run."""
    done = onnx_cts("run", backend, "--suite", suite, "--exit-zero", "--record", file, *options)
    assert done.status == 0
    return file


@pytest.fixture(scope="module")
def ran(suite_10: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The records of a backend that is wrong and of one that refuses everything."""
    folder = tmp_path_factory.mktemp("records")
    return (
        run(suite_10, RETURNS_ITS_INPUT, folder / "wrong.jsonl"),
        run(suite_10, REFUSES, folder / "refuses.jsonl"),
    )


def page(suite: Path, *records: Path) -> str:
    done = onnx_cts("report", *records, "--suite", suite, "--html", "-")
    assert done.status == 0
    return done.out


def changed(file: Path, out: Path, change: Any) -> Path:
    """A record with every line changed."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for row in rows:
        change(row)
    out.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return out


def test_a_backend_says_what_it_was_run_on(
    suite_10: Path, ran: tuple[Path, Path], tmp_path: Path
) -> None:
    part = run(suite_10, REFUSES, tmp_path / "part.jsonl", "--without", "subnormal")
    backends = data_of(page(suite_10, ran[0], part)).index["backends"]
    assert sorted(one["chosen"] for one in backends) == ["", "without subnormal"]


def test_each_case_of_the_suite_has_a_verdict_of_each_backend(
    suite_10: Path, ran: tuple[Path, Path]
) -> None:
    verdicts = data_of(page(suite_10, *ran)).verdicts
    names = [entry.rpartition("/")[2] for entry in open_suite(suite_10).entries]
    assert [list(cases) for cases in verdicts.values()] == [names, names]
    recorded = [json.loads(line) for line in ran[0].read_text("utf-8").splitlines()[1:-1]]
    (shown,) = (cases for title, cases in verdicts.items() if title.startswith("returns"))
    assert shown == {
        row["case"].rpartition("/")[2]: row["verdict"].replace("_", " ") for row in recorded
    }


def test_each_case_has_its_model_and_its_tensors(suite_10: Path, ran: tuple[Path, Path]) -> None:
    (version,) = data_of(page(suite_10, ran[0])).versions
    suite = open_suite(suite_10)
    for entry, shown in zip(suite.entries.values(), version["cases"], strict=True):
        loaded = suite.load(entry)
        tensors = {t[0]: (t[1], tuple(t[2]), bytes.fromhex(t[3])) for t in shown["inputs"]}
        assert tensors == {
            name: (t.code, t.shape, t.data)
            for name, t in zip(loaded.case.inputs, loaded.inputs, strict=True)
        }
        assert len(shown.get("outputs", ())) == len(loaded.expected)
        assert set(shown.get("readings", {})) == set(loaded.readings)
        lines = [version["texts"][line] for line in shown["model"]]
        assert any("DequantizeLinear" in line for line in lines)


def test_the_text_of_a_model_is_the_model_or_its_bytes_are_there(
    suite_10: Path, ran: tuple[Path, Path]
) -> None:
    from base64 import b64decode

    import onnx.parser

    (version,) = data_of(page(suite_10, ran[0])).versions
    suite = open_suite(suite_10)
    by_text = 0
    for entry, shown in zip(suite.entries.values(), version["cases"], strict=True):
        if "bytes" in shown:
            model = b64decode(shown["bytes"])
        else:
            text = "\n".join(version["texts"][line] for line in shown["model"])
            model = onnx.parser.parse_model(text).SerializeToString()
            by_text += 1
        assert model == suite.load(entry).model
    assert by_text > len(suite.entries) / 2


def test_each_rule_has_its_sentence(suite_10: Path, ran: tuple[Path, Path]) -> None:
    index = data_of(page(suite_10, ran[0])).index
    (version,) = index["versions"]
    says = {
        name: index["texts"][rule["says"]] for name, rule in version["standard"]["rules"].items()
    }
    assert says["zero-point-type"] == "'x_zero_point' and 'x' must have same type."


def test_the_same_records_give_the_same_bytes_in_whatever_order(
    suite_10: Path, ran: tuple[Path, Path]
) -> None:
    assert page(suite_10, *ran) == page(suite_10, *reversed(ran))


def test_shards_give_what_one_run_gives(
    suite_10: Path, ran: tuple[Path, Path], tmp_path: Path
) -> None:
    shards = [run(suite_10, REFUSES, tmp_path / f"{i}.jsonl", "--shard", f"{i}/2") for i in (1, 2)]
    assert page(suite_10, *shards) == page(suite_10, ran[1])


def test_nothing_is_loaded_and_nothing_but_the_script_of_the_page_runs(
    suite_10: Path, ran: tuple[Path, Path]
) -> None:
    read = Page(page(suite_10, *ran))
    assert {"img", "link", "iframe", "object"}.isdisjoint(read.tags)
    assert not [value for name, value in read.attributes if name in {"src", "onload", "onclick"}]
    policy = next(v for n, v in read.attributes if n == "content" and v and "script-src" in v)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_hostile_text_is_in_the_data_alone(
    suite_10: Path, ran: tuple[Path, Path], tmp_path: Path
) -> None:
    def hostile(row: dict[str, Any]) -> None:
        if row["kind"] == "header":
            row["backend"] |= {"name": HOSTILE, "version": HOSTILE}
        elif row["kind"] == "case":
            row |= {"message": HOSTILE, "stderr": [HOSTILE]}

    plain = Page(page(suite_10, ran[1]))
    text = page(suite_10, changed(ran[1], tmp_path / "r.jsonl", hostile))
    read = Page(text)
    assert "alert(" not in text
    assert (read.tags, read.scripts[""]) == (plain.tags, plain.scripts[""])
    assert "alert(" in data_of(text).said(0, data_of(text).index["cases"]["name"][0])


def test_nan_and_infinities_are_shown(
    suite_10: Path, ran: tuple[Path, Path], tmp_path: Path
) -> None:
    def not_numbers(row: dict[str, Any]) -> None:
        if row.get("verdict") == "wrong_value":
            row |= {"expected": "-Infinity", "permitted": ["-Infinity", 1, "NaN"], "got": "NaN"}

    file = run(suite_10, RETURNS_ITS_INPUT, tmp_path / "r.jsonl")
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    index = data_of(page(suite_10, changed(file, tmp_path / "s.jsonl", not_numbers))).index
    more = index["results"][0]["more"].values()
    wrong = [one for one in more if "got" in one]
    assert len(wrong) == sum(row.get("verdict") == "wrong_value" for row in rows)
    assert all((one["got"], one["expected"]) == ("NaN", "-Infinity") for one in wrong)


def test_a_record_that_was_cut_off_is_marked(
    suite_10: Path, ran: tuple[Path, Path], tmp_path: Path
) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text("".join(ran[1].read_text("utf-8").splitlines(keepends=True)[:4]))
    done = onnx_cts("report", file, "--suite", suite_10, "--html", tmp_path / "r.html")
    lack = "the record is cut off after 3 cases"
    assert done.err.endswith(f": {lack}; the report says so\n")
    shown = data_of((tmp_path / "r.html").read_text("utf-8"))
    assert shown.index["backends"][0]["lacks"] == [lack]
    (verdicts,) = shown.verdicts.values()
    assert list(verdicts.values()).count("not run") == len(verdicts) - 3


def test_a_suite_that_the_records_are_not_of_is_one_line(
    suite_10: Path, own_suite_10: Path, ran: tuple[Path, Path]
) -> None:
    manifest = own_suite_10 / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8") + "\n", "utf-8")
    theirs = open_suite(suite_10).hash[:12]
    ours = open_suite(own_suite_10).hash[:12]
    done = onnx_cts("report", ran[0], "--suite", own_suite_10, "--html", "-")
    assert done.complaint == (
        f"the records are of the suite {theirs}, and {own_suite_10} is {ours}; "
        "name theirs by --suite"
    )


def test_a_case_that_the_suite_lacks_is_one_line(
    suite_10: Path, ran: tuple[Path, Path], tmp_path: Path
) -> None:
    def renamed(row: dict[str, Any]) -> None:
        if row["kind"] == "case" and row["case"].endswith("test_int8_per_tensor"):
            row["case"] += "_x"

    file = changed(ran[1], tmp_path / "r.jsonl", renamed)
    complaint = onnx_cts("report", file, "--suite", suite_10, "--html", "-").complaint
    assert (
        "the suite has no case ai.onnx/DequantizeLinear/v10/test_int8_per_tensor_x; " in complaint
    )


def test_a_folder_in_the_classic_layout_has_a_report_too(suite_10: Path, tmp_path: Path) -> None:
    folder = tmp_path / "classic"
    source = suite_10 / "ai.onnx" / "DequantizeLinear" / "v10" / "test_int8_per_tensor"
    shutil.copytree(source, folder / source.name)
    (folder / source.name / "case.json").unlink()
    shutil.copytree(folder / source.name, folder / "test_broken")
    (folder / "test_broken" / "model.onnx").write_bytes(b"no model")
    file = run_of_broken(folder, tmp_path / "r.jsonl")
    shown = data_of(page(folder, file))
    assert dict.fromkeys(shown.index["cases"]["name"]).keys() == {"test_broken", source.name}
    unread = [one["unread"] for v in shown.versions for one in v["cases"] if "unread" in one]
    assert len(unread) == 1


def run_of_broken(folder: Path, file: Path) -> Path:
    """The record of a run with a case that cannot be read, which is not the backend's fault."""
    onnx_cts("run", RETURNS_ITS_INPUT, "--suite", folder, "--record", file)
    return file


def test_a_suite_is_named_for_html_alone(ran: tuple[Path, Path], suite_10: Path) -> None:
    done = onnx_cts("report", ran[0], "--suite", suite_10, "--json", "-")
    assert (done.status, done.out) == (2, "")
    assert "--suite goes with --html" in done.err
