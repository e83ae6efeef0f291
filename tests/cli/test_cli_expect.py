from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import REFUSES, RETURNS_ITS_INPUT, Finished, onnx_cts
from record_files import HOSTILE, header, record, wrong

from onnx_cts_harness import open_suite

DEVIANT = Path(__file__).parents[1] / "diagnosis" / "deviant.py"


def run(backend: object, suite: Path, *options: object) -> Finished:
    return onnx_cts("run", backend, "--suite", suite, *options)


def written(file: Path, *entries: dict[str, Any]) -> Path:
    """A file of expectations with these entries."""
    data = {"format": 1, "expected": list(entries)}
    file.write_text(yaml.safe_dump(data, sort_keys=False), "utf-8")
    return file


def told(done: Finished, word: str) -> list[str]:
    """The lines that begin with a word."""
    return [line for line in done.out.splitlines() if line.startswith(f"{word}  ")]


def drafted(backend: object, suite: Path, folder: Path) -> Path:
    """The first file that is written of a run."""
    log, file = folder / "r.jsonl", folder / "expected.yaml"
    run(backend, suite, "--record", log, "--exit-zero")
    done = onnx_cts("expect", log, "--out", file)
    assert (done.status, done.out) == (0, f"{file} written\n")
    return file


REFUSAL = {"reason": "not supported", "verdicts": ["refused"]}


@pytest.mark.parametrize("backend", [RETURNS_ITS_INPUT, REFUSES, f"{DEVIANT}:one-too-many"])
def test_a_backend_meets_what_was_written_of_it_even_strictly(
    suite_10: Path, tmp_path: Path, backend: str
) -> None:
    file = drafted(backend, suite_10, tmp_path)
    done = run(backend, suite_10, "--expect", file, "--strict")
    assert (done.status, done.err) == (0, "")
    assert not told(done, "unexpected")
    assert not told(done, "no longer")


def test_a_failure_that_is_not_expected_fails_the_run(suite_10: Path, tmp_path: Path) -> None:
    file = drafted(RETURNS_ITS_INPUT, suite_10, tmp_path)
    data = yaml.safe_load(file.read_text("utf-8"))
    case = data["expected"][0]["cases"].pop()
    done = run(RETURNS_ITS_INPUT, suite_10, "--expect", written(file, *data["expected"]))
    assert done.status == 1
    (line,) = told(done, "unexpected")
    assert line.split("  ")[1] == case
    assert run(RETURNS_ITS_INPUT, suite_10, "--expect", file, "--exit-zero").status == 0


def test_a_failure_of_another_kind_is_not_expected(suite_10: Path, tmp_path: Path) -> None:
    entry = {"reason": "slow", "verdicts": ["timed_out", "wrong_value"], "cases": ["*"]}
    file = written(tmp_path / "e.yaml", entry)
    done = run(RETURNS_ITS_INPUT, suite_10, "--expect", file)
    assert done.status == 1
    assert {line.split("  ")[2] for line in told(done, "unexpected")} == {
        "wrong_type", "accepted_invalid",
    }  # fmt: skip


def test_an_expected_failure_that_passes_is_reported_and_fails_if_strict(
    suite_10: Path, tmp_path: Path
) -> None:
    (case, *_) = [case for case in open_suite(suite_10).entries if "/test_" in case]
    entry = {
        "reason": "the scale is ignored",
        "issue": "https://example.org/7",
        "verdicts": ["wrong_value"],
        "cases": [case],
    }
    file = written(tmp_path / "e.yaml", entry)
    asked = ("onnxruntime", suite_10, "--without", "version-difference", "--expect", file)
    done = run(*asked)
    assert done.status == 0
    (line,) = told(done, "no longer")
    assert line == (
        f"no longer  {case}  exact, expected wrong_value: the scale is ignored "
        f"https://example.org/7 ({file}:3)"
    )
    assert run(*asked, "--strict").status == 1


def test_a_refusal_that_is_not_expected_is_counted_and_fails_if_strict(
    suite_10: Path, tmp_path: Path
) -> None:
    file = written(tmp_path / "e.yaml")
    done = run(REFUSES, suite_10, "--expect", file)
    assert done.status == 0
    (line,) = told(done, "unexpected")
    count = int(line.split()[1])
    assert line == f"unexpected  {count} refusals, which only --strict minds"
    strict = run(REFUSES, suite_10, "--expect", file, "--strict")
    assert strict.status == 1
    assert len(told(strict, "unexpected")) == count > 0


