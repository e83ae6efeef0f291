"""The files of a case, of an operator version, and of a suite, as bytes by their paths."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version

from onnx_cts_generator.case import Case, Value
from onnx_cts_generator.cases import Chapter
from onnx_cts_generator.models import build_model, tensor_proto
from onnx_cts_generator.render import test_module
from onnx_cts_harness import layout

File = tuple[str, str, bytes]
"""A folder relative to the suite, a file relative to the folder, and its content."""


def case_document(case: Case) -> dict[str, object]:
    """The content of ``case.json``."""
    spec = case.node.spec
    folder = layout.version_folder(spec.domain, spec.operator, spec.since_version)
    dtypes = {name: value.format.name for name, value in case.node.inputs.items()}
    dtypes |= {name: dtype for name, (dtype, _) in case.node.results.items()}
    document: dict[str, object] = {
        "id": f"{folder}/{case.name}",
        "domain": spec.domain,
        "operator": spec.operator,
        "version": spec.since_version,
        "opset": case.presentation.opset,
        "expectation": case.expectation,
        "dtypes": dtypes,
        "inputs": _graph_inputs(case),
        "outputs": list(case.node.results),
        "granularity": case.granularity or None,
        "features": list(case.features),
        "rules": list(case.rules),
        "stage": list(case.stage),
        "reading": list(case.readings),
    }
    if case.presents:
        document["presents"] = f"{folder}/{case.presents}"
    return document


def _graph_inputs(case: Case) -> list[str]:
    if case.presentation.parameters == "inputs":
        return list(case.node.inputs)
    return [name for name in case.node.inputs if name == case.node.spec.data.name]


def case_files(case: Case) -> Iterator[tuple[str, bytes]]:
    """The files of a case, relative to its folder."""
    model, external = build_model(case.node, case.presentation)
    yield layout.MODEL, model
    yield from external.items()
    yield layout.CASE, json_bytes(case_document(case))
    for index, name in enumerate(_graph_inputs(case)):
        yield layout.input_path(index), tensor_bytes(name, case.node.inputs[name])
    paths = {"value": layout.output_path, "lower": layout.lower_path, "upper": layout.upper_path}
    for reading, values in case.expected.items():
        for index, (name, value) in enumerate(zip(case.node.results, values, strict=True)):
            if value is None:
                continue
            if case.expectation == "open":
                path = layout.reading_path(reading, index)
            else:
                path = paths[reading](index)
            yield path, tensor_bytes(name, value)


def tensor_bytes(name: str, value: Value, *, typed: bool = False) -> bytes:
    """A serialized tensor, in raw data or in a typed field."""
    content: bytes = tensor_proto(name, value, typed=typed).SerializeToString(deterministic=True)
    return content


def json_bytes(document: object) -> bytes:
    """JSON as every file of a suite has it: sorted where order means nothing, one line a key."""
    text = json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False)
    return f"{text}\n".encode("ascii")


class SuiteFiles:
    """The files of a suite, made one case at a time; the manifest comes last."""

    def __init__(self, chapters: Sequence[Chapter]) -> None:
        self._chapters = chapters
        self._hashes: dict[str, dict[str, str]] = {}
        self._operators: list[Mapping[str, object]] = []

    def __iter__(self) -> Iterator[File]:
        for chapter in self._chapters:
            for folder, name, content in self._chapter_files(chapter):
                self._hashes.setdefault(folder, {})[name] = hashlib.sha256(content).hexdigest()
                yield folder, name, content
        yield ".", layout.MANIFEST, json_bytes(self._manifest())

    def _chapter_files(self, chapter: Chapter) -> Iterator[File]:
        spec = chapter.spec
        folder = layout.version_folder(spec.domain, spec.operator, spec.since_version)
        documents: dict[str, dict[str, object]] = {}
        for case in chapter.cases():
            if case.name in documents:
                raise AssertionError(f"two cases have the name {case.name}")
            documents[case.name] = case_document(case)
            for name, content in case_files(case):
                yield f"{folder}/{case.name}", name, content
        name, module = test_module(spec, list(documents.values()))
        yield folder, name, module
        expectations = [document["expectation"] for document in documents.values()]
        self._operators.append(
            {
                "domain": spec.domain,
                "operator": spec.operator,
                "version": spec.since_version,
                "cases": len(expectations),
                "expectations": {e: expectations.count(e) for e in layout.PREFIXES},
                "coverage": chapter.coverage(),
            }
        )

    def _manifest(self) -> dict[str, object]:
        return {
            "format": layout.FORMAT_VERSION,
            "generator": {"name": "onnx-cts", "version": version("onnx-cts")},
            "levels": sorted({chapter.level for chapter in self._chapters}),
            "operators": self._operators,
            "files": self._hashes,
        }
