"""Build tiny suites for the harness's tests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from onnx_cts_harness import layout
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.formats import array_of, codes_of, format_of_dtype, formats, pack

FAKES = Path(__file__).parent / "fakes"
GENERATOR = {"name": "tests", "version": "1"}


def fake(name: str) -> str:
    """The path of a fake adapter."""
    return str(FAKES / f"{name}.py")


def tensor(values: Any, dtype: str = "float") -> Tensor:
    """A tensor of these values, in this format."""
    form = formats()[dtype]
    array = np.asarray(values, dtype=form.dtype)
    return Tensor(form.code, array.shape, pack(codes_of(array), form))


def coded(codes: Any, dtype: str) -> Tensor:
    """A tensor of these codes, in this format."""
    form = formats()[dtype]
    array = np.asarray(codes, dtype=form.code_dtype)
    return Tensor(form.code, array.shape, pack(array, form))


def proto(value: Tensor) -> bytes:
    """A serialized TensorProto with raw_data."""
    return onnx.TensorProto(
        data_type=value.code, dims=value.shape, raw_data=value.data
    ).SerializeToString(deterministic=True)


def typed_proto(array: np.ndarray[Any, Any]) -> bytes:
    """A serialized TensorProto with a typed field."""
    form = format_of_dtype(array.dtype)
    flat = array.reshape(-1).tolist()
    return onnx.helper.make_tensor("t", form.code, array.shape, flat).SerializeToString()


def identity_model(value: Tensor, opset: int = 21, ir: int = 10) -> bytes:
    """A model that returns its one input."""
    info = [onnx.helper.make_tensor_value_info(n, value.code, value.shape) for n in ("x", "y")]
    node = onnx.helper.make_node("Identity", ["x"], ["y"])
    graph = onnx.helper.make_graph([node], "g", info[:1], info[1:])
    imports = [onnx.helper.make_opsetid("", opset)]
    return onnx.helper.make_model(graph, opset_imports=imports, ir_version=ir).SerializeToString()


class SuiteBuilder:
    """Writes cases of the operator Identity into a folder, and their manifest at the end."""

    def __init__(self, path: Path, version: int = 21) -> None:
        self.path = path
        self.version = version
        self.cases: list[str] = []

    def value(
        self,
        name: str,
        inputs: list[Tensor],
        outputs: list[Tensor],
        bounds: tuple[Tensor, Tensor] | None = None,
        model: bytes | None = None,
    ) -> str:
        """Add a value case; the bounds are those of the first output."""
        files = {layout.output_path(i): proto(t) for i, t in enumerate(outputs)}
        if bounds is not None:
            files[layout.lower_path(0)], files[layout.upper_path(0)] = map(proto, bounds)
        return self._add("value", f"test_{name}", inputs, files, outputs=len(outputs), model=model)

    def reject(self, name: str, inputs: list[Tensor], model: bytes | None = None) -> str:
        """Add a reject case."""
        return self._add(
            "reject", f"reject_{name}", inputs, {}, model=model, rules=["some-rule"], stage=["load"]
        )

    def open(
        self,
        name: str,
        inputs: list[Tensor],
        readings: dict[str, list[Tensor]],
        model: bytes | None = None,
    ) -> str:
        """Add an open case; a reading without outputs is one that refuses."""
        files = {
            layout.reading_path(reading, i): proto(t)
            for reading, outputs in readings.items()
            for i, t in enumerate(outputs)
        }
        return self._add(
            "open", f"open_{name}", inputs, files, model=model,
            rules=["some-question"], reading=list(readings),
        )  # fmt: skip

    def write(self) -> Path:
        """Write the manifest; returns the suite's folder."""
        operators = [
            {
                "domain": "",
                "operator": "Identity",
                "version": self.version,
                "cases": len(self.cases),
                "expectations": {"value": len(self.cases)},
            }
        ]
        files = {case: _hashes(self.path / case) for case in self.cases}
        manifest = {
            "format": 1,
            "generator": GENERATOR,
            "levels": ["core"],
            "operators": operators,
            "files": files,
        }
        (self.path / layout.MANIFEST).write_text(json.dumps(manifest), "utf-8")
        return self.path

    def _add(
        self,
        expectation: str,
        name: str,
        inputs: list[Tensor],
        files: dict[str, bytes],
        *,
        outputs: int = 1,
        model: bytes | None = None,
        **changes: Any,
    ) -> str:
        case = f"{layout.version_folder('', 'Identity', self.version)}/{name}"
        said = {
            "id": case,
            "domain": "",
            "operator": "Identity",
            "version": self.version,
            "opset": self.version,
            "expectation": expectation,
            "dtypes": {"x": "float", "y": "float"},
            "inputs": [f"x{i}" if i else "x" for i in range(len(inputs))],
            "outputs": [f"y{i}" if i else "y" for i in range(outputs)],
            "granularity": None,
            "features": [],
            "rules": [],
            "stage": [],
            "reading": ["exact"] if expectation == "value" else [],
        }
        files = {
            **files,
            layout.CASE: json.dumps(said | changes).encode(),
            layout.MODEL: model or identity_model(inputs[0], self.version),
            **{layout.input_path(i): proto(t) for i, t in enumerate(inputs)},
        }
        for file, content in files.items():
            path = self.path / case / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.cases.append(case)
        return case


def _hashes(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def every_code(dtype: str) -> Tensor:
    """A tensor of every code of a format of at most 8 bits, or of some of a wider one."""
    form = formats()[dtype]
    codes = np.arange(min(1 << form.bits, 256)).astype(form.code_dtype)
    return coded(codes, dtype)


def values(t: Tensor) -> Any:
    """The array of a tensor."""
    return array_of(t.codes, t.format)
