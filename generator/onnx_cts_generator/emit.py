"""The files of a case, of an operator version, and of a suite, as bytes by their paths."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Protocol

from onnx_cts_generator.case import Case, Value
from onnx_cts_generator.models import build_model, tensor_proto
from onnx_cts_generator.render import test_module
from onnx_cts_harness import layout
from onnx_cts_specs import Spec

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


class Chapter(Protocol):
    """The cases of one operator version."""

    @property
    def spec(self) -> Spec:
        """The spec."""

    @property
    def level(self) -> str:
        """The level of the cases."""

    def cases(self) -> Iterator[Case]:
        """Every case, in order."""

    def coverage(self) -> dict[str, object]:
        """What the manifest states of the coverage reached."""


ChapterFiles = tuple[list[File], Mapping[str, object]]
"""The files of a chapter, and what the manifest says of it."""
Mapped = Callable[[Callable[[Chapter], ChapterFiles], Iterable[Chapter]], Iterator[ChapterFiles]]
"""Gives what a function gives for each chapter, in their order, wherever it is computed."""


def chapter_files(chapter: Chapter) -> ChapterFiles:
    """The files of a chapter, case by case, and what the manifest says of it."""
    spec = chapter.spec
    folder = layout.version_folder(spec.domain, spec.operator, spec.since_version)
    documents: dict[str, dict[str, object]] = {}
    files: list[File] = []
    for case in chapter.cases():
        if case.name in documents:
            raise AssertionError(f"two cases have the name {case.name}")
        documents[case.name] = case_document(case)
        files += ((f"{folder}/{case.name}", *file) for file in case_files(case))
    files.append((folder, *test_module(spec, list(documents.values()))))
    expectations = [document["expectation"] for document in documents.values()]
    return files, {
        "domain": spec.domain,
        "operator": spec.operator,
        "version": spec.since_version,
        "cases": len(expectations),
        "expectations": {e: expectations.count(e) for e in layout.PREFIXES},
        "coverage": chapter.coverage(),
    }


class SuiteFiles:
    """The files of a suite, made one chapter at a time; the manifest comes last."""

    def __init__(self, chapters: Sequence[Chapter], mapped: Mapped = map) -> None:
        """Take what the suite is made of.

        Args:
            chapters: The chapters.
            mapped: How what each chapter gives is computed.
        """
        self._chapters, self._mapped = chapters, mapped
        self._hashes: dict[str, dict[str, str]] = {}
        self._operators: list[Mapping[str, object]] = []

    def __iter__(self) -> Iterator[File]:
        for files, entry in self._mapped(chapter_files, self._chapters):
            for folder, name, content in files:
                self._hashes.setdefault(folder, {})[name] = hashlib.sha256(content).hexdigest()
                yield folder, name, content
            self._operators.append(entry)
        yield ".", layout.MANIFEST, json_bytes(self._manifest())

    def _manifest(self) -> dict[str, object]:
        return {
            "format": layout.FORMAT_VERSION,
            "generator": {"name": "onnx-cts", "version": version("onnx-cts")},
            "levels": sorted({chapter.level for chapter in self._chapters}),
            "operators": self._operators,
            "files": self._hashes,
        }
