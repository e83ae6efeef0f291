from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from command_line import FAKES, REFUSES, RETURNS_ITS_INPUT, onnx_cts

from onnx_cts_harness.probe import probe
from onnx_cts_harness.registry import built_in

FEEDS = "{'inputs': [1], 'initializers': [1, 16, 22], 'constant_parameters': True}"


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    """An adapter whose runtime is not here."""
    file = tmp_path / "absent.py"
    file.write_text(
        "import no_such_runtime\n\n\nclass Adapter:\n"
        "    documentation = 'https://example.org/absent'\n"
    )
    return file


def test_backends_says_of_each_its_version_or_why_there_is_none() -> None:
    import onnx
    import onnxruntime

    done = onnx_cts("backends")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert f"onnxruntime  {onnxruntime.__version__}" in lines
    assert f"onnx-reference  {onnx.__version__}" in lines
    assert not any(line.startswith(("command", "backend-api")) for line in lines)
    if importlib.util.find_spec("openvino") is None:
        at = lines.index("openvino  not here")
        assert lines[at + 1] == "  why   ModuleNotFoundError: No module named 'openvino'"


def test_backends_as_json_names_every_adapter() -> None:
    listed = json.loads(onnx_cts("backends", "--json").out)
    assert {one["name"] for one in listed} >= set(built_in()) - {"command", "backend-api"}
    assert all(("version" in one) != ("why" in one) for one in listed)


def test_a_probe_tells_where_a_runtime_is_documented_that_is_not_here(adapter: Path) -> None:
    found = probe(str(adapter))
    assert (found.identity, found.documentation) == (None, "https://example.org/absent")
    assert found.why == "ModuleNotFoundError: No module named 'no_such_runtime'"


def test_what_a_backend_can_be_fed_is_said_in_words(tmp_path: Path) -> None:
    from onnx_cts_harness.probe import fed

    file = tmp_path / "fussy.py"
    file.write_text(
        f"class Adapter:\n    version, feeds = '1', {FEEDS}\n    def __init__(self, v): pass\n"
    )
    identity = probe(str(file)).identity
    assert identity is not None
    assert fed(identity.declared.feeds) == (
        "float; as initializers alone bfloat16 int4; parameters as initializers alone"
    )


def test_a_new_adapter_says_what_is_to_be_filled_in(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "my_runtime.py"
    done = onnx_cts("new-adapter", "my-runtime", "--out", tmp_path / "deep")
    assert (done.status, done.out) == (
        0, f"{file} written; fill it in, then run: onnx-cts check-adapter {file}\n",
    )  # fmt: skip
    assert onnx_cts("check-adapter", file).complaint.startswith(
        f"backend '{file.stem}' could not be started: NotImplementedError: set self.version to"
    )


def test_a_template_that_is_filled_in_is_an_adapter(tmp_path: Path) -> None:
    onnx_cts("new-adapter", "my-runtime", "--out", tmp_path)
    file = tmp_path / "my_runtime.py"
    text = file.read_text()
    for line, filled in (
        ("# import my_runtime", "import onnxruntime"),
        ('raise NotImplementedError("set', 'self.version = onnxruntime.__version__  # ("'),
        ('raise NotImplementedError("load', 'return _session(model, folder)  # ("'),
        ('raise NotImplementedError(f"run', 'outputs = loaded.run(None, feeds)  # ("'),
        ("# return [_tensor", "return [_tensor"),
    ):
        assert text.count(line) == 1
        text = text.replace(line, filled)
    file.write_text(
        text + "\n\ndef _session(model, folder):\n"
        "    return onnxruntime.InferenceSession(f'{folder}/model.onnx' if folder else model)\n"
    )
    done = onnx_cts("check-adapter", file)
    assert (done.status, done.err) == (0, "")
    assert "ok       external data" in done.out.splitlines()
    assert done.out.endswith("the adapter does its part\n")


@pytest.mark.parametrize("name", ["My-Runtime", "../up", "a b", "1st", "a--b", ""])
def test_a_name_that_is_none_is_one_line(tmp_path: Path, name: str) -> None:
    complaint = onnx_cts("new-adapter", name, "--out", tmp_path).complaint
    assert complaint.startswith(f"{name!r} is no name of a backend: use lower case")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("precious")
    complaint = onnx_cts("new-adapter", "mine", "--out", tmp_path).complaint
    assert complaint == f"{tmp_path / 'mine.py'}: there is such a file already; remove it first"
    assert (tmp_path / "mine.py").read_text() == "precious"


@pytest.mark.parametrize("backend", ["onnxruntime", "onnx-reference"])
def test_the_built_in_adapters_do_their_part(backend: str) -> None:
    done = onnx_cts("check-adapter", backend)
    assert (done.status, "fault" in done.out) == (0, False)
    for kind in ("inputs keep their order", "empty tensor", "small type, packed", "external data"):
        assert f"ok       {kind}" in done.out.splitlines()
    assert "ok       reject: a model with an operator that is none: at load" in done.out
    assert "ok       open: an int32 zero point that is not 0: reading" in done.out


def test_an_adapter_that_answers_whatever_it_is_asked_is_at_fault() -> None:
    done = onnx_cts("check-adapter", RETURNS_ITS_INPUT)
    assert done.status == 1
    faults = [line for line in done.out.splitlines() if line.startswith("fault")]
    assert any("reject" in line and "let load or run raise" in line for line in faults)
    assert any("inputs keep their order" in line for line in faults)


def test_an_adapter_that_computes_nothing_is_at_fault() -> None:
    done = onnx_cts("check-adapter", REFUSES)
    assert done.status == 1
    assert "fault    value: not one model was computed; see the messages above" in done.out


@pytest.mark.parametrize(
    ("fake", "says"),
    [
        ("constants_only.py", 'set "constant_parameters": True in feeds'),
        ("undeclared.py", "can be an initializer: name it in"),
        ("undeclared.py", "type float16: y: expected float16[3], got float[3]; a runtime that has"),
        ("undeclared.py", "not_runnable no int4; let feeds name what can be fed, without 22"),
    ],
)
def test_an_author_is_told_what_to_declare(fake: str, says: str) -> None:
    assert says in onnx_cts("check-adapter", FAKES / fake).out
