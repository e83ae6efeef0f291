"""ONNX's own node tests, given back: byte for byte, and for every version."""

import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import onnx
import onnxruntime
import pytest
from click.testing import CliRunner, Result
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.case.test_case import TestCase

from onnx_cts_generator import examples
from onnx_cts_generator.cli import main
from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.examples import ExampleFiles, corrected
from onnx_cts_harness import Verdict, run_suite
from onnx_cts_specs import SpecError, all_specs, spec_for, versions
from onnx_cts_specs.examples import examples_of, load_examples

OPERATORS = sorted({spec.operator for spec in all_specs()})


def generate(*arguments: object) -> Result:
    words = ["generate", "--layout", "onnx-backend", *map(str, arguments)]
    return CliRunner().invoke(main, words, catch_exceptions=False)


@pytest.fixture(scope="module")
def official() -> list[TestCase]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    named = {e.name for operator in OPERATORS for e in examples_of(operator)}
    return [case for case in cases if case.name.removesuffix("_expanded") in named]


@pytest.fixture(scope="module")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("examples") / "data"
    assert generate("--out", out).exit_code == 0
    return out


def serialized(case: TestCase) -> Iterator[tuple[str, bytes]]:
    yield "model.onnx", case.model.SerializeToString()
    for number, (inputs, outputs) in enumerate(case.data_sets):
        for kind, values, infos in (
            ("input", inputs, case.model.graph.input),
            ("output", outputs, case.model.graph.output),
        ):
            for index, value in enumerate(values):
                proto = value
                if not isinstance(value, TensorProto):
                    proto = numpy_helper.from_array(value, infos[index].name)
                yield f"test_data_set_{number}/{kind}_{index}.pb", proto.SerializeToString()


def test_the_official_node_tests_come_out_byte_for_byte(
    official: list[TestCase], emitted: Path
) -> None:
    assert {case.name for case in official} == {p.name for p in (emitted / "node").iterdir()}
    for case in official:
        folder = emitted / "node" / case.name
        files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
        assert dict(serialized(case)).keys() == files
        for name, content in serialized(case):
            assert (folder / name).read_bytes() == content, f"{case.name}/{name}"


def test_each_example_is_emitted_for_each_version_that_admits_it(emitted: Path) -> None:
    for operator in OPERATORS:
        *earlier, newest = versions(operator)
        for example in examples_of(operator):
            found = {
                int(p.parts[-4][1:]) for p in emitted.glob(f"v*/node/{example.name}/model.onnx")
            }
            assert found == {v for v in earlier if v >= example.since}
            assert (emitted / "node" / example.name / "model.onnx").is_file()
            assert newest >= example.since


def test_each_version_has_its_own_opset_and_the_lowest_ir_version(emitted: Path) -> None:
    for path in emitted.glob("v*/node/*/model.onnx"):
        model = onnx.load(path)
        version = int(path.parts[-4][1:])
        assert [(o.domain, o.version) for o in model.opset_import] == [("", version)]
        lowest = helper.find_min_ir_version_for(list(model.opset_import))
        assert model.ir_version == lowest
        onnx.checker.check_model(model, full_check=True)


def test_no_version_before_the_one_named_admits_an_example() -> None:
    for operator in OPERATORS:
        for example in examples_of(operator):
            for version in (v for v in versions(operator) if v < example.since):
                spec = spec_for(operator, version)
                types = {t for constraint in spec.type_constraints for t in constraint.types}
                types |= {i.type.removeprefix("tensor(").removesuffix(")") for i in spec.inputs}
                attributes = {a.name for a in spec.attributes}
                foreign = [t.type for t in example.inputs.values() if t.type not in types]
                foreign += [name for name in example.attributes if name not in attributes]
                ranks = [len(t.shape) for n, t in example.inputs.items() if "scale" in n]
                assert foreign or (version == 10 and ranks != [0])


def test_what_does_not_keep_to_the_page_is_listed_and_corrected_on_demand(tmp_path: Path) -> None:
    amiss = [e for operator in OPERATORS for e in examples_of(operator) if e.corrected]
    assert amiss
    assert generate("--out", tmp_path / "plain").exit_code == 0
    assert generate("--strict", "--out", tmp_path / "strict").exit_code == 0
    listing = (tmp_path / "plain" / "examples.json").read_text("utf-8")
    for example in amiss:
        assert example.corrected is not None
        assert example.corrected.why.split("(")[0].strip() in listing
        model = onnx.load(tmp_path / "strict" / "node" / example.name / "model.onnx")
        assert [i.name for i in model.graph.input] == list(example.inputs)
        for info in model.graph.input:
            shape = tuple(d.dim_value for d in info.type.tensor_type.shape.dim)
            assert shape == corrected(example).inputs[info.name].shape


