"""Which specs there are, and how they are asked for."""

from pathlib import Path

import jsonschema
import pytest
import yaml
from onnx import defs
from spec_files import VERSIONS, edited

from onnx_cts_reference.formats import formats
from onnx_cts_specs import (
    SpecError,
    UnknownOperatorError,
    all_specs,
    domains,
    operators,
    spec_for,
    versions,
)
from onnx_cts_specs.locations import schema_path


def test_every_version_of_the_operator_that_onnx_has_has_a_spec() -> None:
    theirs = {
        schema.since_version
        for schema in defs.get_all_schemas_with_history()
        if (schema.name, schema.domain) == ("DequantizeLinear", "")
    }
    assert versions("DequantizeLinear") == VERSIONS == tuple(sorted(theirs))


def test_operators_and_domains_are_listed() -> None:
    assert "DequantizeLinear" in operators()
    assert "" in domains()
    listed = [(spec.operator, spec.since_version) for spec in all_specs()]
    assert [version for name, version in listed if name == "DequantizeLinear"] == list(VERSIONS)


def test_a_spec_is_read_once() -> None:
    assert spec_for("DequantizeLinear", 13) is spec_for("DequantizeLinear", 13)


def test_a_file_is_named_after_its_version_and_its_folder_after_the_operator() -> None:
    for spec in all_specs():
        assert spec.path.stem == str(spec.since_version)
        assert spec.path.parent.name == spec.operator


def test_the_entries_of_a_spec_are_found_by_name() -> None:
    spec = spec_for("DequantizeLinear", 28)
    assert spec.types("T3") == ("float", "float16", "bfloat16")
    assert spec.input("x_scale").role == "scale"
    assert spec.attribute("block_size").default == 0
    assert spec_for("DequantizeLinear", 13).attribute("block_size") is None
    assert spec.rule("axis-range").require == "-rank(x) <= axis < rank(x)"


def test_an_unknown_operator_or_version_is_told_what_there_is() -> None:
    with pytest.raises(
        UnknownOperatorError, match=r"no spec for Elephant; there are: .*Dequantize"
    ):
        versions("Elephant")
    with pytest.raises(UnknownOperatorError, match=r"version 12 .*there are: 10, 13, 19"):
        spec_for("DequantizeLinear", 12)


def test_an_unknown_domain_has_no_operators() -> None:
    with pytest.raises(UnknownOperatorError):
        spec_for("DequantizeLinear", 13, "com.example")


def test_the_schema_is_sound_and_knows_the_types_of_the_number_formats() -> None:
    schema = yaml.safe_load(schema_path().read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    types = schema["properties"]["type_constraints"]["items"]["properties"]["types"]
    assert set(types["items"]["enum"]) == set(formats())


def test_the_first_reading_of_every_spec_is_exact() -> None:
    assert {
        spec.readings[0].name for spec in all_specs() if spec.operator == "DequantizeLinear"
    } == {"exact"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("since_version: 13", "since_version: 14"),
        ("operator: DequantizeLinear", "operator: Elephant"),
    ],
)
def test_a_file_that_says_other_than_where_it_lies_is_refused(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited(tmp_path / "ai.onnx", old, new)
    monkeypatch.setattr("onnx_cts_specs.catalog.specs_folder", lambda: tmp_path)
    with pytest.raises(SpecError, match="move it to where its domain, operator and version belong"):
        spec_for.__wrapped__("DequantizeLinear", 13)
