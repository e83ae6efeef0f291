"""Faults as cases of a suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from onnx_cts_generator.case import Case
from onnx_cts_generator.emit import SuiteFiles
from onnx_cts_generator.fuzz.faults import Fault
from onnx_cts_generator.writing import write_suite
from onnx_cts_specs import Spec

LEVEL = "fuzz"


@dataclass(frozen=True)
class FoundCases:
    """The cases of the faults of one operator version, as a chapter of a suite."""

    spec: Spec
    faults: tuple[Fault, ...]
    level: str = LEVEL

    def cases(self) -> Iterator[Case]:
        """The cases, in the order in which they were found."""
        for fault in self.faults:
            yield fault.case

    def coverage(self) -> dict[str, object]:
        """What the manifest states: how many faults there are."""
        return {"faults": len(self.faults)}


def write_found(faults: Sequence[Fault], out: Path) -> None:
    """Write the cases of faults as a suite.

    Raises:
        GenerateError: The folder holds something else than a suite, or cannot be written.
    """
    found: dict[tuple[str, str, int], list[Fault]] = {}
    for fault in faults:
        spec = fault.case.node.spec
        found.setdefault((spec.domain, spec.operator, spec.since_version), []).append(fault)
    chapters = [
        FoundCases(some[0].case.node.spec, tuple(some)) for _, some in sorted(found.items())
    ]
    write_suite(SuiteFiles(chapters), out)