def test_one_version_alone_takes_the_place_of_the_newest(tmp_path: Path) -> None:
    out = tmp_path / "data"
    result = generate("--version", 21, "--operator", "DequantizeLinear", "--out", out)
    assert result.exit_code == 0
    assert result.output == f"11 examples written to {out}\n"
    model = onnx.load(out / "node" / "test_dequantizelinear" / "model.onnx")
    assert model.opset_import[0].version == 21


def test_the_data_is_compared_on_demand(emitted: Path, tmp_path: Path) -> None:
    assert generate("--check", "--out", emitted).exit_code == 0
    out = tmp_path / "data"
    generate("--out", out)
    (out / "node" / "test_dequantizelinear" / "model.onnx").write_bytes(b"")
    result = generate("--check", "--out", out)
    assert result.exit_code == 1
    assert "differs: " in result.output


def test_a_suite_is_never_replaced_by_examples(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    result = generate("--out", tmp_path)
    assert result.exit_code == 2
    assert "is not a suite (it has no examples.json)" in result.output


def test_strict_goes_with_the_examples_alone(tmp_path: Path) -> None:
    words = ["generate", "--strict", "--out", str(tmp_path / "suite")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "--strict goes with --layout onnx-backend" in result.output


EXAMPLE = """examples:
  - name: test_one
    since: 10
    inputs:
      x: {type: uint8, shape: [2], values: [1, 2]}
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("values: [1, 2]", "values: [1]", r"1 values for shape \[2\]"),
        ("since: 10", "sinse: 10", "the key `sinse` is unknown here"),
        ("    since: 10\n", "", "'since' is a required property"),
        ("type: uint8, ", "", "'type' is a required property"),
    ],
)
def test_a_bad_file_of_examples_gives_one_error(
    old: str, new: str, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "examples.yaml"
    path.write_text(EXAMPLE.replace(old, new), "utf-8")
    with pytest.raises(SpecError, match=problem) as caught:
        load_examples(path)
    assert str(caught.value).startswith(f"{path}:")


def test_a_number_that_the_type_does_not_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    first = examples_of("DequantizeLinear")[0]
    bad = replace(
        first, inputs=first.inputs | {"x": replace(first.inputs["x"], values=(256.0,) * 4)}
    )
    monkeypatch.setattr(examples, "examples_of", lambda *_: (bad,))
    with pytest.raises(
        GenerateError, match=r"x: 256.0 is no value of uint8; give one that it holds"
    ):
        list(ExampleFiles([spec_for("DequantizeLinear", 10)], strict=False))


def test_verdicts_on_the_official_tests_agree_with_onnx_runtime_by_hand(tmp_path: Path) -> None:
    out = tmp_path / "data"
    options = ("--version", 25, "--operator", "DequantizeLinear")
    assert generate(*options, "--out", out).exit_code == 0
    results = {Path(r.case).name: r for r in run_suite(out, "onnxruntime")}
    assert len(results) == len(list(out.rglob("model.onnx"))) == 14
    by_hand = 0
    for name, result in results.items():
        folder = out / "node" / name
        tensors = [
            onnx.load_tensor(folder / "test_data_set_0" / file)
            for file in sorted(p.name for p in (folder / "test_data_set_0").iterdir())
        ]
        arrays = {t.name: numpy_helper.to_array(t) for t in tensors}
        if all(
            array.dtype.kind in "iuf" and array.dtype.isbuiltin == 1 for array in arrays.values()
        ):
            session = onnxruntime.InferenceSession(folder / "model.onnx")
            feeds = {i.name: arrays[i.name] for i in session.get_inputs()}
            (got,) = session.run(None, feeds)
            same = got.dtype == arrays["y"].dtype and got.tobytes() == arrays["y"].tobytes()
            assert (result.verdict is Verdict.EXACT) == same
            by_hand += 1
    assert by_hand >= 5
    assert not [r for r in results.values() if r.verdict.is_failure or r.verdict.is_error]
