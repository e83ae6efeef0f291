"""Write the record of a run, or go on with one that a run began."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Self

from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.record import FORMAT_VERSION, part_of, read_begun, title_of
from onnx_cts_harness.record_line import case_line, result_of
from onnx_cts_harness.run import Run
from onnx_cts_harness.shard import WHOLE, Shard
from onnx_cts_harness.text import clean
from onnx_cts_harness.verify import Result


@dataclass(frozen=True)
class Selection:
    """Some of a suite's cases; all of them by default.

    Attributes:
        operators: Only these operators; () is all.
        versions: Only these versions; () is all.
        without: Cases with one of these features are left out.
        shard: Of the cases of these operators and versions, only this share.
    """

    operators: tuple[str, ...] = ()
    versions: tuple[int, ...] = ()
    without: tuple[str, ...] = ()
    shard: Shard = WHOLE

    def named(self) -> dict[str, Any]:
        """What selects cases, each sorted."""
        named: dict[str, list[Any]] = {
            "operators": sorted(set(self.operators)),
            "versions": sorted(set(self.versions)),
            "without": sorted(set(self.without)),
        }
        chosen: dict[str, Any] = {key: values for key, values in named.items() if values}
        return chosen | ({} if self.shard == WHOLE else {"shard": str(self.shard)})


class RecordWriter:
    """Writes the record of a run; a context manager.

    The lines go to ``<file>.part``, which takes the place of the file when the run ends well. A
    run that ends early leaves the part, without the closing line.

    Attributes:
        known: The results that were in the record already, in order.
    """

    def __init__(
        self, file: Path, run: Run, selection: Selection | None = None, *, resume: bool = False
    ) -> None:
        """Start the record.

        Args:
            file: Where the record is to be; its folder is made if need be.
            run: The run that the record is of.
            selection: The cases that the run is of; None for all.
            resume: Go on with the record that another run began.

        Raises:
            RecordError: The file cannot be written, or not be gone on with.
        """
        self._file = file
        self._part = part_of(file)
        self.known: tuple[Result, ...] = ()
        header = _header(run, selection or Selection())
        try:
            if resume:
                self.known = self._resumed(header)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
            # Line by line, so that a killed run leaves what it knew.
            mode = "a" if resume else "w"
            self._stream = self._part.open(mode, 1, encoding="utf-8", newline="\n")
        except OSError as error:
            raise RecordError(f"{self._part}: cannot be written: {error.strerror}") from None
        self._verdicts = Counter(result.verdict for result in self.known)
        if not resume:
            self._write(header)

    def add(self, result: Result) -> None:
        """Write the line of one case."""
        self._verdicts[result.verdict] += 1
        self._write(case_line(result))

    def __enter__(self) -> Self:
        """The writer itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the record: complete if no exception ends the run."""
        if kind is None:
            count = self._verdicts.total()
            self._write({"kind": "end", "cases": count, "verdicts": dict(self._verdicts)})
        self._stream.close()
        if kind is None:
            os.replace(self._part, self._file)  # noqa: PTH105 - atomic on every system

    def _resumed(self, header: Mapping[str, Any]) -> tuple[Result, ...]:
        """Leave in the part what can be gone on with, and read its results."""
        source = self._part if self._part.exists() else self._file
        if not source.exists():
            raise RecordError(f"{self._file}: there is no record to resume; run without --resume")
        begun = read_begun(source)
        _check_same(source, begun.record.header, header)
        if source == self._part:
            os.truncate(source, begun.size)
        else:
            self._part.write_bytes(source.read_bytes()[: begun.size])
        return tuple(map(result_of, begun.record.cases))

    def _write(self, line: Mapping[str, Any]) -> None:
        self._stream.write(json.dumps(line, allow_nan=False, ensure_ascii=False) + "\n")


def _check_same(file: Path, begun: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    for what, before, after in (
        ("suite", begun["suite"]["hash"], now["suite"]["hash"]),
        ("backend", title_of(begun["backend"]), title_of(now["backend"])),
        ("selection of cases", begun.get("selection"), now.get("selection")),
    ):
        if before != after:
            raise RecordError(
                f"{file}: cannot be resumed: it is of another {what}: {_said(before)}, and this "
                f"run of {_said(after)}; run without --resume"
            )


def _said(value: object) -> str:
    if value is None:
        return "all cases"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def backend_of(run: Run) -> dict[str, Any]:
    """The backend of a run as the header of its record has it."""
    spec, converter = run.backend.spec, run.converter
    named = {
        "name": spec.name,
        "variant": spec.variant,
        "version": clean(run.backend.identity.version),
    }
    if converter is None:
        return named
    by = {"opset": converter.opset, "by": converter.name, "version": clean(converter.version)}
    return {**named, "conversion": by}


def _header(run: Run, selection: Selection) -> dict[str, Any]:
    suite, identity, limits = run.suite, run.backend.identity, run.backend.limits
    selected = selection.named()
    return {
        "kind": "header",
        "format": FORMAT_VERSION,
        "suite": {"hash": suite.hash, "cases": len(suite.entries), "levels": list(suite.levels)},
        **({"selection": selected} if selected else {}),
        "backend": backend_of(run),
        "environment": {
            "python": identity.python,
            "platform": identity.platform,
            "machine": identity.machine,
            "packages": dict(identity.packages),
        },
        "limits": {
            "timeout": limits.timeout,
            **({"memory": limits.memory} if limits.memory else {}),
            **({"offline": True} if limits.offline else {}),
        },
        "harness": {"version": _harness_version()},
    }


def _harness_version() -> str:
    try:
        return metadata.version("onnx-cts")
    except metadata.PackageNotFoundError:
        return "unknown"
