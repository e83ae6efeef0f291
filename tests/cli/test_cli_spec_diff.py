from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command_line import files_in, onnx_cts

from onnx_cts_specs import all_specs

ROOT = Path(__file__).parents[2]
OPERATOR = "DequantizeLinear"


def diff_document(*arguments: object) -> Any:
    done = onnx_cts("spec", "diff", *arguments, "--json")
    assert (done.status, done.err) == (0, "")
    return json.loads(done.out)


@pytest.mark.parametrize("source", [(), ("--from-onnx",)])
def test_the_json_of_13_to_19_has_every_published_field(source: tuple[str, ...]) -> None:
    found = diff_document(OPERATOR, 13, 19, *source)
    assert (found["operator"], found["domain"]) == (OPERATOR, "")
    assert (found["old_version"], found["new_version"], found["breaking"]) == (13, 19, True)
    changes = {
        change["name"]: (change["field"], change["old"], change["new"], change["breaking"])
        for part in ("inputs", "outputs")
        for change in found[part]["changed"]
    }
    assert changes == {
        "x": ("type_str", "T", "T1", True),
        "x_scale": ("type_str", "tensor(float)", "T2", True),
        "x_zero_point": ("type_str", "T", "T1", True),
        "y": ("type_str", "tensor(float)", "T2", True),
    }
    assert len(found["breaking_reasons"]) == len(changes) + 1
    constraints = found["type_constraints"]
    assert {c["name"]: len(c["types"]) for c in constraints["added"]} == {"T1": 7, "T2": 3}
    assert [c["name"] for c in constraints["removed"]] == ["T"]
    text = found["description"]
    assert (text["similarity"], text["added_lines"], text["removed_lines"]) == (0.86, 2, 0)
    assert sum(line.startswith("+") for line in text["diff"]) == 2


@pytest.mark.parametrize("source", [(), ("--from-onnx",)])
def test_the_json_of_10_to_13_has_every_published_field(source: tuple[str, ...]) -> None:
    found = diff_document(OPERATOR, 10, 13, *source)
    assert (found["breaking"], found["breaking_reasons"]) == (False, [])
    (axis,) = found["attributes"]["added"]
    assert (axis["name"], axis["type"], axis["default"]) == ("axis", "int", 1)
    text = found["description"]
    assert (text["similarity"], text["added_lines"], text["removed_lines"]) == (0.36, 4, 3)


@pytest.mark.parametrize("form", [(), ("--markdown",)])
def test_text_and_markdown_say_what_breaks_and_how_alike_the_texts_are(
    form: tuple[str, ...],
) -> None:
    out = onnx_cts("spec", "diff", OPERATOR, 13, 19, *form).out
    assert "input 'x_scale': type_str changed 'tensor(float)' → 'T2'" in out
    assert "added 'T2': 3 types: tensor(float), tensor(float16), tensor(bfloat16)" in out
    assert "similarity 0.86 (+2/-0 lines)" in out


def test_types_that_a_variable_gained_are_named_alone() -> None:
    out = onnx_cts("spec", "diff", "Relu", 6, 13, "--from-onnx").out
    assert "  changed 'T': types added: tensor(bfloat16)\n" in out


def test_a_diff_of_any_operator_of_onnx_is_made_without_an_error() -> None:
    from onnx import defs

    versions = defaultdict(set)
    for schema in defs.get_all_schemas_with_history():
        versions[schema.domain, schema.name].add(schema.since_version)
    assert len(versions) > 200
    for (domain, operator), found in versions.items():
        known = sorted(found)
        for old, new in [*pairwise(known), (known[-1], known[0])]:
            options = ("--domain", domain, "--from-onnx")
            document = diff_document(operator, old, new, *options)
            assert (document["old_version"], document["new_version"]) == (old, new)
            page = onnx_cts("spec", "diff", operator, old, new, *options, "--markdown")
            assert (page.status, page.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            [OPERATOR, 13, 20],
            "there is no spec for version 20 of DequantizeLinear; there are: ",
        ),
        (["Relu", 13, 14], "there is no spec for Relu; there are: "),
        (["Relu", 13, 15, "--from-onnx"], "onnx.defs has no version 15 of Relu; there are: 1, 6, "),
        (["Rely", 1, 2, "--from-onnx"], "onnx.defs has no operator Rely in the domain ai.onnx; "),
    ],
)
def test_a_version_that_there_is_not_is_one_line(arguments: list[object], complaint: str) -> None:
    assert onnx_cts("spec", "diff", *arguments).complaint.startswith(complaint)


def test_the_domain_of_onnx_may_be_named() -> None:
    named = onnx_cts("spec", "diff", OPERATOR, 10, 13, "--domain", "ai.onnx")
    assert named == onnx_cts("spec", "diff", OPERATOR, 10, 13)


def test_a_page_has_the_parts_of_onnx_pages_in_their_order() -> None:
    done = onnx_cts("spec", "show", OPERATOR, 19, "--markdown")
    assert (done.status, done.err) == (0, "")
    headings = [line for line in done.out.splitlines() if line.startswith("#")]
    assert headings == [
        "# DequantizeLinear - 19",
        "## Version",
        "## Summary",
        "## Attributes",
        "## Inputs",
        "## Outputs",
        "## Type Constraints",
        "## Differences with the version before (13)",
    ]
    assert "- **since_version**: 19\n" in done.out
    assert "Between 2 and 3 inputs.\n" in done.out
    assert "- **axis - INT** (default is `1`): (Optional) " in done.out
    assert onnx_cts("spec", "diff", OPERATOR, 13, 19, "--markdown").out in done.out


def test_the_page_of_a_first_version_has_no_attributes_and_nothing_to_differ_from() -> None:
    out = onnx_cts("spec", "show", OPERATOR, 10, "--markdown").out
    assert "## Attributes" not in out
    assert "## Differences" not in out


def test_the_checked_in_pages_are_those_of_the_specs() -> None:
    done = onnx_cts("spec", "pages", "--check", "--out", ROOT / "docs" / "operators")
    assert (done.status, done.err) == (0, "")


def test_pages_are_written_one_a_spec_and_listed(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    assert onnx_cts("spec", "pages", "--out", out).status == 0
    found = files_in(out)
    index = found.pop("operator-pages.md").decode("utf-8")
    assert len(found) == len(all_specs())
    assert all(f"]({path})" in index for path in found)


def test_a_page_that_was_edited_or_is_missing_fails_the_check(tmp_path: Path) -> None:
    out = tmp_path / "pages"
    onnx_cts("spec", "pages", "--out", out)
    (out / "ai.onnx" / OPERATOR / "10.md").write_text("edited", "utf-8")
    (out / "ai.onnx" / OPERATOR / "13.md").unlink()
    done = onnx_cts("spec", "pages", "--check", "--out", out)
    assert done.status == 1
    assert sorted(line.partition(":")[0] for line in done.out.splitlines()) == [
        "differs",
        "missing",
    ]


def test_a_folder_with_other_files_is_not_replaced_by_pages(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", "utf-8")
    complaint = onnx_cts("spec", "pages", "--out", tmp_path).complaint
    assert "operator-pages.md" in complaint
    assert files_in(tmp_path) == {"README.md": b"mine"}
