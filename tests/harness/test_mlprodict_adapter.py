"""The adapter of mlprodict, with a fake package in whose place its compiled modules are missing."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
from harness_suites import SuiteBuilder, identity_model, tensor

from onnx_cts_harness.run import run_suite

PACKAGE = {
    "__init__.py": '__version__ = "9.9"',
    "onnxrt/ops/__init__.py": "",
    # No Python takes this file for its own.
    "onnxrt/ops/compiled_.cpython-1-none.so": "",
    "onnxrt/__init__.py": """
import onnx
from mlprodict.onnxrt.ops.compiled_ import Compiled

class OnnxInference:
    def __init__(self, model, runtime):
        assert runtime == "python"
        self.obj = onnx.load_from_string(model) if isinstance(model, bytes) else model

    def run(self, feeds):
        act = self.obj.graph.name
        if act == "compiled": Compiled(*feeds)
        if act == "missing": import mlprodict.onnxrt.ops.missing_
        if act == "object": return {"y": object()}
        return {"y": feeds["x"]}
""",
}


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake package, where a worker finds it."""
    home = tmp_path / "package"
    for name, source in PACKAGE.items():
        file = home / "mlprodict" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)
    monkeypatch.setenv("PYTHONPATH", str(home))


def add(builder: SuiteBuilder, act: str, dtype: str = "float") -> None:
    """A case whose graph is named after an act of the fake package."""
    value = tensor([1.0], dtype)
    model = onnx.ModelProto.FromString(identity_model(value))
    model.graph.name = act
    builder.value(act, [value], [value], model=model.SerializeToString())


def test_what_is_written_in_python_runs_beside_what_is_compiled_for_another(
    builder: SuiteBuilder,
) -> None:
    add(builder, "plain")
    (result,) = run_suite(builder.write(), "mlprodict")
    assert result.verdict == "exact"


@pytest.mark.parametrize(
    ("act", "verdict", "refusal", "says"),
    [
        (
            "compiled",
            "refused",
            "unsupported",
            "NotImplementedError: mlprodict.onnxrt.ops.compiled_.Compiled is not compiled for",
        ),
        ("missing", "refused", "", "No module named 'mlprodict.onnxrt.ops.missing_'"),
        ("object", "not_runnable", "", "no tensor of a object"),
    ],
)
def test_what_it_cannot_do_is_said(
    builder: SuiteBuilder, act: str, verdict: str, refusal: str, says: str
) -> None:
    add(builder, act)
    (result,) = run_suite(builder.write(), "mlprodict")
    assert (result.verdict, result.refusal) == (verdict, refusal)
    assert says in result.message


def test_types_that_numpy_does_not_have_are_initializers(builder: SuiteBuilder) -> None:
    add(builder, "plain", "bfloat16")
    (result,) = run_suite(builder.write(), "mlprodict")
    assert result.presented == ("x",)
