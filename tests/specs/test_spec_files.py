"""Spec files at fault: each gives one error that says where, what is wrong and what to do."""

from pathlib import Path

import pytest
import yaml
from spec_files import VERSIONS, edited, error_of, line_of, original, without_entry, written

from onnx_cts_specs import SpecError, load

KEYS = tuple(yaml.safe_load(original(13)))


@pytest.mark.parametrize("version", VERSIONS)
def test_every_spec_loads(version: int, tmp_path: Path) -> None:
    spec = load(written(tmp_path, original(version), version))
    assert (spec.operator, spec.domain, spec.since_version) == ("DequantizeLinear", "", version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("key", KEYS)
def test_a_missing_top_level_key_is_named(version: int, key: str, tmp_path: Path) -> None:
    path = written(tmp_path, without_entry(original(version), key), version)
    error = error_of(path)
    assert (error.problem, error.remedy) == (f"'{key}' is a required property", "add it")
    assert error.line == 2  # where the mapping begins


@pytest.mark.parametrize(
    ("line", "key", "missing"),
    [
        ("    require: dtype(x) in T\n", "rules[3]", "require"),
        ("    stage: [check, inference, load, run]\n", "rules[0]", "stage"),
        ("    role: data\n", "inputs[0]", "role"),
        ("    type: T\n", "inputs[0]", "type"),
        ("    shape: shape(x)\n", "outputs[0]", "shape"),
        ("    types: [int8, uint8, int32]\n", "type_constraints[0]", "types"),
        ("    when: rank(x_scale) == 0\n", "granularities[0]", "when"),
        ("        means: A tensor of one element serves as the scalar.\n", "means", "means"),
    ],
)
def test_a_missing_line_is_named_with_the_entry_that_lacks_it(
    line: str, key: str, missing: str, tmp_path: Path
) -> None:
    error = error_of(edited(tmp_path, line, ""))
    assert (error.problem, error.remedy) == (f"'{missing}' is a required property", "add it")
    if key == "means":
        key = "open_questions[0].readings[0]"
    assert error.key == key


def test_a_rule_without_an_id_is_named_by_its_place(tmp_path: Path) -> None:
    path = edited(tmp_path, "  - id: x-type\n    says:", "  - says:")
    error = error_of(path)
    assert (error.key, error.problem) == ("rules[3]", "'id' is a required property")
    assert error.line == line_of(path, "  - says: Constrain 'x_zero_point'")


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("operator:", "colour: red\noperator:", "colour"),
        ("    role: data\n", "    role: data\n    colour: red\n", "inputs[0].colour"),
        ("  - id: x-type\n", "  - id: x-type\n    colour: red\n", "rules[3].colour"),
    ],
)
def test_an_unknown_key_is_named_with_its_line(
    old: str, new: str, key: str, tmp_path: Path
) -> None:
    path = edited(tmp_path, old, new)
    error = error_of(path)
    assert error.key == key
    assert error.line == line_of(path, "colour: red")
    assert error.problem == "the key `colour` is unknown here"
    assert error.remedy.startswith("use one of ")


@pytest.mark.parametrize("key", ["operator", "rules", "errata"])
def test_a_key_given_twice_is_named(key: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"{original(13)}\n{key}: again\n")
    error = error_of(path)
    assert (error.key, error.problem) == (key, f"the key `{key}` is given twice")
    assert error.line == line_of(path, f"{key}: again")


def test_a_key_given_twice_in_a_rule_is_named(tmp_path: Path) -> None:
    path = edited(tmp_path, "  - id: x-type\n", "  - id: x-type\n    require: 1 == 1\n")
    error = error_of(path)
    assert error.problem == "the key `require` is given twice"
    assert error.line == line_of(path, "require: dtype(x) in T")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_cut_off_anywhere_is_refused(version: int, tmp_path: Path) -> None:
    text = original(version)
    whole = len(without_entry(text, "errata"))
    for end in range(0, whole, whole // 37):
        assert error_of(written(tmp_path, text[:end])).problem


def test_a_file_cut_off_in_a_quote_is_no_yaml(tmp_path: Path) -> None:
    text = original(13)
    error = error_of(written(tmp_path, text[: text.index("'float'\"") + 3]))
    assert error.problem.startswith("this is no valid YAML: ")
    assert error.remedy == "mend the syntax at this line or just above it; is the file cut off?"
    assert error.line is not None


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a comment\n"])
def test_an_empty_file_is_refused(text: str, tmp_path: Path) -> None:
    error = error_of(written(tmp_path, text))
    assert (error.problem, error.line) == ("the file is empty", None)


@pytest.mark.parametrize("text", ["~\n", "DequantizeLinear\n", "- operator\n", "13\n"])
def test_a_file_that_is_no_mapping_is_refused(text: str, tmp_path: Path) -> None:
    error = error_of(written(tmp_path, text))
    assert "is not of type 'object'" in error.problem
    assert error.line == 1


def test_two_documents_are_refused(tmp_path: Path) -> None:
    error = error_of(written(tmp_path, original(13) + "---\n" + original(13)))
    assert "another document" in error.problem


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:pathlib.Path.touch [{}]",
        "!!python/object/new:pathlib.Path.touch [{}]",
        "!!python/object:pathlib.Path {{touch: {}}}",
        "!!python/name:os.system",
        "!secret x",
    ],
)
def test_a_tag_is_refused_and_nothing_is_run(tag: str, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    path = edited(tmp_path, "source: onnx.defs", f"source: {tag.format(touched)}\n#")
    error = error_of(path)
    assert "could not determine a constructor for the tag" in error.problem
    assert error.line == line_of(path, "source:")
    assert not touched.exists()


@pytest.mark.parametrize("data", [bytes(range(128, 256)), b"\x89PNG\r\n\x1a\n", b"\xff\xfe\x00"])
def test_a_binary_file_is_refused(data: bytes, tmp_path: Path) -> None:
    error = error_of(written(tmp_path, data))
    assert error.problem == "cannot be read: it is not UTF-8 text"


def test_control_characters_are_refused(tmp_path: Path) -> None:
    assert "control characters" in error_of(written(tmp_path, b"a: \x00\x01")).problem


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    error = error_of(tmp_path / "99.yaml")
    assert error.problem == "cannot be read: No such file or directory"
    assert error.remedy == "check the path and the file"


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    assert error_of(tmp_path).problem == "cannot be read: Is a directory"


def test_a_spec_error_says_file_line_key_problem_and_remedy() -> None:
    error = SpecError(Path("a/13.yaml"), "it is wrong", "mend it", line=7, key="rules[1].id")
    assert str(error) == "a/13.yaml:7: rules[1].id: it is wrong; mend it"
    assert str(SpecError(Path("b.yaml"), "it is gone", "look")) == "b.yaml: it is gone; look"


@pytest.mark.parametrize("text", ["? [a, b]\n: c\n", "? {a: b}\n: c\n"])
def test_a_key_that_is_no_scalar_is_refused(text: str, tmp_path: Path) -> None:
    assert error_of(written(tmp_path, text)).problem


@pytest.mark.parametrize("text", ["a: &a [*a]\n", "a: &a {b: *a}\n"])
def test_an_entry_that_holds_itself_is_refused(text: str, tmp_path: Path) -> None:
    assert error_of(written(tmp_path, text)).problem
