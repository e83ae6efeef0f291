"""Read a folder in ONNX's classic layout, which lists its cases nowhere, as a suite."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from onnx_cts_harness import layout
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.classic_case import Source, load_source, read_model
from onnx_cts_harness.errors import CaseError
from onnx_cts_harness.suite import CaseEntry, Suite, open_suite
from onnx_cts_specs.locations import domain_of

if TYPE_CHECKING:
    from onnx import ModelProto

#: What stands for the operator of a model with several nodes, and of one that cannot be read.
GRAPH = "(graph)"
UNREADABLE = "(unreadable)"


@dataclass(frozen=True)
class ClassicSuite(Suite):
    """A folder of cases without a manifest; ``open_folder`` makes one.

    Attributes:
        sources: The files of each case by its id.
    """

    sources: Mapping[str, Source]

    def load(self, entry: CaseEntry) -> LoadedCase:
        """Read a case.

        Raises:
            CaseError: The case cannot be used, or its tensors cannot be passed on.
        """
        return load_source(self.sources[entry.id], entry)

    def features(self, entry: CaseEntry) -> tuple[str, ...]:
        """None: nothing says what a case of this layout is about."""
        del entry
        return ()


def open_folder(path: Path) -> Suite:
    """Open a suite, or a folder of cases in ONNX's classic layout.

    Args:
        path: The folder.

    Raises:
        SuiteError: The folder is neither, or a suite that cannot be used.
    """
    folders = [] if _has_own_manifest(path) else _case_folders(path)
    if not folders:
        return open_suite(path)
    entries: dict[str, CaseEntry] = {}
    sources: dict[str, Source] = {}
    for folder in folders:
        for source in _sources(path, folder):
            sources[source.name] = source
            entries[source.name] = _entry(source)
    return ClassicSuite(path, _hash(path, folders), (), entries, sources)


def _has_own_manifest(path: Path) -> bool:
    """Whether there is a manifest, though a broken one, that is not of another kind of folder."""
    try:
        manifest = json.loads((path / layout.MANIFEST).read_bytes())
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    return not (isinstance(manifest, dict) and "kind" in manifest)


def _case_folders(path: Path) -> list[Path]:
    """The folders of cases in the order of their paths, those without a model among them."""
    cases, bare = [], []
    for name, subfolders, files in os.walk(path):
        folder = Path(name)
        subfolders[:] = sorted(s for s in subfolders if not s.startswith("."))
        if layout.MODEL in files or any(s.startswith(layout.DATA_SETS) for s in subfolders):
            subfolders.clear()
            cases.append(folder)
        elif folder.name.startswith(layout.PREFIXES["value"]) and not subfolders:
            bare.append(folder)
    # Beside cases, a folder that is named like one has lost its files; elsewhere it is any folder.
    parents = {folder.parent for folder in cases}
    return sorted([*cases, *(folder for folder in bare if folder.parent in parents)])


def _sources(path: Path, folder: Path) -> Iterator[Source]:
    name = folder.relative_to(path).as_posix() if folder != path else path.resolve().name
    sets = [sub for sub in folder.glob(f"{layout.DATA_SETS}*") if sub.is_dir()]
    if len(sets) < 2:
        yield Source(name, folder, sets[0] if sets else None)
        return
    for data in sorted(sets, key=lambda sub: [int(n) for n in re.findall(r"\d+", sub.name)]):
        yield Source(f"{name}/{data.name}", folder, data)


def _entry(source: Source) -> CaseEntry:
    try:
        domain, operator, version = _operator(read_model(source))
    except CaseError:
        domain, operator, version = "", UNREADABLE, 0
    return CaseEntry(source.name, domain, operator, version, "value", hashes={})


def _operator(model: ModelProto) -> tuple[str, str, int]:
    """Domain, name and opset of the operator of the one node that takes inputs, or of a graph."""
    opsets = {domain_of(opset.domain): opset.version for opset in model.opset_import}
    nodes = (
        model.graph.node if len(model.graph.node) == 1 else [n for n in model.graph.node if n.input]
    )
    if len(nodes) != 1:
        return "", GRAPH, opsets.get("", 0)
    domain = domain_of(nodes[0].domain)
    return domain, nodes[0].op_type, opsets.get(domain, 0)


def _hash(path: Path, folders: list[Path]) -> str:
    """A name of what the cases hold: the sha256 of the list of their files."""
    listing = hashlib.sha256()
    for folder in folders:
        for file in sorted(f for f in folder.rglob("*") if f.is_file()):
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            listing.update(f"{digest}  {file.relative_to(path).as_posix()}\n".encode())
    return listing.hexdigest()
