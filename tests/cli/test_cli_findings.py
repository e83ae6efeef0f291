from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import REFUSES, RETURNS_ITS_INPUT, onnx_cts

from onnx_cts_harness.markup import escaped, fenced
from onnx_cts_harness.verdicts import Verdict

DEVIANT = Path(__file__).parents[1] / "diagnosis" / "deviant.py"


def recorded(backend: str, suite: Path, file: Path) -> Path:
    """The record of a run of the suite."""
    onnx_cts("run", backend, "--suite", suite, "--record", file, "--exit-zero")
    return file


def page_of(suite: Path, *records: Path) -> str:
    """The page on these records."""
    done = onnx_cts("findings", *records, "--suite", suite)
    assert (done.status, done.err) == (0, "")
    return done.out


def rows(page: str) -> dict[str, dict[str, int]]:
    """The table of counts by backend."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("|") and not line.startswith("|--")
    ]
    return {row[0]: dict(zip(cells[0][1:], map(int, row[1:]), strict=True)) for row in cells[1:]}


def test_each_row_sums_up_to_the_whole_suite(suite_10: Path, tmp_path: Path) -> None:
    records = [
        recorded(RETURNS_ITS_INPUT, suite_10, tmp_path / "a.jsonl"),
        recorded(REFUSES, suite_10, tmp_path / "b.jsonl"),
    ]
    table = rows(page_of(suite_10, *records))
    cases = len(list(suite_10.rglob("case.json")))
    assert len(table) == 2
    for counts in table.values():
        assert counts["cases"] == cases
        assert sum(counts.values()) == 2 * cases
    assert next(iter(table.values()))["accepted invalid"] > 0
    assert list(table.values())[1]["refused"] > 0


def test_every_verdict_has_its_column() -> None:
    from onnx_cts_harness.findings import COLUMNS

    counted = [verdict for verdicts in COLUMNS.values() for verdict in verdicts]
    assert sorted(counted) == sorted(Verdict)


def test_a_wrong_answer_comes_with_its_model_inputs_text_and_diagnosis(
    suite_10: Path, tmp_path: Path
) -> None:
    deviation = "zero-point-scaled-apart"
    file = recorded(f"{DEVIANT}:{deviation}", suite_10, tmp_path / "r.jsonl")
    page = page_of(suite_10, file)
    _, _, found = page.partition(f"### DequantizeLinear 10: wrong value, {deviation}\n")
    assert "Computes x \\* scale - zero\\_point \\* scale" in found
    assert "> The dequantization formula is y = (x - x_zero_point) * x_scale." in found
    assert "y = DequantizeLinear (x, x_scale, x_zero_point)" in found
    assert re.search(r"^x = u?int8\[.*\] ", found, re.MULTILINE)
    assert re.search(r"^x_zero_point = u?int8\[\] -?\d+$", found, re.MULTILINE)
    assert re.search(r"^y expected = float\[", found, re.MULTILINE)
    assert re.search(r"^The backend: y.*: expected .* got .* ULP off", found, re.MULTILINE)


def test_the_least_case_is_the_example(suite_10: Path, tmp_path: Path) -> None:
    from onnx_cts_harness import open_suite

    file = recorded(f"{DEVIANT}:one-too-many", suite_10, tmp_path / "r.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    wrong = [line["case"] for line in lines if line.get("verdict") == "wrong_value"]
    suite = open_suite(suite_10)
    sizes = {c: sum(t.size for t in suite.load(suite.entries[c]).inputs) for c in wrong}
    examples = re.findall("The least of them, `(.*)`:", page_of(suite_10, file))
    (example,) = [case for case in examples if case in sizes]
    assert sizes[example] == min(sizes.values())


def test_an_accepted_model_comes_with_the_rule_it_breaks(suite_10: Path, tmp_path: Path) -> None:
    page = page_of(suite_10, recorded(RETURNS_ITS_INPUT, suite_10, tmp_path / "r.jsonl"))
    _, _, found = page.partition("### DequantizeLinear 10: accepted invalid, known-attributes\n")
    assert "> Schema: the operator has no attributes." in found
    assert "expected: a refusal" in found


def test_wrong_types_are_told_apart_by_type_and_not_by_shape(
    suite_10: Path, tmp_path: Path
) -> None:
    page = page_of(suite_10, recorded(RETURNS_ITS_INPUT, suite_10, tmp_path / "r.jsonl"))
    titles = re.findall("^### DequantizeLinear 10: wrong type, (.*)$", page, re.MULTILINE)
    assert set(titles) == {f"expected float, got {name}" for name in ("int8", "uint8", "int32")}
    assert len(titles) == 3


def test_a_model_is_shown_as_the_backend_got_it(suite_10: Path, tmp_path: Path) -> None:
    constant = tmp_path / "constant.py"
    constant.write_text(
        Path(RETURNS_ITS_INPUT)
        .read_text()
        .replace("class Adapter:", 'class Adapter:\n    feeds = {"constant_parameters": True}\n')
    )
    file = recorded(str(constant), suite_10, tmp_path / "r.jsonl")
    assert '"presented"' in file.read_text()
    signatures = re.findall(r"^DequantizeLinear \((.*)\) =>", page_of(suite_10, file), re.MULTILINE)
    assert signatures
    assert not [names for names in signatures if "x_scale" in names]


def test_the_page_is_the_same_each_time_and_goes_where_it_is_asked_to(
    suite_10: Path, tmp_path: Path
) -> None:
    file = recorded(RETURNS_ITS_INPUT, suite_10, tmp_path / "r.jsonl")
    out = tmp_path / "docs" / "page.md"
    done = onnx_cts("findings", file, "--suite", suite_10, "--out", out)
    assert (done.status, done.out) == (0, f"{out} written\n")
    assert out.read_text("utf-8") == page_of(suite_10, file)


def test_text_of_a_backend_is_no_markup(suite_10: Path, tmp_path: Path) -> None:
    file = recorded(RETURNS_ITS_INPUT, suite_10, tmp_path / "r.jsonl")
    text = file.read_text().replace("expected a refusal, got", "![x](http://e.org) <script>")
    file.write_text(text.replace('"version": "1.0"', '"version": "<b>1</b> | `x`"'))
    page = page_of(suite_10, file)
    assert "\\<b\\>1\\</b\\> \\| \\`x\\`" in page
    assert "!\\[x\\](http://e.org) \\<script\\>" in page
    assert "<script>" not in page.replace("\\<script", "")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a*b_c", "a\\*b\\_c"),
        ("[x](y)", "\\[x\\](y)"),
        ("<a & b>", "\\<a \\& b\\>"),
        ("1-2", "1-2"),
    ],
)
def test_what_could_be_markup_is_escaped(text: str, plain: str) -> None:
    assert escaped(text) == plain


def test_a_code_block_holds_whatever_is_in_it() -> None:
    assert fenced("a\n````\nb") == "`````text\na\n````\nb\n`````"


def test_a_record_of_another_suite_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    file = recorded(REFUSES, suite_10, tmp_path / "r.jsonl")
    head, *rest = file.read_text().splitlines(keepends=True)
    file.write_text(re.sub(r'"hash": "\w{4}', '"hash": "0000', head) + "".join(rest))
    complaint = onnx_cts("findings", file, "--suite", suite_10).complaint
    assert complaint.startswith(f"{file}: it is of the suite 0000")
    assert complaint.endswith("run the suite again")


def test_a_record_with_a_case_that_is_none_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    file = recorded(REFUSES, suite_10, tmp_path / "r.jsonl")
    file.write_text(file.read_text().replace("/v10/test_", "/v10/test_no_", 1))
    complaint = onnx_cts("findings", file, "--suite", suite_10).complaint
    assert complaint.startswith(
        f"{file}: the suite has no case ai.onnx/DequantizeLinear/v10/test_no"
    )


def test_an_incomplete_record_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    file = recorded(REFUSES, suite_10, tmp_path / "r.jsonl")
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    assert "incomplete: " in onnx_cts("findings", file, "--suite", suite_10).complaint


def test_a_page_that_cannot_be_written_is_one_line(suite_10: Path, tmp_path: Path) -> None:
    file = recorded(REFUSES, suite_10, tmp_path / "r.jsonl")
    out = file / "page.md"
    assert "cannot be written" in onnx_cts(
        "findings", file, "--suite", suite_10, "--out", out
    ).complaint  # fmt: skip
