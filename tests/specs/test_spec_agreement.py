"""Specs against onnx.defs: schema, defaults, and every sentence of the page."""

from pathlib import Path

import pytest
from spec_files import VERSIONS, edited, line_of

from onnx_cts_specs import load, spec_for
from onnx_cts_specs.agreement import disagreements
from onnx_cts_specs.prose import sentences

SPEC_SAYS = "the spec says {!r}, onnx.defs says {!r}"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_spec_agrees_with_onnx(version: int) -> None:
    assert list(disagreements(spec_for("DequantizeLinear", version))) == []


def complaints(path: Path) -> list[tuple[str, str]]:
    """Key and problem of each disagreement; all have a file, a line and a remedy."""
    errors = list(disagreements(load(path)))
    assert all((e.path, bool(e.line), bool(e.remedy)) == (path, True, True) for e in errors)
    return [(e.key, e.problem) for e in errors]


@pytest.mark.parametrize(
    ("version", "change", "complaint"),
    [
        pytest.param(
            13,
            ("default: 1", "default: 0"),
            ("attributes[0].default", SPEC_SAYS.format(0, 1)),
            id="changed-default",
        ),
        pytest.param(
            13,
            ("    default: 1\n", ""),
            ("attributes[0].default", SPEC_SAYS.format(None, 1)),
            id="removed-default",
        ),
        pytest.param(
            13,
            ("    type: int\n", "    type: float\n"),
            ("attributes[0].type", SPEC_SAYS.format("float", "int")),
            id="changed-attribute-type",
        ),
        pytest.param(
            13,
            ("[int8, uint8, int32]", "[int8, int32]"),
            (
                "type_constraints[0].types",
                "types missing: uint8; types that onnx.defs does not admit: none",
            ),
            id="removed-type",
        ),
        pytest.param(
            13,
            ("[int8, uint8, int32]", "[int8, uint8, int32, int4]"),
            (
                "type_constraints[0].types",
                "types missing: none; types that onnx.defs does not admit: int4",
            ),
            id="added-type",
        ),
        pytest.param(
            13,
            ("    optional: true\n", ""),
            ("inputs[2].optional", SPEC_SAYS.format(False, True)),
            id="required-input",
        ),
        pytest.param(
            13,
            ("    type: T\n    role: data", "    type: tensor(int8)\n    role: data"),
            ("inputs[0].type", SPEC_SAYS.format("tensor(int8)", "T")),
            id="changed-input-type",
        ),
        pytest.param(
            13,
            ("  - name: y\n", "  - name: z\n"),
            ("outputs", SPEC_SAYS.format(["z"], ["y"])),
            id="renamed-output",
        ),
        pytest.param(
            28,
            ("The type of the output 'y'.\n\ngran", "The type of the result 'y'.\n\ngran"),
            (
                "type_constraints[2].says",
                SPEC_SAYS.format("The type of the result 'y'.", "The type of the output 'y'."),
            ),
            id="altered-constraint-text",
        ),
        pytest.param(
            13,
            ("says: N-D quantized input tensor", "says: An N-D quantized input tensor"),
            (
                "inputs[0].says",
                SPEC_SAYS.format(
                    "An N-D quantized input tensor to be de-quantized.",
                    "N-D quantized input tensor to be de-quantized.",
                ),
            ),
            id="altered-input-text",
        ),
        pytest.param(
            13,
            ("must have same shape, and", "must have the same shape, and"),
            ("description", "this is not the description in onnx.defs, line by line"),
            id="altered-description",
        ),
        pytest.param(
            13,
            ("says: a 1-D tensor for per-axis", "says: a vector for per-axis"),
            ("granularities[1].says", "this sentence is not on the page"),
            id="altered-quote",
        ),
        pytest.param(
            13,
            ("formula: The dequantization formula", "formula: The formula"),
            ("formula", "this sentence is not on the page"),
            id="altered-formula",
        ),
        pytest.param(
            13,
            ("  - >-\n    It's optional.\n", ""),
            ("rules", "no entry stands for the sentence: It's optional."),
            id="unquoted-sentence",
        ),
        pytest.param(
            21,
            ("with the length of the quantization axis.", "as long as the axis."),
            ("rules[9].says", "this sentence is not in the description of QuantizeLinear"),
            id="altered-quote-of-another-page",
        ),
    ],
)
def test_a_difference_is_named_with_its_place(
    version: int, change: tuple[str, str], complaint: tuple[str, str], tmp_path: Path
) -> None:
    assert complaint in complaints(edited(tmp_path, *change, version))


def test_a_removed_attribute_is_named(tmp_path: Path) -> None:
    start, end = "  - name: block_size\n", "type_constraints:"
    text = spec_for("DequantizeLinear", 21).path.read_text("utf-8")
    entry = text[text.index(start) : text.index(end)]
    path = edited(tmp_path, entry, "", 21)
    # The rules still speak of it, so the file is refused before it is compared.
    path.write_text(path.read_text().replace("block_size", "axis"))
    assert ("attributes", SPEC_SAYS.format(["axis"], ["axis", "block_size"])) in complaints(path)


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("since_version: 13", "since_version: 14", "no version 14 of DequantizeLinear"),
        ("since_version: 13", "since_version: 1", "no version 1 of DequantizeLinear"),
        ("operator: DequantizeLinear", "operator: Elephant", "no version 13 of Elephant"),
    ],
)
def test_an_operator_or_version_that_onnx_lacks_is_named(
    old: str, new: str, wrong: str, tmp_path: Path
) -> None:
    path = edited(tmp_path, old, new)
    assert complaints(path) == [("since_version", f"onnx.defs has {wrong}")]
    (error,) = disagreements(load(path))
    assert error.line == line_of(path, "since_version")


def test_a_page_falls_into_sentences() -> None:
    text = "One is 1-D.  It has `[-r, r-1]`\nwhere r.\n(Two) is...  Three e.g. four."
    assert sentences(text) == [
        "One is 1-D.",
        "It has `[-r, r-1]` where r.",
        "(Two) is... Three e.g. four.",
    ]