def test_entries_name_cases_by_pattern_and_by_feature(suite_10: Path, tmp_path: Path) -> None:
    suite = open_suite(suite_10)
    refused = {c for c in suite.entries if "/test_" in c}
    subnormal = {c for c in refused if "subnormal" in suite.features(suite.entries[c])}
    patterned = {c for c in refused if "/test_int8_" in c}
    assert subnormal
    assert patterned
    assert subnormal - patterned
    file = written(
        tmp_path / "e.yaml",
        REFUSAL | {"cases": ["*/test_int8_*"]},
        REFUSAL | {"features": ["subnormal"], "cases": ["*/test_*"]},
    )
    done = run(REFUSES, suite_10, "--expect", file, "--strict")
    assert {line.split("  ")[1] for line in told(done, "unexpected")} == (
        refused - patterned - subnormal
    )


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ({"cases": ["*/test_*", "ai.onnx/Nothing/*"]}, "no case ai.onnx/Nothing/*"),
        ({"features": ["subnormall"]}, "no case with subnormall"),
        ({"cases": ["*/reject_*"], "features": ["subnormal"]}, "no case */reject_* with subnormal"),
    ],
)
def test_an_entry_that_matches_nothing_is_one_line(
    suite_10: Path, tmp_path: Path, entry: dict[str, Any], what: str
) -> None:
    file = written(tmp_path / "e.yaml", REFUSAL | {"cases": ["*/test_*"]}, REFUSAL | entry)
    lines = file.read_text("utf-8").splitlines()
    _, line = [number for number, text in enumerate(lines, 1) if text.startswith("- ")]
    complaint = run(REFUSES, suite_10, "--expect", file).complaint
    assert complaint == f"{file}:{line}: the suite has {what}; mend or delete the entry"


