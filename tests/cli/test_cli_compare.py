from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Finished, onnx_cts
from record_files import HOSTILE, Verdicts, header, record, wrong

WRONG = "y[0]: expected 1.5, got 2.5, 7 ULP off, 1 of 4 wrong"


def compared(folder: Path, base: Verdicts, head: Verdicts, *options: object) -> Finished:
    files = (record(folder / "base.jsonl", base), record(folder / "head.jsonl", head))
    return onnx_cts("compare", *files, *options)


@pytest.mark.parametrize(
    ("base", "head", "change", "status"),
    [
        ("exact", "wrong_value", "worse", 1),
        ("exact", "refused", "worse", 1),
        ("permitted", "not_runnable", "worse", 1),
        ("refused", "crashed", "worse", 1),
        ("rejected", "accepted_invalid", "worse", 1),
        ("wrong_value", "exact", "better", 0),
        ("wrong_value", "refused", "better", 0),
        ("timed_out", "permitted", "better", 0),
        ("refused", "exact", "better", 0),
        ("exact", "permitted", "other", 0),
        ("wrong_value", "crashed", "other", 0),
        ("exact", "harness_error", "unjudged", 2),
        ("harness_error", "wrong_value", "unjudged", 0),
    ],
)
def test_a_case_is_better_or_worse_by_what_its_backend_is_to_blame_for(
    tmp_path: Path, base: str, head: str, change: str, status: int
) -> None:
    done = compared(tmp_path, {"Op/v10/test_a": base}, {"Op/v10/test_a": head})
    assert f"{change}  Op/v10/test_a  {base} -> {head}" in done.out.splitlines()
    assert f" 1 {change}" in done.out.splitlines()[-1]
    assert (done.status, done.err) == (status, "")


def test_what_did_not_change_is_not_shown(tmp_path: Path) -> None:
    refusals = [{"verdict": "refused", "message": text} for text in ("at /tmp/a", "at /tmp/b")]
    base = {"Op/v10/test_a": wrong(), "Op/v10/test_b": refusals[0]}
    head = {"Op/v10/test_a": wrong(), "Op/v10/test_b": refusals[1]}
    done = compared(tmp_path, base, head)
    assert done.status == 0
    assert done.out == (
        "base  runtime 1.0\nhead  runtime 1.0\n"
        "2 cases in both: 0 worse, 0 better, 0 other, 0 unjudged, 0 new, 0 gone\n"
    )


def test_another_wrong_answer_and_another_reading_are_neither_better_nor_worse(
    tmp_path: Path,
) -> None:
    base = {"Op/v10/test_a": wrong(), "Op/v10/open_b": {"verdict": "open", "reading": "exact"}}
    head = {"Op/v10/test_a": wrong(got="NaN"), "Op/v10/open_b": base["Op/v10/open_b"]}
    head["Op/v10/open_b"] = {"verdict": "open", "reading": "refused"}
    done = compared(tmp_path, base, head)
    assert "other  Op/v10/open_b  open (exact) -> open (refused)" in done.out
    assert "other  Op/v10/test_a  wrong_value  y[0]: expected 1.5, got nan" in done.out
    assert done.status == 0


def test_cases_that_are_new_or_gone_are_counted_and_new_failures_named(tmp_path: Path) -> None:
    base = {"Op/v10/test_a": "exact", "Op/v10/test_b": "crashed"}
    head = {"Op/v10/test_a": "exact", "Op/v10/test_c": wrong(), "Op/v10/test_d": "exact"}
    done = compared(tmp_path, base, head)
    assert "new  2 cases: 1 exact, 1 wrong_value\nnew  Op/v10/test_c  wrong_value" in done.out
    assert "gone  1 case: 1 crashed\n" in done.out
    assert done.out.endswith(
        "1 case in both: 0 worse, 0 better, 0 other, 0 unjudged, 2 new, 1 gone\n"
    )
    assert done.status == 0


def test_suites_that_differ_are_compared_on_what_they_share(tmp_path: Path) -> None:
    other = header(suite={"hash": "b" * 64, "cases": 9, "levels": ["core"]})
    base = record(tmp_path / "a.jsonl", {"Op/v10/test_a": "exact", "Op/v10/test_b": "exact"})
    head = record(tmp_path / "b.jsonl", {"Op/v10/test_a": "refused"}, other)
    done = onnx_cts("compare", base, head)
    assert (
        "note  the suites differ (aaaaaaaaaaaa and bbbbbbbbbbbb): compared is what both have, 1 "
        in done.out
    )
    assert done.status == 1


