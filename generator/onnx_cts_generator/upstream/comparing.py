"""Two exports compared: equal bytes first, and only what differs is looked into."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.upstream.finding import Comparison, FileDifference, Finding
from onnx_cts_generator.upstream.models import model_findings
from onnx_cts_generator.upstream.reading import StoredCase, stored_cases
from onnx_cts_generator.upstream.values import StoredValue, read_value, value_findings
from onnx_cts_harness import layout
from onnx_cts_harness.text import clean

if TYPE_CHECKING:
    import onnx

_VALUE = re.compile(r"test_data_set_\d+/(input|output)_(\d+)\.pb")
_TENSOR = "tensor_type"


class _UnreadableError(Exception):
    """A file that cannot be read, or is not what it should be: the path and the reason."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")


def compare(first: Path, second: Path) -> Comparison:
    """Compare two folders in the classic layout.

    Raises:
        GenerateError: One of them is none.
    """
    one, two = _both(first, second)
    result = Comparison(
        added=[name for name in two if name not in one],
        removed=[name for name in one if name not in two],
    )
    for name in one:
        if name in two:
            _compare_case(one[name], two[name], result)
    return result


def _both(first: Path, second: Path) -> list[dict[str, StoredCase]]:
    cases, errors = [], []
    for root in (first, second):
        try:
            cases.append(dict(stored_cases(root)))
        except GenerateError as error:
            errors.append(str(error))
    if errors:
        # Both sides in one go, so that nobody mends one to hear of the other.
        raise GenerateError("; ".join(dict.fromkeys(errors)))
    return cases


def _compare_case(one: StoredCase, two: StoredCase, result: Comparison) -> None:
    try:
        before, after = one.files(), two.files()
    except OSError as error:
        result.troubles.append(f"{error.filename}: cannot be read: {error.strerror}")
        return
    lacking = [case for case, files in ((one, before), (two, after)) if layout.MODEL not in files]
    result.troubles += [f"{case.folder}: has no {layout.MODEL}" for case in lacking]
    pair = _Pair(before, after)
    equal = not lacking
    for file in sorted(before.keys() | after.keys()):
        if lacking and file == layout.MODEL:
            continue
        try:
            found = list(pair.findings(file))
        except _UnreadableError as error:
            result.troubles.append(str(error))
            equal = False
            continue
        if found:
            result.differing.append(FileDifference(one.name, file, found))
            equal = False
    result.equal += equal


class _Pair:
    """The files of one case in two exports."""

    def __init__(self, before: dict[str, Path], after: dict[str, Path]) -> None:
        self._sides = before, after

    def findings(self, file: str) -> Iterator[Finding]:
        """In what a file differs; raises _UnreadableError."""
        before, after = self._sides
        if file not in before or file not in after:
            yield Finding("only in one", f"only in the {'first' if file in before else 'second'}")
            return
        first, second = _content(before[file]), _content(after[file])
        if first == second:
            return
        if file == layout.MODEL:
            yield from model_findings(*(_model(side[file]) for side in self._sides))
        elif value := _VALUE.fullmatch(file):
            kinds = self._kinds(value[1], int(value[2]))
            sides = zip(kinds, self._sides, (first, second), strict=True)
            yield from value_findings(*(_value(kind, side[file], c) for kind, side, c in sides))
        else:
            yield Finding("bytes", f"{len(first)} bytes, then {len(second)}")

    @cached_property
    def _graphs(self) -> list[onnx.GraphProto | None]:
        graphs: list[onnx.GraphProto | None] = []
        for side in self._sides:
            try:
                graphs.append(_model(side[layout.MODEL]).graph)
            except (KeyError, _UnreadableError):
                graphs.append(None)  # Told where the models themselves are compared.
        return graphs

    def _kinds(self, direction: str, index: int) -> tuple[str, str]:
        """What the value is by each side's model, or by the other side's where one has none."""
        kinds = []
        for graph in self._graphs:
            infos = () if graph is None else graph.input if direction == "input" else graph.output
            kinds.append(infos[index].type.WhichOneof("value") if index < len(infos) else None)
        first, second = kinds
        return first or second or _TENSOR, second or first or _TENSOR


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _UnreadableError(path, f"cannot be read: {error.strerror}") from None


def _model(path: Path) -> onnx.ModelProto:
    import onnx

    from onnx_cts_harness.protos import parse_proto

    try:
        return parse_proto(onnx.ModelProto, _content(path))
    except ValueError as error:
        raise _UnreadableError(path, str(error)) from None


def _value(kind: str, path: Path, content: bytes) -> StoredValue:
    try:
        return read_value(kind, content)
    except ValueError as error:
        raise _UnreadableError(path, clean(str(error))) from None
