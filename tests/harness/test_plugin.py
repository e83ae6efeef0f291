"""The pytest plugin turns verdicts into outcomes, and mistakes into one clear error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from harness_suites import SuiteBuilder, coded, fake, tensor

pytest_plugins = ["pytester"]

MODULE = """
import pytest

CASES = {cases}

def case(name):
    kind = {{"test": "value", "reject": "reject", "open": "open"}}[name.partition("_")[0]]
    marks = [
        pytest.mark.operator(name="Identity"),
        pytest.mark.version(since=21),
        pytest.mark.dtype(x="int4" if "four" in name else "float"),
        pytest.mark.granularity(name="per-axis"),
        pytest.mark.expectation(name=kind),
    ]
    return pytest.param("ai.onnx/Identity/v21/" + name, id=name, marks=marks)

@pytest.mark.parametrize("case", [case(name) for name in CASES])
def test_identity_v21(case, conformance):
    conformance(case)
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Path:
    """A suite with its pytest module."""
    builder = SuiteBuilder(pytester.path / "suite")
    one = tensor([1.0])
    builder.value("exact", [one], [one])
    builder.value("four", [one], [one])
    builder.value("wrong", [tensor([2.0])], [one])
    builder.value("crash", [coded(list(b"abort"), "uint8")], [one])
    builder.value("raise", [coded(list(b"raise"), "uint8")], [one])
    builder.value("notrun", [coded(list(b"notrun"), "uint8")], [one])
    builder.value("spoilt", [one], [one])
    builder.reject("refused", [coded(list(b"raise"), "uint8")])
    builder.open("any", [one], {"exact": [one]})
    path = builder.write()
    (path / builder.cases[6] / "model.onnx").write_bytes(b"")
    names = [case.rpartition("/")[2] for case in builder.cases]
    module = path / "ai.onnx" / "Identity" / "v21" / "test_identity_v21.py"
    module.write_text(MODULE.format(cases=names))
    return path


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest on the suite in a process of its own."""
    return pytester.runpytest_subprocess(
        "-p", "no:cacheprovider", "--strict-markers", "-Werror", *loaded(), "suite", *arguments
    )


def loaded() -> list[str]:
    """Options that load the plugin where it is not installed."""
    from importlib.metadata import entry_points

    names = {point.name for point in entry_points(group="pytest11")}
    return [] if "onnx-cts" in names else ["-p", "onnx_cts_harness.plugin"]


def test_each_verdict_has_its_outcome(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester, "--backend", fake("scripted"), "-ra")
    result.assert_outcomes(passed=4, failed=3, skipped=2)
    result.stdout.fnmatch_lines_random(
        [
            "*test_wrong  wrong_value  x=float y=float  y?0?: expected 1, got 2, *",
            "*test_crash  crashed  *",
            "  stderr: the last words",
            "SKIPPED * refused: at run ValueError: first line",
            "SKIPPED * not_runnable: no int4",
            "E *CaseError: *test_spoilt/model.onnx: changed since the suite was generated*",
        ]
    )


def test_markers_choose_by_what_cases_are(pytester: pytest.Pytester, suite: Path) -> None:
    chosen = "dtype(x='int4') and granularity(name='per-axis') and version(since=21)"
    result = run(pytester, "--backend", fake("scripted"), "-m", chosen)
    result.assert_outcomes(passed=1, deselected=8)


def test_without_a_backend_there_is_one_error(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    errors = [line for line in result.errlines if line.startswith("ERROR")]
    assert errors == [
        "ERROR: these tests need a backend: pytest --backend NAME, such as --backend onnxruntime"
    ]


def test_collecting_needs_no_backend(pytester: pytest.Pytester, suite: Path) -> None:
    assert run(pytester, "--collect-only").ret == pytest.ExitCode.OK


def test_an_unknown_backend_is_one_error(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester, "--backend", "nothing")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: unknown backend 'nothing'; known are *"])


def test_a_backend_that_cannot_start_is_one_error(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester, "--backend", fake("broken_import"))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*Exit: backend 'broken_import' could not be started: *"])
    assert str(result.stdout).count("could not be started") == 1


def test_a_spoilt_suite_is_one_error(pytester: pytest.Pytester, suite: Path) -> None:
    (suite / "manifest.json").write_text("{")
    result = run(pytester, "--backend", fake("echo"))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *manifest.json: not valid JSON*"])


def test_timeout_and_interpreter_are_options(pytester: pytest.Pytester, suite: Path) -> None:
    options = ["--backend-python", sys.executable, "--backend-timeout", "5", "-k", "exact"]
    run(pytester, "--backend", fake("echo"), *options).assert_outcomes(passed=1, deselected=8)


def test_folders_of_tests_are_looked_into_though_they_look_like_a_case(
    pytester: pytest.Pytester,
) -> None:
    folder = pytester.mkpydir("test_of_mine")
    (folder / "case.json").write_text("{}")
    (folder / "test_it.py").write_text("def test_it(): pass")
    pytester.runpytest().assert_outcomes(passed=1)


def test_projects_without_a_suite_pay_nothing() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import onnx_cts_harness.plugin; "
        "new = {m.partition('.')[0] for m in set(sys.modules) - before}; "
        "sys.exit(' '.join(new & {'onnx', 'numpy', 'rich', 'jsonschema', 'yaml'}) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
