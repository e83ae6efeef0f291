"""The manifest, the pytest modules, and the layout that other runners rely on."""

from __future__ import annotations

import ast
import hashlib
import json
import unittest
from importlib.resources import files

import jsonschema
import pytest
from emitted import OPERATOR, EmittedSuite
from onnx.backend.test import runner
from onnx.backend.test.loader import load_model_tests

from onnx_cts_harness import open_suite
from onnx_cts_specs import all_specs

SPECS = [(spec.operator, spec.since_version) for spec in all_specs()]
OPERATORS = tuple(dict.fromkeys(operator for operator, _ in SPECS))


def schema(name: str) -> dict[str, object]:
    text = files("onnx_cts_harness").joinpath(f"schemas/{name}.schema.json").read_text("utf-8")
    document: dict[str, object] = json.loads(text)
    return document


def test_the_manifest_is_as_its_schema_says(suite: EmittedSuite) -> None:
    jsonschema.validate(suite.manifest, schema("manifest"))
    assert suite.manifest["levels"] == ["core"]


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_case_json_is_as_its_schema_says_and_names_its_folder(
    suite: EmittedSuite, operator: str
) -> None:
    validator = jsonschema.Draft202012Validator(schema("case"))
    for case in suite.about(operator).every:
        assert [error.message for error in validator.iter_errors(case.document)] == [], case
        assert case.document["id"] == case.folder.relative_to(suite.folder).as_posix()
        assert case.document["expectation"] == case.expectation
        assert case.document["version"] == case.version


def test_the_manifest_has_the_hash_of_every_file_but_its_own(suite: EmittedSuite) -> None:
    found: dict[str, dict[str, str]] = {}
    for path in suite.folder.rglob("*"):
        if path.is_file() and path.name != "manifest.json":
            parts = path.relative_to(suite.folder).parts
            folder = "/".join(parts[:4] if len(parts) > 4 else parts[:-1])
            name = path.relative_to(suite.folder / folder).as_posix()
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            found.setdefault(folder, {})[name] = digest
    assert suite.manifest["files"] == found


@pytest.mark.parametrize(("operator", "version"), SPECS)
def test_the_manifest_counts_the_cases(suite: EmittedSuite, operator: str, version: int) -> None:
    entry = suite.about(operator).entry(version)
    every = suite.about(operator).every
    kinds = [case.expectation for case in every if case.version == version]
    assert entry["cases"] == len(kinds)
    assert entry["expectations"] == {k: kinds.count(k) for k in ("value", "reject", "open")}
    assert entry["coverage"]["strength"] == 2


def test_the_harness_reads_every_case(suite: EmittedSuite) -> None:
    opened = open_suite(suite.folder)
    assert len(opened.entries) == sum(len(suite.about(o).every) for o in OPERATORS)
    for entry in opened.entries.values():
        assert opened.load(entry).case.id == entry.id


@pytest.mark.parametrize(("operator", "version"), SPECS)
def test_the_pytest_module_lists_every_case_once_with_its_marks(
    suite: EmittedSuite, operator: str, version: int
) -> None:
    (module,) = suite.about(operator).version_folder(version).glob(f"test_*_v{version}.py")
    text = module.read_text("utf-8")
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    listed = {}
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id == "case":
            name, expectation, granularity, *features = (ast.literal_eval(a) for a in call.args)
            types = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
            assert name not in listed
            listed[name] = (expectation, granularity, features, types)
    assert listed == {
        case.name: (
            case.expectation,
            case.document["granularity"] or "",
            [feature for feature in case.document["features"] if ":" not in feature],
            case.document["dtypes"],
        )
        for case in suite.about(operator).every
        if case.version == version
    }


@pytest.mark.filterwarnings("ignore:onnx.version is deprecated:DeprecationWarning")
@pytest.mark.parametrize("version", [10, 13])
def test_the_runner_of_onnx_takes_the_value_cases_as_they_are(
    suite: EmittedSuite, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ONNX Runtime, which computes these two versions."""
    from onnxruntime.backend import backend as onnxruntime_backend

    data = suite.folder / "ai.onnx" / OPERATOR
    loaded = load_model_tests(str(data), kind=f"v{version}")
    tests = [case for case in loaded if case.name.startswith("test_")]
    # A runner loads ONNX's own tests by kind; here one kind has these in their place.
    monkeypatch.setattr(runner, "load_model_tests", lambda kind: tests if kind == "simple" else [])
    cases = runner.Runner(onnxruntime_backend, __name__).exclude("_cuda$").test_suite
    result = unittest.TestResult()
    cases.run(result)
    assert [f"{test}: {error}" for test, error in (*result.failures, *result.errors)] == []
    assert result.testsRun - len(result.skipped) == sum(
        case.expectation == "value" and case.version == version for case in suite.every
    )
