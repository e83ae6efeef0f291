"""The manifest of an export: what it holds, made with what, and the hash of every file."""

from __future__ import annotations

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onnx_cts_generator.errors import GenerateError
from onnx_cts_specs.locations import domain_name

if TYPE_CHECKING:
    from onnx_cts_generator.upstream.building import OfficialCase

KIND = "onnx-node-cases"
"""Tells the manifest of an export from that of a suite."""
FORMAT = 1

#: What the bytes of an export depend on beside onnx: NumPy and ml_dtypes compute the values.
_MADE_WITH = ("onnx", "numpy", "ml_dtypes", "protobuf")


class LostCasesError(GenerateError):
    """An export that lacks cases of its baseline.

    Attributes:
        lost: Names of the cases.
    """

    def __init__(self, lost: Sequence[str], baseline: Path) -> None:
        super().__init__(f"the export lost {len(lost)} cases of {baseline}; nothing was written")
        self.lost = lost


@dataclass(frozen=True)
class Manifest:
    """What can be read back from a manifest.

    Attributes:
        operators: The operator of each case, by the name of the case.
    """

    operators: Mapping[str, str]

    def lost(self, kept: Mapping[str, object], operators: Sequence[str]) -> list[str]:
        """The cases that are not kept, of the operators given or of all if none is."""
        return [
            name
            for name, operator in self.operators.items()
            if name not in kept and (not operators or operator in operators)
        ]


class ManifestWriter:
    """A manifest that grows with the cases."""

    def __init__(self) -> None:
        self.cases: dict[str, dict[str, Any]] = {}
        self.size = 0

    def add(self, case: OfficialCase, files: Mapping[str, bytes]) -> None:
        """Take in a case and its files."""
        self.size += sum(map(len, files.values()))
        self.cases[case.name] = {
            "domain": case.domain,
            "operator": case.operator,
            "opset": {entry.domain: entry.version for entry in case.model.opset_import},
            "ir_version": case.model.ir_version,
            "files": {n: hashlib.sha256(content).hexdigest() for n, content in files.items()},
        }

    @property
    def files(self) -> int:
        """Number of files."""
        return sum(len(case["files"]) for case in self.cases.values())

    def document(self) -> dict[str, Any]:
        """The content of the manifest."""
        operators = Counter(
            f"{domain_name(case['domain'])}:{case['operator']}" for case in self.cases.values()
        )
        return {
            "kind": KIND,
            "format": FORMAT,
            "made_with": {**_versions(), "machine": platform.machine()},
            "counts": {"cases": len(self.cases), "files": self.files, "bytes": self.size},
            "operators": dict(sorted(operators.items())),
            "cases": dict(sorted(self.cases.items())),
        }


def _versions() -> dict[str, str]:
    found = {}
    for name in _MADE_WITH:
        # An older onnx does without ml_dtypes.
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def read_manifest(path: Path) -> Manifest:
    """Read the manifest of an export.

    Raises:
        GenerateError: It cannot be read, or is something else.
    """
    try:
        document = json.loads(path.read_bytes())
        kind, form = document["kind"], document["format"]
        if (kind, form) == (KIND, FORMAT):
            return Manifest({name: case["operator"] for name, case in document["cases"].items()})
    except OSError as error:
        raise GenerateError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise GenerateError(
            f"{path} is not the manifest of an export; `onnx-cts upstream export` writes one"
        ) from None
    raise GenerateError(
        f"{path} is a manifest of kind {kind!r}, format {form!r}, "
        f"where {KIND!r}, format {FORMAT} is read"
    )
