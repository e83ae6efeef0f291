"""The built-in adapters feed and read every type for real."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from harness_suites import (
    FAKES,
    SuiteBuilder,
    coded,
    every_code,
    fake,
    identity_model,
    tensor,
    values,
)

from onnx_cts_harness.backend import Backend
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.registry import built_in, resolve
from onnx_cts_harness.run import run_suite, start_run
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.formats import formats

# What ONNX Runtime has no Identity for; a test of its own feeds and reads the integers of these.
NO_IDENTITY = {name for name, form in formats().items() if form.bits < 8} | {"float8e8m0"}
EVERY_BACKEND = ["onnxruntime", "onnxruntime:optimized", "onnx-reference"]


def ir_of(dtype: str) -> int:
    """The IR version of a model with tensors of this type."""
    return 14 if dtype.startswith("float6") else 13


@pytest.mark.parametrize("shape", ["full", "odd", "rank-0", "empty"])
@pytest.mark.parametrize("backend", EVERY_BACKEND)
def test_every_type_goes_in_and_comes_out_as_it_is(
    builder: SuiteBuilder, backend: str, shape: str
) -> None:
    builder.version = 25
    for dtype in formats():
        full = every_code(dtype)
        codes = {
            "full": full.codes,
            "odd": np.resize(full.codes, (1, 3, 1)),
            "rank-0": full.codes[1],
            "empty": full.codes[:0].reshape(0, 2),
        }[shape]
        value = coded(codes, dtype)
        model = identity_model(value, 25, ir_of(dtype))
        builder.value(dtype, [value], [value], model=model)
    results = run_suite(builder.write(), backend)
    found = {r.case.rpartition("_")[2]: (str(r.verdict), r.message) for r in results}
    wrong = {d: f for d, f in found.items() if f[0] not in {"exact", "refused"}}
    assert not wrong
    refused = {d for d, f in found.items() if f[0] == "refused"}
    assert refused <= (set() if backend == "onnx-reference" else NO_IDENTITY)


@pytest.mark.parametrize("backend", EVERY_BACKEND)
@pytest.mark.parametrize("shape", [(), (0, 3), (1,), (3, 5), (2, 3, 4)])
def test_packed_integers_go_in_and_come_out(
    builder: SuiteBuilder, backend: str, shape: tuple[int, ...]
) -> None:
    builder.version = 25
    for dtype in ("int4", "uint4", "int2", "uint2"):
        small = coded(np.resize(every_code(dtype).codes, shape), dtype)
        wide = tensor(values(small).astype(np.float32))
        for name, x, y in (("DequantizeLinear", small, wide), ("QuantizeLinear", wide, small)):
            model = _quantization_model(name, x, y)
            builder.value(f"{name}_{dtype}", [x], [y], model=model)
    results = list(run_suite(builder.write(), backend))
    assert {(r.verdict, r.message) for r in results} == {("exact", "")}


def _quantization_model(name: str, x: Tensor, y: Tensor) -> bytes:
    """A model of scale 1 and zero point 0, between floats and a small type."""
    small = x if name == "DequantizeLinear" else y
    scale = onnx.helper.make_tensor("s", 1, [], [1.0])
    zero = onnx.helper.make_tensor("z", small.code, [], [0])
    info = [
        onnx.helper.make_tensor_value_info(n, t.code, t.shape)
        for n, t in zip("xy", (x, y), strict=True)
    ]
    node = onnx.helper.make_node(name, ["x", "s", "z"], ["y"])
    graph = onnx.helper.make_graph([node], "g", info[:1], info[1:], [scale, zero])
    opset = [onnx.helper.make_opsetid("", 25)]
    return onnx.helper.make_model(graph, opset_imports=opset, ir_version=13).SerializeToString()


@pytest.mark.parametrize("backend", EVERY_BACKEND)
def test_several_inputs_and_outputs_keep_their_order(builder: SuiteBuilder, backend: str) -> None:
    info = [onnx.helper.make_tensor_value_info(n, 1, [2]) for n in ("x", "x1", "y", "y1")]
    nodes = [
        onnx.helper.make_node("Sub", ["x", "x1"], ["y"]),
        onnx.helper.make_node("Sub", ["x1", "x"], ["y1"]),
    ]
    graph = onnx.helper.make_graph(nodes, "g", info[:2], info[2:])
    opset = [onnx.helper.make_opsetid("", 21)]
    model = onnx.helper.make_model(graph, opset_imports=opset, ir_version=10)
    inputs = [tensor([5.0, 6.0]), tensor([1.0, 1.0])]
    outputs = [tensor([4.0, 5.0]), tensor([-4.0, -5.0])]
    builder.value("sub", inputs, outputs, model=model.SerializeToString())
    assert [r.verdict for r in run_suite(builder.write(), backend)] == ["exact"]


@pytest.mark.parametrize("backend", EVERY_BACKEND)
def test_external_data_is_found(builder: SuiteBuilder, backend: str) -> None:
    weights = onnx.TensorProto(name="w", data_type=1, dims=[2], data_location=1)
    for key, value in {"location": "w.bin", "offset": "0", "length": "8"}.items():
        weights.external_data.add(key=key, value=value)
    x, y = (onnx.helper.make_tensor_value_info(n, 1, [2]) for n in "xy")
    node = onnx.helper.make_node("Add", ["x", "w"], ["y"])
    graph = onnx.helper.make_graph([node], "g", [x], [y], [weights])
    opset = [onnx.helper.make_opsetid("", 21)]
    model = onnx.helper.make_model(graph, opset_imports=opset, ir_version=10)
    case = builder.value(
        "add", [tensor([1.0, 2.0])], [tensor([4.0, 6.0])], model=model.SerializeToString()
    )
    (builder.path / case / "w.bin").write_bytes(tensor([3.0, 4.0]).data)
    (result,) = run_suite(builder.write(), backend)
    assert result.verdict == "exact", result.message


@pytest.mark.parametrize("backend", EVERY_BACKEND)
def test_a_model_that_cannot_be_run_is_refused(builder: SuiteBuilder, backend: str) -> None:
    value = tensor([1.0])
    model = onnx.ModelProto.FromString(identity_model(value))
    model.graph.node[0].op_type = "NoSuchOperator"
    builder.value("a", [value], [value], model=model.SerializeToString())
    (result,) = run_suite(builder.write(), backend)
    assert (result.verdict, result.stage) == ("refused", "load")


def adapter_module(name: str) -> Any:
    """An adapter's file as a module of this process."""
    spec = importlib.util.spec_from_file_location(f"adapter_{name}", built_in()[name])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_onnxruntime_declares_what_this_release_can_be_fed(monkeypatch: pytest.MonkeyPatch) -> None:
    import onnxruntime

    module = adapter_module("onnxruntime")
    assert {1, 3, 16, 17, 22} <= set(module.Adapter(None).feeds["inputs"])
    # As in releases before 1.20.
    monkeypatch.delattr(onnxruntime.OrtValue, "ortvalue_from_numpy_with_onnx_type")
    feeds = module.Adapter(None).feeds
    assert set(feeds["inputs"]) == set(module.PLAIN)
    assert {16, 17, 22} <= set(feeds["initializers"])


