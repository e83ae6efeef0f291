"""The adapter of MNN, with a fake package: its converter has a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import onnx
import pytest
from harness_suites import SuiteBuilder, identity_model, tensor

from onnx_cts_harness.run import run_suite

# More than the deaths of its worker in a row that end a run.
MANY = 25
PACKAGE = {
    "MNN/__init__.py": """
from . import expr, nn
def version(): return "9.9"
""",
    "MNN/expr.py": "float, uint8, int, NCHW = range(4)",
    "MNN/nn.py": """
def load_module_from_file(*ignored): raise RuntimeError("converted")
""",
    # A model's graph is named after an act.
    "_tools.py": """
import os, pathlib, signal, sys
def mnnconvert(arguments):
    named = dict(zip(arguments, arguments[1:]))
    model = pathlib.Path(named["--modelFile"]).read_bytes()
    if b"graph-dies" in model:
        print("out of luck", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"graph-throws" in model: raise ValueError("no such operator")
    if b"graph-converts" in model: pathlib.Path(named["--MNNModel"]).write_bytes(b"a model")
""",
}


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake package, where a worker and the converter find it."""
    home = tmp_path / "package"
    (home / "MNN").mkdir(parents=True)
    for name, source in PACKAGE.items():
        (home / name).write_text(source)
    monkeypatch.setenv("PYTHONPATH", str(home))


def add(builder: SuiteBuilder, act: str, number: int = 0) -> None:
    """A case whose model asks the fake converter for an act."""
    value = tensor([1.0])
    model = onnx.ModelProto.FromString(identity_model(value))
    model.graph.name = f"graph-{act}"
    builder.value(f"{act}-{number}", [value], [value], model=model.SerializeToString())


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to die of")
def test_a_converter_that_dies_again_and_again_costs_its_cases_alone(builder: SuiteBuilder) -> None:
    for number in range(MANY):
        add(builder, "dies", number)
    results = list(run_suite(builder.write(), "mnn"))
    assert [(r.verdict, r.message) for r in results] == [("crashed", "killed by SIGSEGV")] * MANY
    assert results[0].stderr == ("out of luck",)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ("throws", "ValueError: no such operator"),
        ("writes-nothing", "MNN's converter wrote no model"),
        ("converts", "converted"),
    ],
)
def test_what_the_converter_and_the_loader_say_is_a_refusal(
    builder: SuiteBuilder, act: str, says: str
) -> None:
    add(builder, act)
    (result,) = run_suite(builder.write(), "mnn")
    assert result.verdict == "refused"
    assert says in result.message
