"""The adapters of ONNX Runtime's packages of npm, with fake packages in a real Node."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from harness_suites import SuiteBuilder, identity_model, tensor

from onnx_cts_harness.backend import Backend
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.run import run_suite

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
PACKAGES = ["onnxruntime-node", "onnxruntime-web"]
# Gives back what it is fed; a model's bytes may name an act instead.
FAKE = """
class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
const session = (act) => ({
  outputNames: ["y"],
  outputMetadata: [{ isTensor: true, type: act === "strange" ? "int4" : "float32" }],
  run: async ({ x }) => {
    if (act === "abort") {
      console.error("out of luck");
      process.kill(process.pid, "SIGABRT");
      await new Promise(() => {});
    }
    if (act === "throw") throw new Error("no such kernel");
    console.log("noise on standard output");
    return { y: x };
  },
});
const create = async (model) => {
  const [, act] = /graph-([a-z]+)/.exec(Buffer.from(model).toString("latin1")) ?? [];
  if (act === "unsupported") throw new Error("Unsupported data type: 16");
  return session(act);
};
const versions = { node: "9.9", web: "9.9" };
module.exports = { Tensor, InferenceSession: { create }, env: { versions, wasm: {} } };
"""


@pytest.fixture
def package(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    folder = tmp_path / "node_modules" / name
    folder.mkdir(parents=True)
    (folder / "index.js").write_text(FAKE)
    monkeypatch.setenv("ONNX_CTS_NODE_MODULES", str(folder.parent))
    return name


each_package = pytest.mark.parametrize("package", PACKAGES, indirect=True)


def add(builder: SuiteBuilder, act: str) -> None:
    """A case whose model asks the fake package for an act."""
    value = tensor([1.0, -2.5])
    builder.value(act, [value], [value], model=model_named(act))


def model_named(act: str) -> bytes:
    """An Identity in a graph of the act's name."""
    import onnx

    model = onnx.ModelProto.FromString(identity_model(tensor([1.0, -2.5])))
    model.graph.name = f"graph-{act}"
    return model.SerializeToString()


@each_package
def test_tensors_go_through_node_and_come_back(builder: SuiteBuilder, package: str) -> None:
    add(builder, "copy")
    (result,) = run_suite(builder.write(), package)
    assert (result.verdict, result.message) == ("exact", "")


@each_package
def test_a_node_process_that_dies_costs_its_case_alone(builder: SuiteBuilder, package: str) -> None:
    for act in ("abort", "copy", "throw", "unsupported"):
        add(builder, act)
    found = {r.case.rpartition("_")[2]: r for r in run_suite(builder.write(), package)}
    assert found["abort"].verdict == "crashed"
    assert "out of luck" in " ".join(found["abort"].stderr)
    assert found["copy"].verdict == "exact"
    assert (found["throw"].verdict, found["throw"].stage) == ("refused", "run")
    assert "no such kernel" in found["throw"].message
    assert found["unsupported"].verdict == "not_runnable"


@pytest.mark.parametrize("package", ["onnxruntime-node"], indirect=True)
def test_an_output_on_which_it_would_abort_is_not_runnable(
    builder: SuiteBuilder, package: str
) -> None:
    add(builder, "strange")
    (result,) = run_suite(builder.write(), package)
    assert (result.verdict, result.message) == ("not_runnable", "cannot be read in int4")


@each_package
def test_its_version_is_that_of_the_package(package: str) -> None:
    with Backend(resolve(package)) as backend:
        assert backend.identity.version == "9.9"


@pytest.mark.parametrize("name", PACKAGES)
def test_a_missing_package_gives_one_clear_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONNX_CTS_NODE_MODULES", str(tmp_path))
    says = f"Node could not load {name}: .*Cannot find module '{name}'"
    with pytest.raises(BackendError, match=says):
        Backend(resolve(name))
