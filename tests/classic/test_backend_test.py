"""Users of ``onnx.backend.test.BackendTest`` change one import."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import onnx.backend.test
import pytest
from classic_folders import FAKES, identity_case, model_of, write_case
from onnx import helper

import onnx_cts_harness
from onnx_cts_harness import BackendTest, SuiteError, backend_test

ONES = np.ones(3, np.float32)


@pytest.fixture
def user(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of a user."""
    monkeypatch.syspath_prepend(str(FAKES))
    return importlib.import_module("user_backend")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Cases that pass, fail, are refused, are not compatible, and cannot be read."""
    node = helper.make_node("NoSuchOperator", ["x"], ["y"])
    identity_case(tmp_path / "node" / "test_right", ONES, ONES)
    identity_case(tmp_path / "node" / "test_wrong", ONES, 1.002 * ONES)
    model = model_of([node], {"x": ONES}, {"y": ONES})
    write_case(tmp_path / "node" / "test_refused", model, [ONES], [ONES])
    model = model_of([node], {"x": ONES}, {"y": ONES}, producer_name="foreign")
    write_case(tmp_path / "pytorch-converted" / "test_foreign", model, [ONES], [ONES])
    (tmp_path / "node" / "test_bare").mkdir()
    return tmp_path


def outcomes(tests: BackendTest) -> dict[str, str]:
    """What unittest says of each test."""
    result = unittest.TestResult()
    suite = tests.test_suite
    names = [case.id().rpartition(".")[2] for case in _flat(suite)]
    suite.run(result)
    found = dict.fromkeys(names, "passed")
    for what in ("failures", "errors", "skipped", "expectedFailures"):
        found |= {case.id().rpartition(".")[2]: what for case, _ in getattr(result, what)}
    found |= {c.id().rpartition(".")[2]: "unexpected" for c in result.unexpectedSuccesses}
    return found


def _flat(suite: Any) -> list[unittest.TestCase]:
    return [c for t in suite for c in (_flat(t) if isinstance(t, unittest.TestSuite) else [t])]


def test_each_verdict_is_an_outcome_of_unittest(user: ModuleType, folder: Path) -> None:
    assert outcomes(backend_test(user.UserBackend, __name__, suite=folder)) == {
        "test_bare_cpu": "errors",
        "test_foreign_cpu": "skipped",
        "test_refused_cpu": "skipped",
        "test_right_cpu": "passed",
        "test_wrong_cpu": "failures",
    }


def test_include_exclude_and_xfail_are_patterns_of_names(user: ModuleType, folder: Path) -> None:
    tests = backend_test(user.UserBackend, suite=folder)
    assert tests.include("_cpu$").include("nothing").exclude("bare|foreign").xfail("wrong") is tests
    tests.xfail("right")
    assert outcomes(tests) == {
        "test_bare_cpu": "skipped",
        "test_foreign_cpu": "skipped",
        "test_refused_cpu": "skipped",
        "test_right_cpu": "unexpected",
        "test_wrong_cpu": "expectedFailures",
    }


def test_what_is_not_included_is_skipped(user: ModuleType, folder: Path) -> None:
    tests = backend_test(user.UserBackend, suite=folder).include("right")
    assert set(outcomes(tests).values()) == {"passed", "skipped"}


def test_the_classes_are_named_as_those_of_onnx(user: ModuleType, folder: Path) -> None:
    tests = backend_test(user.UserBackend, "my_module", suite=folder)
    assert list(tests.test_cases) == [
        "OnnxBackendNodeModelTest",
        "OnnxBackendPyTorchConvertedModelTest",
    ]
    assert {case.__module__ for case in tests.test_cases.values()} == {"my_module"}
    assert hasattr(tests.tests, "test_foreign_cpu")
    assert hasattr(tests.tests, "test_right_cpu")


def test_every_public_name_of_the_official_class_is_there() -> None:
    official = {n for n in vars(onnx.backend.test.BackendTest) if not n.startswith("_")}
    # How the official class works inside, which nobody calls.
    official -= {"assert_similar_outputs", "download_model", "generate_dummy_data",
                 "prepare_model_data"}  # fmt: skip
    assert official <= set(dir(BackendTest))
    theirs = list(inspect.signature(onnx.backend.test.BackendTest).parameters)
    for ours in (BackendTest, backend_test):
        assert list(inspect.signature(ours).parameters)[: len(theirs)] == theirs


def test_tolerance_may_be_given_for_a_test(user: ModuleType, folder: Path) -> None:
    kwargs = {"test_wrong": {"rtol": 0.1}}
    tests = backend_test(user.UserBackend, __name__, kwargs, suite=folder).include("wrong")
    assert outcomes(tests)["test_wrong_cpu"] == "passed"
    with pytest.raises(TypeError, match="takes rtol and atol, and nothing named speed"):
        backend_test(user.UserBackend, None, {"test_wrong": {"speed": 1}}, suite=folder)


def test_all_data_sets_are_one_test(user: ModuleType, tmp_path: Path) -> None:
    model = model_of([helper.make_node("Identity", ["x"], ["y"])], {"x": ONES}, {"y": ONES})
    write_case(tmp_path / "test_a", model, [ONES], [ONES], "test_data_set_0")
    write_case(tmp_path / "test_a", model, [ONES], [2 * ONES], "test_data_set_1")
    assert outcomes(backend_test(user.UserBackend, suite=tmp_path)) == {"test_a_cpu": "failures"}


def test_our_suite_is_the_default(
    user: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = Path(__file__).parents[2] / "generated_tests"
    monkeypatch.setattr("onnx_cts_generator.cache.cached_suite", lambda watch: suite)
    tests = backend_test(user.UserBackend)
    (case,) = tests.test_cases.values()
    names = unittest.defaultTestLoader.getTestCaseNames(case)
    assert any(name.startswith("test_dequantizelinear_v10_reject_") for name in names)
    assert any(name.startswith("test_dequantizelinear_v28_open_") for name in names)
    assert all(name.endswith("_cpu") for name in names)
    assert len(names) == len(set(names)) > 900


def test_the_coverage_report_of_onnx_finds_its_marks(
    user: ModuleType, folder: Path, pytestconfig: pytest.Config
) -> None:
    pytestconfig.addinivalue_line("markers", "onnx_coverage: as projects with the report have it")
    tests = backend_test(user.UserBackend, suite=folder).enable_report()
    method = vars(tests.tests)["test_right_cpu"]
    (mark,) = method.pytestmark
    assert (mark.name, mark.args[1]) == ("onnx_coverage", "NodeModel")
    unittest.TestSuite([tests.tests("test_right_cpu")]).run(unittest.TestResult())
    assert mark.args[0][0].graph.node[0].op_type == "Identity"


@pytest.mark.filterwarnings("ignore:onnx.version is deprecated")
def test_a_name_and_a_module_are_backends_too(folder: Path) -> None:
    import onnxruntime.backend

    for backend in ("onnxruntime", onnxruntime.backend):
        tests = backend_test(backend, suite=folder).include("right")
        assert outcomes(tests)["test_right_cpu"] == "passed"


def test_a_script_tests_the_backend_that_it_defines(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(FAKES / "user_backend.py"), str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "FAILED (failures=1, errors=1, skipped=2)" in done.stderr


def test_a_class_inside_of_something_cannot_be_imported(folder: Path) -> None:
    class Inner:
        pass

    with pytest.raises(TypeError, match="define it at the top of a module"):
        backend_test(Inner, suite=folder)


def test_a_folder_without_cases_is_one_clear_error(user: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="no suite here"):
        backend_test(user.UserBackend, suite=tmp_path / "nowhere")


def test_a_wrong_answer_says_what_was_expected(user: ModuleType, folder: Path) -> None:
    result = unittest.TestResult()
    backend_test(user.UserBackend, suite=folder).test_suite.run(result)
    ((_, said),) = result.failures
    assert "node/test_wrong  wrong_value  x=float y=float  y[0]: expected 1.00" in said
    assert onnx_cts_harness.backend_test is backend_test
