"""Read a suite: its manifest at once, its cases one by one."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx_cts_harness import layout
from onnx_cts_harness.case import Expectation, LoadedCase, load_case, read_case
from onnx_cts_harness.errors import CaseError, SuiteError
from onnx_cts_harness.schema import fault
from onnx_cts_specs.locations import domain_of

#: Bytes of a file that are read at once: more than most of them have.
AT_ONCE = 1 << 16


@dataclass(frozen=True)
class CaseEntry:
    """A case as the manifest lists it, known before any of its files is read.

    Attributes:
        id: The case's folder relative to the suite.
        domain: Operator domain; "" is ai.onnx.
        operator: Operator name.
        version: The opset that introduced the operator's version.
        expectation: What must happen.
        hashes: The sha256 of each file of the folder, by its path relative to it.
    """

    id: str
    domain: str
    operator: str
    version: int
    expectation: Expectation
    hashes: Mapping[str, str]


@dataclass(frozen=True)
class Suite:
    """A folder of cases with its manifest; ``open_suite`` makes one.

    Attributes:
        path: The suite's folder.
        hash: The sha256 of the manifest, which identifies the suite.
        levels: The levels of cases that the suite holds.
        entries: Every case by its id, in the manifest's order.
    """

    path: Path
    hash: str
    levels: tuple[str, ...]
    entries: Mapping[str, CaseEntry]

    def select(
        self, operators: Collection[str] = (), versions: Collection[int] = ()
    ) -> tuple[CaseEntry, ...]:
        """The cases of these operators at these versions, in the manifest's order; () is all.

        Raises:
            SuiteError: The suite has no case of a named operator or version, or none of both.
        """
        cases = self.entries.values()
        _check_named("operator", operators, {entry.operator for entry in cases})
        _check_named("version", versions, {entry.version for entry in cases})
        chosen = tuple(
            entry
            for entry in cases
            if (not operators or entry.operator in operators)
            and (not versions or entry.version in versions)
        )
        if not chosen:
            raise SuiteError(f"{self.path}: no case is of a named operator at a named version")
        return chosen

    def load(self, entry: CaseEntry) -> LoadedCase:
        """Read a case.

        Raises:
            CaseError: A file is missing, unreadable, or not the one that was generated.
        """
        return load_case(entry.id, {file: self._read(entry, file) for file in entry.hashes})

    def features(self, entry: CaseEntry) -> tuple[str, ...]:
        """The features of a case, by ``case.json`` alone.

        Raises:
            CaseError: That file is missing, unreadable, or not the one that was generated.
        """
        return read_case(entry.id, {layout.CASE: self._read(entry, layout.CASE)}).features

    def _read(self, entry: CaseEntry, file: str) -> bytes:
        name = f"{entry.id}/{file}"
        try:
            content = _content(f"{self.path}/{name}")
        except FileNotFoundError:
            raise CaseError(f"{name}: the file is missing; generate the suite again") from None
        except OSError as error:
            raise CaseError(f"{name}: cannot be read: {error.strerror}") from None
        if hashlib.sha256(content).hexdigest() != entry.hashes[file]:
            raise CaseError(f"{name}: changed since the suite was generated; generate it again")
        return content


def _content(path: str) -> bytes:
    # There are thousands of small files: a stream takes twice as long as the file itself.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        content = part = os.read(number, AT_ONCE)
        while len(part) == AT_ONCE:  # A file gives less only at its end.
            part = os.read(number, AT_ONCE)
            content += part
    finally:
        os.close(number)
    return content


def open_suite(path: Path) -> Suite:
    """Open a suite: read and check its manifest, and that the folder of each case is there.

    Args:
        path: The suite's folder.

    Raises:
        SuiteError: The folder is no suite, or not whole, or of a format that is not known.
    """
    manifest, digest = _read_manifest(path / layout.MANIFEST)
    cases = {
        folder: _entry(path, folder, hashes)
        for folder, hashes in manifest["files"].items()
        if layout.CASE in hashes
    }
    missing = [folder for folder in cases if not (path / folder).is_dir()]
    if missing:
        raise SuiteError(
            f"{path}: {len(missing)} of {len(cases)} case folders are missing, "
            f"the first is {missing[0]}; copy or generate the suite again"
        )
    return Suite(path, digest, tuple(manifest["levels"]), cases)


def _read_manifest(file: Path) -> tuple[dict[str, Any], str]:
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise SuiteError(
            f"{file.parent}: no suite here (no {file.name}); name the folder that "
            "`onnx-cts generate --out` wrote"
        ) from None
    except OSError as error:
        raise SuiteError(f"{file}: cannot be read: {error.strerror}") from None
    try:
        manifest = json.loads(content)
    except ValueError as error:
        raise SuiteError(
            f"{file}: not valid JSON, perhaps cut short: {error}; generate the suite again"
        ) from None
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if version is not None and version != layout.FORMAT_VERSION:
        raise SuiteError(
            f"{file}: suite format {version!r}, but this harness reads format "
            f"{layout.FORMAT_VERSION}; use the onnx-cts that generated the suite"
        )
    wrong = fault("manifest", manifest)
    if wrong is not None:
        raise SuiteError(f"{file}: {wrong}; generate the suite again")
    return manifest, hashlib.sha256(content).hexdigest()


def _entry(path: Path, folder: str, hashes: Mapping[str, str]) -> CaseEntry:
    parts = folder.split("/")
    expectation = next((e for e, p in layout.PREFIXES.items() if parts[-1].startswith(p)), None)
    if len(parts) != 4 or expectation is None or not re.fullmatch("v[0-9]+", parts[2]):
        raise SuiteError(
            f"{path / layout.MANIFEST}: at $.files: {folder!r} holds a case but is not named "
            "<domain>/<operator>/v<version>/(test|reject|open)_<case>; generate the suite again"
        )
    domain, operator, version, _ = parts
    return CaseEntry(
        folder,
        domain_of(domain),
        operator,
        int(version[1:]),
        expectation,  # type: ignore[arg-type] # the keys of PREFIXES are the expectations
        hashes,
    )


def _check_named(what: str, named: Collection[Any], present: set[Any]) -> None:
    for name in named:
        if name not in present:
            raise SuiteError(
                f"the suite has no case of {what} {name}; it has "
                f"{', '.join(map(str, sorted(present)))}"
            )