def test_the_identity_names_version_and_packages() -> None:
    import onnxruntime

    with Backend(resolve("onnxruntime")) as backend:
        assert backend.identity.version == onnxruntime.__version__
        assert backend.identity.packages["onnxruntime"] == onnxruntime.__version__
        assert backend.identity.packages["numpy"] == np.__version__


@pytest.mark.parametrize("backend", ["onnxruntime:fast", "onnx-reference:fast"])
def test_an_unknown_variant_gives_one_clear_error(backend: str) -> None:
    with pytest.raises(BackendError, match="has no variant 'fast'"):
        Backend(resolve(backend))


@pytest.mark.parametrize("name", ["reference_backend:Backend", "backend-api:reference_backend"])
def test_a_class_or_a_module_of_the_backend_api_runs_by_its_import_path(
    builder: SuiteBuilder, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(FAKES)
    for dtype in ("float", "bfloat16", "float8e4m3fn", "int4", "uint2", "float4e2m1"):
        value = every_code(dtype)
        builder.value(dtype, [value], [value], model=identity_model(value, 25, 13))
    with start_run(builder.write(), name) as run:
        assert {r.verdict for r in run.results()} == {"exact"}
        assert run.backend.identity.version == "9.9"


def test_a_module_of_a_package_runs_by_its_import_path(builder: SuiteBuilder) -> None:
    value = tensor([1.0, 2.0])
    builder.value("a", [value], [value])
    (result,) = run_suite(builder.write(), "onnxruntime.backend")
    assert result.verdict == "exact", result.message


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("no_such.module:Class", "ModuleNotFoundError: No module named 'no_such'"),
        ("onnxruntime.backend:Nothing", "AttributeError: .*Nothing"),
        ("onnx.helper", "has no function prepare; name one as package.module:Class"),
        ("backend-api", "name the backend: backend-api:package.module:Class"),
    ],
)
def test_an_import_path_of_no_backend_gives_one_clear_error(name: str, says: str) -> None:
    with pytest.raises(BackendError, match=says):
        Backend(resolve(name))


def test_values_reach_the_backend_as_they_are() -> None:
    """The helper that the tests above compare with is itself right."""
    assert values(coded([1, 15, 8], "int4")).tolist() == [1, -1, -8]
    assert tensor([1, -1, -8], "int4") == Tensor(22, (3,), b"\xf1\x08")


def test_adapters_by_path_have_variants() -> None:
    spec = resolve(fake("echo") + ":some")
    assert (spec.name, spec.variant, spec.label) == ("echo", "some", "echo:some")
    assert spec.adapter == Path(fake("echo"))
