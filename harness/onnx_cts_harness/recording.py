"""Write the record of a run, or go on with one that a run began."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Self

from onnx_cts_harness.backend import Backend
from onnx_cts_harness.part_file import PartFile
from onnx_cts_harness.record import FORMAT_VERSION, RUN, title_of
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
        header = _header(run, selection or Selection())
        self._lines = PartFile(file, header, RUN, _identity, resume=resume)
        self.known = tuple(map(result_of, self._lines.known))
        self._verdicts = Counter(result.verdict for result in self.known)

    def add(self, result: Result) -> None:
        """Write the line of one case."""
        self._verdicts[result.verdict] += 1
        self._lines.write(case_line(result))

    def __enter__(self) -> Self:
        """The writer itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the record: complete if no exception ends the run."""
        end = {"kind": "end", "cases": self._verdicts.total(), "verdicts": dict(self._verdicts)}
        self._lines.close(end if kind is None else None)


def _identity(header: Mapping[str, Any]) -> dict[str, object]:
    return {
        "suite": header["suite"]["hash"],
        "backend": title_of(header["backend"]),
        "selection of cases": header.get("selection"),
    }


def backend_of(run: Run) -> dict[str, Any]:
    """The backend of a run as the header of its record has it."""
    converter = run.converter
    if converter is None:
        return _named(run.backend)
    by = {"opset": converter.opset, "by": converter.name, "version": clean(converter.version)}
    return {**_named(run.backend), "conversion": by}


def _named(backend: Backend) -> dict[str, Any]:
    return {
        "name": backend.spec.name,
        "variant": backend.spec.variant,
        "version": clean(backend.identity.version),
    }


def _header(run: Run, selection: Selection) -> dict[str, Any]:
    suite = run.suite
    selected = selection.named()
    return {
        "kind": "header",
        "format": FORMAT_VERSION,
        "suite": {"hash": suite.hash, "cases": len(suite.entries), "levels": list(suite.levels)},
        **({"selection": selected} if selected else {}),
        **backend_header(run.backend),
        "backend": backend_of(run),
    }


def backend_header(backend: Backend) -> dict[str, Any]:
    """What the header of a record says of a backend and of where it runs."""
    identity, limits = backend.identity, backend.limits
    return {
        "backend": _named(backend),
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
        "harness": {"version": harness_version()},
    }


def harness_version() -> str:
    """The version of onnx-cts."""
    try:
        return metadata.version("onnx-cts")
    except metadata.PackageNotFoundError:
        return "unknown"