def test_a_part_of_a_suite_needs_no_part_of_the_expectations(
    suite_10: Path, tmp_path: Path
) -> None:
    file = drafted(RETURNS_ITS_INPUT, suite_10, tmp_path)
    for shard in ("1/3", "2/3", "3/3"):
        done = run(RETURNS_ITS_INPUT, suite_10, "--expect", file, "--strict", "--shard", shard)
        assert done.status == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("format: 1\nexpected: [", "this is no valid YAML"),
        ("format: 1\nexpected: []\nformat: 1\n", ":3: format: the key `format` is given twice"),
        ("format: 2\nexpected: []\n", ":1: format: 1 was expected"),
        ("format: 1\n", "'expected' is a required property; add it"),
        (
            "format: 1\nexpected:\n- {cases: [a], verdicts: [refused]}\n",
            ":3: expected[0]: 'reason' is a required property",
        ),
        (
            "format: 1\nexpected:\n- reason: r\n  verdicts: [exact]\n  cases: [a]\n",
            ":4: expected[0].verdicts[0]: 'exact' is none of wrong_value, ",
        ),
        (
            "format: 1\nexpected:\n- {reason: r, verdicts: [refused]}\n",
            ":3: expected[0]: this entry does not say what it does; add one of cases, features",
        ),
        (
            "format: 1\nexpected:\n- {reason: r, verdicts: [refused], case: a}\n",
            "the key `case` is unknown here",
        ),
        ("format: 1\nexpected: !!python/object/apply:os.abort []\n", "this is no valid YAML"),
        ("- [" + "[" * 5000, "e.yaml"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_one_line(
    suite_10: Path, tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(text, "utf-8")
    complaint = run(REFUSES, suite_10, "--expect", file).complaint
    assert complaint.startswith(f"{file}")
    assert says in complaint


def test_a_file_that_is_not_there_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    complaint = run(REFUSES, suite_10, "--expect", tmp_path / "none.yaml").complaint
    assert complaint.startswith(f"{tmp_path / 'none.yaml'}: cannot be read: ")


def test_strict_needs_expectations(suite_10: Path) -> None:
    done = run(REFUSES, suite_10, "--strict")
    assert (done.status, done.out) == (2, "")
    assert "--strict needs --expect" in done.err


def test_the_first_file_is_grouped_by_diagnosis(tmp_path: Path) -> None:
    cases = {
        "Op/v10/test_a": wrong(diagnosis=["one", "other"]),
        "Op/v10/test_b": wrong(diagnosis=["other"]),
        "Op/v10/test_c": wrong(),
        "Op/v10/test_d": {"verdict": "refused", "stage": "load", "message": "no kernel"},
        "Op/v10/reject_e": {"verdict": "accepted_invalid", "rule": "some-rule"},
        "Op/v10/test_f": "exact",
    }
    done = onnx_cts("expect", record(tmp_path / "r.jsonl", cases))
    assert (done.status, done.err) == (0, "")
    assert yaml.safe_load(done.out)["expected"] == [
        {
            "reason": "Op, wrong value: other",
            "verdicts": ["wrong_value"],
            "cases": ["Op/v10/test_a", "Op/v10/test_b"],
        },
        {
            "reason": "Op, wrong value: no known deviation, y of ?",
            "verdicts": ["wrong_value"],
            "cases": ["Op/v10/test_c"],
        },
        {
            "reason": "Op, accepted invalid: some-rule",
            "verdicts": ["accepted_invalid"],
            "cases": ["Op/v10/reject_e"],
        },
        {
            "reason": "Op, refused: at load, no kernel",
            "verdicts": ["refused"],
            "cases": ["Op/v10/test_d"],
        },
    ]


def test_the_reason_has_what_a_known_deviation_does(suite_10: Path, tmp_path: Path) -> None:
    file = drafted(f"{DEVIANT}:zero-point-scaled-apart", suite_10, tmp_path)
    (reason, *_) = [
        entry["reason"] for entry in yaml.safe_load(file.read_text("utf-8"))["expected"]
    ]
    assert reason.startswith(
        "DequantizeLinear, wrong value: zero-point-scaled-apart. Computes x * "
    )


def test_hostile_text_is_text(tmp_path: Path) -> None:
    backend = {"name": f"a\nexpected: {HOSTILE}", "variant": None, "version": "1"}
    said = {"Op/v10/test_'\"\n: #": {"verdict": "refused", "message": HOSTILE}}
    done = onnx_cts("expect", record(tmp_path / "r.jsonl", said, header(backend=backend)))
    (entry,) = yaml.safe_load(done.out)["expected"]
    assert entry["cases"] == list(said)
    assert entry["reason"].startswith("Op, refused: </testcase><script>")


def test_a_file_that_is_there_already_is_left_alone(tmp_path: Path) -> None:
    file = record(tmp_path / "r.jsonl", {"Op/v10/test_a": "exact"})
    out = tmp_path / "e.yaml"
    out.write_text("mine")
    complaint = onnx_cts("expect", file, "--out", out).complaint
    assert complaint == f"{out}: exists already, and may have reasons in it; name another file"
    assert out.read_text() == "mine"


def annotations(done: Finished) -> list[str]:
    return [line for line in done.out.splitlines() if line.startswith("::")]


def test_what_is_not_expected_is_annotated(suite_10: Path, tmp_path: Path) -> None:
    file = drafted(RETURNS_ITS_INPUT, suite_10, tmp_path)
    done = run(RETURNS_ITS_INPUT, suite_10, "--annotations")
    assert done.status == 1
    assert annotations(done)
    assert all(line.startswith("::error title=DequantizeLinear%3A ") for line in annotations(done))
    done = run(RETURNS_ITS_INPUT, suite_10, "--annotations", "--expect", file)
    assert (done.status, annotations(done)) == (0, [])


def test_an_expectation_that_no_longer_holds_is_annotated_at_its_line(
    suite_10: Path, tmp_path: Path
) -> None:
    entry = {"reason": "50 % of them", "verdicts": ["crashed"], "cases": ["*/v10/reject_*"]}
    file = written(tmp_path / "e.yaml", entry)
    (line,) = annotations(run(REFUSES, suite_10, "--annotations", "--expect", file))
    place = str(file).replace(":", "%3A").replace(",", "%2C")
    assert line.startswith(f"::warning file={place},line=3,title=Expectation out of date::")
    assert line.endswith(". 50 %25 of them")


def test_refusals_are_annotated_only_where_they_fail_the_run(
    suite_10: Path, tmp_path: Path
) -> None:
    file = written(tmp_path / "e.yaml")
    options = ("--annotations", "--expect", file)
    assert annotations(run(REFUSES, suite_10, *options)) == []
    assert annotations(run(REFUSES, suite_10, *options, "--strict"))