def test_other_backends_and_selections_are_said(tmp_path: Path) -> None:
    base = record(tmp_path / "a.jsonl", {"Op/v10/test_a": "exact"})
    other = header("another", selection={"without": ["subnormal"]})
    done = onnx_cts(
        "compare", base, record(tmp_path / "b.jsonl", {"Op/v10/test_a": "exact"}, other)
    )
    assert "note  the runs are of different backends" in done.out
    assert "note  the runs are not of the same selection of cases" in done.out


def test_json_says_all_of_it(tmp_path: Path) -> None:
    base: Verdicts = {"Op/v10/test_a": "exact", "Op/v10/test_b": "exact"}
    done = compared(tmp_path, base, {"Op/v10/test_a": wrong(got="Infinity")}, "--json", "-")
    data = json.loads(done.out, parse_constant=pytest.fail)
    assert (done.status, data["worse"], data["shared"]) == (1, True, 1)
    assert data["counts"] == {
        "worse": 1, "better": 0, "other": 0, "unjudged": 0, "new": 0, "gone": 1,
    }  # fmt: skip
    assert data["changes"] == [
        {
            "change": "worse",
            "case": "Op/v10/test_a",
            "base": {"verdict": "exact"},
            "head": {
                "verdict": "wrong_value",
                "said": "y[0]: expected 1.5, got inf, 7 ULP off, 1 of 4 wrong",
            },
        },
        {"change": "gone", "case": "Op/v10/test_b", "base": {"verdict": "exact"}, "head": None},
    ]


def test_text_of_a_backend_is_no_markup_and_one_line(tmp_path: Path) -> None:
    hostile = {"verdict": "crashed", "message": HOSTILE}
    page = tmp_path / "c.md"
    done = compared(
        tmp_path, {"Op/v10/test_a": "exact"}, {"Op/v10/test_a": hostile}, "--markdown", page
    )
    text = page.read_text("utf-8")
    assert "<script>" not in text.replace("\\<script\\>", "")
    assert "\u202e" not in text + done.out
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        line for line in text.splitlines() if "alert" in line
    ]
    assert max(map(len, done.out.splitlines())) < 500


def test_a_page_fits_the_summary_of_a_step(tmp_path: Path) -> None:
    cases = {f"Op/v10/test_{i:05}_{'x' * 150}": "exact" for i in range(6000)}
    said = {name: {"verdict": "crashed", "message": "é" * 200} for name in cases}
    done = compared(tmp_path, cases, said, "--markdown", "-")
    assert 1_000_000 < len(done.out.encode()) <= 1024 * 1024
    assert done.out.endswith("JSON has all of it.\n")


def test_both_formats_cannot_go_to_standard_output(tmp_path: Path) -> None:
    done = compared(tmp_path, {}, {}, "--markdown", "-", "--json", "-")
    assert (done.status, done.out) == (2, "")
    assert "only one of --markdown and --json can go to standard output" in done.err


def test_an_incomplete_record_is_one_line(tmp_path: Path) -> None:
    file = record(tmp_path / "a.jsonl", {"Op/v10/test_a": "exact"})
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    assert onnx_cts("compare", file, file).complaint.startswith(f"{file}: incomplete: ")


def test_what_became_worse_is_annotated_by_its_cause(tmp_path: Path) -> None:
    base = {f"Op/v10/test_{i}": "exact" for i in "abcd"}
    head: Verdicts = {
        "Op/v10/test_a": wrong(diagnosis=["ties-away"]),
        "Op/v10/test_b": wrong(diagnosis=["ties-away"]),
        "Op/v10/test_c": {"verdict": "refused", "message": "no kernel"},
        "Op/v10/test_d": "exact",
    }
    done = compared(tmp_path, base, head, "--annotations")
    more = "[ties-away] (and 1 case more)"
    assert [line for line in done.out.splitlines() if line.startswith("::")] == [
        f"::error title=Op%3A wrong value%2C ties-away::Op/v10/test_a: {WRONG} {more}",
        "::error title=Op%3A refused%2C no kernel::Op/v10/test_c: no kernel",
    ]


def test_hostile_text_begins_no_other_command_of_a_job(tmp_path: Path) -> None:
    said = {"verdict": "crashed", "message": f"%0A::set-env::\n::add-mask::x {HOSTILE}"}
    done = compared(tmp_path, {"Op/v10/test_a": "exact"}, {"Op/v10/test_a": said}, "--annotations")
    commands = [line for line in done.out.splitlines() if line.startswith("::")]
    assert len(commands) == 1
    assert commands[0].startswith("::error title=Op%3A crashed%2C ")
    assert "%250A" in commands[0]
