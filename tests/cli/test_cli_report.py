from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from command_line import RETURNS_ITS_INPUT, Finished, files_in, onnx_cts
from record_files import HOSTILE, Verdicts, header, lines, record, wrong

CASES: Verdicts = {
    "Op/v10/test_a": "exact",
    "Op/v10/test_b": wrong(diagnosis=["zero-point-ignored"]),
    "Op/v10/reject_c": {"verdict": "accepted_invalid", "rule": "some-rule"},
    "Op/v9/test_d": {"verdict": "refused", "stage": "load", "message": "no kernel 3"},
    "Other/v21/open_e": {"verdict": "open", "rule": "a-question", "reading": "exact"},
    "Other/v21/test_f": {"verdict": "harness_error", "message": "changed"},
}

WRONG = "y[0]: expected 1.5, got 2.5, 7 ULP off, 1 of 4 wrong"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A record with a verdict of many kinds."""
    return record(tmp_path / "r.jsonl", CASES)


def shown(format_option: str, *records: Path) -> str:
    done = onnx_cts("report", *records, format_option, "-")
    assert (done.status, done.err) == (0, "")
    return done.out


def complaint(*records: Path) -> str:
    return onnx_cts("report", *records, "--json", "-").complaint


def test_the_table_has_a_row_for_each_backend_and_operator(file: Path, tmp_path: Path) -> None:
    second = record(tmp_path / "s.jsonl", {"Op/v10/test_a": "permitted"}, header("beta", "2"))
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in shown("--markdown", file, second).split("\n## ")[0].splitlines()
        if line.startswith("|")
    ]
    head, _, *body = rows
    counts = [{k: v for k, v in zip(head, row, strict=True) if v} for row in body]
    assert counts == [
        {"backend": "beta 2", "operator": "Op", "permitted": "1", "cases": "1"},
        {"backend": "runtime 1.0", "operator": "Op", "exact": "1", "refused": "1", "wrong": "1",
         "accepted invalid": "1", "cases": "4"},
        {"backend": "runtime 1.0", "operator": "Other", "open": "1", "harness error": "1",
         "cases": "2"},
    ]  # fmt: skip


def test_the_page_says_what_failed_and_how(file: Path) -> None:
    page = shown("--markdown", file)
    assert (
        "- Op: wrong value, zero-point-ignored: 1 case.\n"
        "  - Op/v10/test\\_b: y\\[0\\]: expected 1.5, got 2.5, 7 ULP off, 1 of 4 wrong "
        "\\[zero-point-ignored\\]\n"
    ) in page
    assert "- Op: accepted invalid, some-rule: 1 case.\n" in page
    assert "- Op: refused, at load, no kernel 3: 1 case.\n  - Op/v9/test\\_d\n" in page
    assert "These say nothing of the backend: 1 case.\n\n- Other/v21/test\\_f: changed\n" in page
    assert "| a-question | exact | 1 |" in page


def test_refusals_that_differ_in_numbers_alone_are_one(tmp_path: Path) -> None:
    said = {f"Op/v{v}/test_a": {"verdict": "refused", "message": f"no Op({v})"} for v in (9, 10)}
    page = shown("--markdown", record(tmp_path / "r.jsonl", said))
    assert "- Op: refused, no Op(…): 2 cases.\n" in page


def test_the_page_says_if_not_the_whole_suite_was_run(tmp_path: Path) -> None:
    head = header(selection={"versions": [10], "without": ["subnormal"]})
    page = shown("--markdown", record(tmp_path / "r.jsonl", {"Op/v10/test_a": "exact"}, head))
    assert "runtime 1.0: 1 of 6 cases are in the records (versions 10; without subnormal)." in page


def test_a_page_fits_the_summary_of_a_step(tmp_path: Path) -> None:
    cases = {
        f"Op{i}/v10/test_a": {"verdict": "crashed", "message": f"{'ü' * 290}{i}"}
        for i in range(3000)
    }
    page = shown("--markdown", record(tmp_path / "r.jsonl", cases))
    assert 1_000_000 < len(page.encode()) <= 1024 * 1024
    assert page.endswith("JSON has all of it.\n")


def test_junit_has_a_test_for_each_case(file: Path) -> None:
    root = ET.fromstring(shown("--junit", file))
    (suite,) = root.findall("testsuite")
    assert (root.tag, suite.get("name")) == ("testsuites", "runtime 1.0")
    counts = {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "6", "failures": "2", "errors": "1", "skipped": "1"}
    told = {
        (test.get("classname"), test.get("name")): [(e.tag, e.get("message")) for e in test]
        for test in suite
    }
    assert told == {
        ("runtime.Op.v9", "Op/v9/test_d"): [("skipped", "refused: at load no kernel 3")],
        ("runtime.Op.v10", "Op/v10/reject_c"): [("failure", "accepted_invalid (rule some-rule)")],
        ("runtime.Op.v10", "Op/v10/test_a"): [],
        ("runtime.Op.v10", "Op/v10/test_b"): [
            (
                "failure",
                f"wrong_value: {WRONG} [zero-point-ignored]",
            )
        ],
        ("runtime.Other.v21", "Other/v21/open_e"): [],
        ("runtime.Other.v21", "Other/v21/test_f"): [("error", "harness_error: changed")],
    }


def test_junit_tells_two_versions_of_a_backend_apart(file: Path, tmp_path: Path) -> None:
    second = record(tmp_path / "s.jsonl", CASES, header(version="2.0"))
    tests = ET.fromstring(shown("--junit", file, second)).iter("testcase")
    names = [(test.get("classname"), test.get("name")) for test in tests]
    assert len(names) == len(set(names)) == 12
    assert ("runtime 2_0.Op.v9", "Op/v9/test_d") in names


@pytest.mark.parametrize(
    ("cases", "message", "color"),
    [
        (["exact", "permitted", "rejected", "open"], "3 right", "brightgreen"),
        (["exact", "refused", "not_runnable"], "1 right, 2 unsupported", "green"),
        (["exact", "crashed"], "1 right, 1 wrong", "red"),
        (["refused"], "1 unsupported", "lightgrey"),
        (["exact", "harness_error"], "1 right, 1 not judged", "lightgrey"),
        (["wrong_type", "harness_error"], "1 wrong, 1 not judged", "red"),
        (["open"], "nothing tested", "lightgrey"),
    ],
)
def test_a_badge_says_how_much_is_right(
    tmp_path: Path, cases: list[str], message: str, color: str
) -> None:
    named = {f"Op/v10/test_{i}": verdict for i, verdict in enumerate(cases)}
    file = record(tmp_path / "r.jsonl", named)
    assert onnx_cts("report", file, "--badge", tmp_path / "badges").status == 0
    assert json.loads((tmp_path / "badges" / "runtime" / "Op.json").read_text("utf-8")) == {
        "schemaVersion": 1,
        "label": "ONNX Op",
        "message": message,
        "color": color,
    }


def test_there_is_a_badge_for_each_backend_and_operator(file: Path, tmp_path: Path) -> None:
    backend = {"name": "../../x", "variant": "fast", "version": "1"}
    head = header(backend=backend, selection={"versions": [10]})
    second = record(tmp_path / "s.jsonl", {"Op/v10/test_a": "exact"}, head)
    onnx_cts("report", file, second, "--badge", tmp_path / "badges")
    badges = files_in(tmp_path / "badges")
    assert set(badges) == {"runtime/Op.json", "runtime/Other.json", "x-fast/Op.json"}
    assert json.loads(badges["x-fast/Op.json"])["message"] == "1 right (selected cases)"


def test_two_badges_of_one_file_are_one_line(file: Path, tmp_path: Path) -> None:
    second = record(tmp_path / "s.jsonl", CASES, header(version="2.0"))
    done = onnx_cts("report", file, second, "--badge", tmp_path / "badges")
    assert done.complaint.startswith("two badges have the file runtime/Op.json: ")
    assert not (tmp_path / "badges").exists()


def test_json_has_the_counts_and_the_causes(file: Path) -> None:
    data = json.loads(shown("--json", file), parse_constant=pytest.fail)
    (backend,) = data["backends"]
    assert (data["suite"]["cases"], backend["name"], backend["complete"]) == (6, "runtime", True)
    assert backend["operators"] == [
        {"operator": "Op", "version": 9, "verdicts": {"refused": 1}},
        {
            "operator": "Op",
            "version": 10,
            "verdicts": {"exact": 1, "wrong_value": 1, "accepted_invalid": 1},
        },
        {"operator": "Other", "version": 21, "verdicts": {"open": 1, "harness_error": 1}},
    ]
    assert [group["cause"] for group in backend["failures"]] == ["some-rule", "zero-point-ignored"]
    assert [group["cause"] for group in backend["refusals"]] == ["at load, no kernel 3"]
    assert backend["readings"] == {"a-question": {"exact": 1}}


def test_one_operator_alone_is_reported(file: Path) -> None:
    done = onnx_cts("report", file, "--operator", "Other", "--json", "-")
    (backend,) = json.loads(done.out)["backends"]
    assert backend["verdicts"] == {"open": 1, "harness_error": 1}
    done = onnx_cts("report", file, "--operator", "Opp", "--json", "-")
    assert done.complaint == "the records have no case of operator Opp; they have Op, Other"


@pytest.mark.parametrize("option", ["--markdown", "--junit", "--json"])
def test_the_same_records_give_the_same_bytes_in_whatever_order(
    tmp_path: Path, option: str
) -> None:
    first = record(tmp_path / "a.jsonl", CASES)
    turned = record(tmp_path / "b.jsonl", dict(reversed(CASES.items())))
    second = record(tmp_path / "c.jsonl", CASES, header("beta"))
    assert shown(option, first, second) == shown(option, second, turned)


@pytest.mark.parametrize("option", ["--markdown", "--junit", "--json"])
def test_hostile_text_is_text(tmp_path: Path, option: str) -> None:
    hostile: dict[str, Any] = {"verdict": "crashed", "message": HOSTILE, "stderr": [HOSTILE]}
    backend = {"name": HOSTILE, "variant": HOSTILE, "version": HOSTILE}
    said: Verdicts = {f"Op/v10/{HOSTILE}": hostile, "Op/v10/test_a": wrong(output=HOSTILE)}
    text = shown(option, record(tmp_path / "r.jsonl", said, header(backend=backend)))
    assert max(map(len, text.splitlines())) < 3000
    assert "\u202e" not in text
    assert "\0" not in text
    if option == "--junit":
        tags = {element.tag for element in ET.fromstring(text).iter()}
        assert tags == {"testsuites", "testsuite", "testcase", "failure"}
    elif option == "--markdown":
        assert not re.search(r"(?<!\\)[<`]|(?<!\\)\[", text.replace("`aaaaaaaa`", ""))
    else:
        json.loads(text, parse_constant=pytest.fail)


def test_nan_and_infinities_are_shown(tmp_path: Path) -> None:
    said = wrong(expected="-Infinity", permitted=["-Infinity", 1.0, "NaN"], got="NaN")
    file = record(tmp_path / "r.jsonl", {"Op/v10/test_a": said})
    expected = "y[0]: expected -inf (permitted -inf to 1 or nan), got nan"
    assert (
        expected
        in json.loads(shown("--json", file))["backends"][0]["failures"][0]["cases"][0]["said"]
    )
    assert expected in shown("--junit", file)


def test_a_record_that_was_cut_off_is_marked(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    rows = lines(CASES, header())
    file.with_name("r.jsonl.part").write_text("".join(rows[:4]) + rows[4][:30])
    done = onnx_cts(
        "report", file, "--markdown", tmp_path / "m", "--junit", tmp_path / "j",
        "--badge", tmp_path / "b", "--json", tmp_path / "d",
    )  # fmt: skip
    lack = "the record is cut off after 3 cases"
    assert (done.status, done.out) == (0, "")
    assert done.err == f"onnx-cts: runtime 1.0: {lack}; the report says so\n"
    page = (tmp_path / "m").read_text("utf-8")
    assert f"**Incomplete**: runtime 1.0: {lack}.\n" in page
    assert "runtime 1.0: 3 of 6 cases are in the records." in page
    suite = ET.parse(tmp_path / "j").getroot()[0]
    assert (suite.get("tests"), suite.get("errors")) == ("4", "1")
    assert [e.get("message") for e in suite.iter("error")] == [f"{lack}; run it again"]
    badge = json.loads((tmp_path / "b" / "runtime" / "Op.json").read_text("utf-8"))
    assert (badge["message"], badge["color"]) == ("incomplete", "lightgrey")
    (backend,) = json.loads((tmp_path / "d").read_text("utf-8"))["backends"]
    assert (backend["complete"], backend["lacks"]) == (False, [lack])


def sharded(folder: Path, count: int) -> list[Path]:
    """The records of the shards of one run."""
    return [
        record(
            folder / f"shard{i}.jsonl",
            dict(list(CASES.items())[i - 1 :: count]),
            header(selection={"shard": f"{i}/{count}"}),
        )
        for i in range(1, count + 1)
    ]


@pytest.mark.parametrize("option", ["--markdown", "--junit", "--json"])
def test_shards_give_what_one_run_gives(file: Path, tmp_path: Path, option: str) -> None:
    shards = sharded(tmp_path, 3)
    assert shown(option, *shards) == shown(option, *reversed(shards)) == shown(option, file)


def test_a_shard_that_is_missing_is_marked(tmp_path: Path) -> None:
    shards = sharded(tmp_path, 3)
    done = onnx_cts("report", shards[0], shards[2], "--json", "-")
    assert json.loads(done.out)["backends"][0]["lacks"] == ["shard 2/3 is missing"]
    assert done.err == "onnx-cts: runtime 1.0: shard 2/3 is missing; the report says so\n"


def test_records_that_do_not_go_together_are_one_line(file: Path, tmp_path: Path) -> None:
    other = header("beta", suite={"hash": "b" * 64, "cases": 6, "levels": ["core"]})
    second = record(tmp_path / "s.jsonl", CASES, other)
    assert complaint(file, second) == (
        f"{second}: it is of the suite bbbbbbbbbbbb, and {file} of aaaaaaaaaaaa; "
        "report on each suite by itself"
    )
    apart = "name one record of each backend, or the shards of one run"
    again = record(tmp_path / "t.jsonl", CASES)
    assert complaint(file, again) == f"{again}: runtime 1.0 is in {file} already; {apart}"
    shards = sharded(tmp_path, 3)
    assert complaint(file, shards[1]) == (
        f"{shards[1]}: it is of runtime 1.0 as {file} is, but not a shard of the same run; {apart}"
    )
    twice = record(tmp_path / "u.jsonl", CASES, header(selection={"shard": "2/3"}))
    assert complaint(shards[0], twice) == (
        f"{twice}: the case Op/v10/test_a is in {shards[0]} already; run the shards again"
    )


@pytest.mark.parametrize(
    ("row", "spoilt", "says"),
    [
        (0, ('"format": 1', '"format": 2'), "it is a record of format 2, and this onnx-cts reads"),
        (0, ('"kind": "header"', '"kind": "footer"'), "line 1: at $.kind: "),
        (0, ('"harness"', '"selection": {"shard": "4/3"}, "harness"'), "there is no shard 4/3"),
        (2, ('"Op/v10/test_b"', '"Op/v10/test_a"'), "line 3: the case Op/v10/test_a is in line 2"),
        (2, ('"got": 2.5', '"got": NaN'), "line 3: not valid JSON: NaN is no number of JSON"),
        (2, ('"got": 2.5', '"got": ' + "[" * 99999), "line 3: not valid JSON: "),
        (3, ("some-rule", "\udcff"), "line 4: not valid JSON: 'utf-8' codec can't decode"),
        (4, ("refused", "refuted"), "line 5: at $.verdict: 'refuted' is not one of"),
        (5, ('verdict": "open', 'verdict": "exact'), "incomplete: its 6 cases are not the 6 that"),
        (7, ('"cases": 6', '"cases": 7'), "incomplete: its 6 cases are not the 7 that its closing"),
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_trusted_is_one_line(
    tmp_path: Path, row: int, spoilt: tuple[str, str], says: str
) -> None:
    rows = lines(CASES, header())
    rows[row] = rows[row].replace(*spoilt)
    file = tmp_path / "r.jsonl"
    file.write_bytes("".join(rows).encode("utf-8", "surrogateescape"))
    said = complaint(file)
    assert said.startswith(f"{file}: ")
    assert says in said


@pytest.mark.parametrize("content", ["", "{"])
def test_a_file_without_a_whole_line_is_one_line(tmp_path: Path, content: str) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(content)
    assert complaint(file) == f"{file}: incomplete: there is no whole line in it; run it again"


def usage_error(done: Finished) -> str:
    assert (done.status, done.out) == (2, "")
    return done.err


def test_what_to_write_must_be_said_and_only_one_goes_to_standard_output(file: Path) -> None:
    assert "say what to write" in usage_error(onnx_cts("report", file))
    both = onnx_cts("report", file, "--junit", "-", "--json", "-")
    assert "only one of --junit and --json can go to standard output" in usage_error(both)


def test_a_file_that_cannot_be_written_is_one_line(file: Path, tmp_path: Path) -> None:
    out = file / "page.md"
    assert onnx_cts("report", file, "--markdown", out).complaint.startswith(
        f"{out}: cannot be written: "
    )


@pytest.mark.parametrize("option", ["--markdown", "--junit", "--json"])
def test_a_run_in_shards_is_reported_like_a_run(
    suite_10: Path, tmp_path: Path, option: str
) -> None:
    whole, *shards = (tmp_path / f"{i}.jsonl" for i in range(3))
    run = ("run", RETURNS_ITS_INPUT, "--suite", suite_10, "--exit-zero", "--record")
    onnx_cts(*run, whole)
    for number, shard in enumerate(shards, 1):
        onnx_cts(*run, shard, "--shard", f"{number}/2")
    counts = [len(shard.read_text().splitlines()) - 2 for shard in shards]
    assert abs(counts[0] - counts[1]) <= 1
    assert shown(option, *shards) == shown(option, whole)


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"])
def test_a_shard_that_there_is_not_is_a_usage_error(suite_10: Path, shard: str) -> None:
    done = onnx_cts("run", RETURNS_ITS_INPUT, "--suite", suite_10, "--shard", shard)
    assert "Invalid value for '--shard': " in usage_error(done)
