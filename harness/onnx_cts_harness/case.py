"""One case of a suite: what ``case.json`` says, and the case with its model and tensors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from onnx_cts_harness import layout
from onnx_cts_harness.errors import CaseError
from onnx_cts_harness.protos import parse_proto
from onnx_cts_harness.schema import fault
from onnx_cts_harness.tensor import Tensor, parse_tensor

Expectation = Literal["value", "reject", "open"]


@dataclass(frozen=True)
class Case:
    """What ``case.json`` says; the published schema ``case`` explains each field."""

    id: str
    domain: str
    operator: str
    version: int
    opset: int
    expectation: Expectation
    dtypes: Mapping[str, str]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    granularity: str | None
    features: tuple[str, ...]
    rules: tuple[str, ...]
    stage: tuple[str, ...]
    reading: tuple[str, ...]
    presents: str = ""


@dataclass(frozen=True)
class Expected:
    """One expected output: its value, and the bounds where more than that is permitted."""

    value: Tensor
    lower: Tensor | None
    upper: Tensor | None


@dataclass(frozen=True)
class Tolerance:
    """How far from an expected element an answer may be: ``atol + rtol * abs(expected)``.

    The defaults are those of the official runner of ONNX's tests.
    """

    rtol: float = 1e-3
    atol: float = 1e-7


@dataclass(frozen=True)
class LoadedCase:
    """A case with all that running and judging it takes.

    Attributes:
        case: What ``case.json`` says.
        model: The bytes of the model.
        files: External data of the model: location to bytes.
        inputs: One tensor for each graph input, in order.
        expected: One for each graph output, in order; value cases only.
        readings: The outputs under each reading that has any, in order; open cases only.
        judged_by: Where ``expected`` comes from no suite of ours: what judges the answer.
        tolerance: How near an answer must be, if tolerance judges it.
        disagreement: How the expected outputs that came with the case differ from the
            reference's, if it judges; "" if they do not.
    """

    case: Case
    model: bytes
    files: Mapping[str, bytes]
    inputs: tuple[Tensor, ...]
    expected: tuple[Expected, ...]
    readings: Mapping[str, tuple[Tensor, ...]]
    judged_by: Literal["", "reference", "tolerance"] = ""
    tolerance: Tolerance | None = None
    disagreement: str = ""


def load_case(name: str, files: Mapping[str, bytes]) -> LoadedCase:
    """Make a case of the files of its folder.

    Args:
        name: The case's id.
        files: The bytes of each file by its path relative to the folder, with forward slashes.

    Raises:
        CaseError: A file is missing or unreadable; the message names it.
    """
    reader = _Reader(name, files)
    case = reader.case()
    _check_model(name, reader.bytes(layout.MODEL))
    count = range(len(case.outputs))
    return LoadedCase(
        case,
        reader.bytes(layout.MODEL),
        {f: b for f, b in files.items() if "/" not in f and f not in {layout.MODEL, layout.CASE}},
        tuple(reader.tensor(layout.input_path(i)) for i in range(len(case.inputs))),
        tuple(reader.expected(i) for i in count) if case.expectation == "value" else (),
        {r: reader.reading(r, count) for r in case.reading if r != layout.REFUSED}
        if case.expectation == "open"
        else {},
    )


def read_case(name: str, files: Mapping[str, bytes]) -> Case:
    """What ``case.json`` says.

    Args:
        name: The case's id.
        files: The bytes of that file, by its name.

    Raises:
        CaseError: The file is missing or unreadable.
    """
    return _Reader(name, files).case()


@dataclass(frozen=True)
class _Reader:
    name: str
    files: Mapping[str, bytes]

    def bytes(self, file: str) -> bytes:
        try:
            return self.files[file]
        except KeyError:
            raise CaseError(
                f"{self.name}/{file}: the suite lists no such file; generate the suite again"
            ) from None

    def case(self) -> Case:
        try:
            fields = json.loads(self.bytes(layout.CASE))
        except ValueError as error:
            raise CaseError(f"{self.name}/{layout.CASE}: not valid JSON: {error}") from None
        wrong = fault("case", fields)
        if wrong is None:
            wrong = self._misplaced(fields)
        if wrong is not None:
            raise CaseError(f"{self.name}/{layout.CASE}: {wrong}; generate the suite again")
        lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
        return Case(**(fields | lists))

    def _misplaced(self, fields: Mapping[str, Any]) -> str | None:
        folder = layout.version_folder(fields["domain"], fields["operator"], fields["version"])
        start = f"{folder}/{layout.PREFIXES[fields['expectation']]}"
        if fields["id"] == self.name and self.name.startswith(start):
            return None
        return f"at $.id: {fields['id']!r} is not the folder of the case, or not below {start}"

    def tensor(self, file: str) -> Tensor:
        try:
            return parse_tensor(self.bytes(file))
        except ValueError as error:
            raise CaseError(f"{self.name}/{file}: {error}; generate the suite again") from None

    def expected(self, index: int) -> Expected:
        value = self.tensor(layout.output_path(index))
        paths = (layout.lower_path(index), layout.upper_path(index))
        if not any(path in self.files for path in paths):
            return Expected(value, None, None)
        lower, upper = (self.tensor(path) for path in paths)
        for path, bound in zip(paths, (lower, upper), strict=True):
            if (bound.code, bound.shape) != (value.code, value.shape):
                raise CaseError(f"{self.name}/{path}: {bound} bounds an output that is {value}")
        return Expected(value, lower, upper)

    def reading(self, reading: str, count: range) -> tuple[Tensor, ...]:
        return tuple(self.tensor(layout.reading_path(reading, i)) for i in count)


def _check_model(name: str, model: bytes) -> None:
    import onnx

    try:
        if parse_proto(onnx.ModelProto, model).graph.node:
            return
        wrong = "a model without nodes"
    except ValueError as error:
        wrong = str(error)
    raise CaseError(f"{name}/{layout.MODEL}: {wrong}; generate the suite again")
