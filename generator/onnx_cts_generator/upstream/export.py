"""Write ONNX's own node cases in the classic layout, in one pass."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.folders import replacing
from onnx_cts_generator.upstream.building import OfficialCase, OfficialCases
from onnx_cts_generator.upstream.manifest import LostCasesError, ManifestWriter, read_manifest
from onnx_cts_generator.upstream.serializing import NODE, case_files
from onnx_cts_harness import layout

Batches = Iterable[list[OfficialCase]]


@dataclass(frozen=True)
class Exported:
    """What was written: the number of cases, of their files, and of the bytes in these."""

    cases: int
    files: int
    size: int


def export(
    out: Path,
    operators: Sequence[str] = (),
    baseline: Path | None = None,
    watched: Callable[[OfficialCases], Batches] = iter,
) -> Exported:
    """Write the node cases of the installed onnx to a folder, in place of an older export.

    Args:
        out: The folder.
        operators: Only the cases of these operators; all if empty.
        baseline: The manifest of an earlier export, none of whose cases may be lost.
        watched: Passes the batches on, to show progress.

    Raises:
        LostCasesError: The baseline has cases that onnx no longer has; the folder is as it was.
        GenerateError: The folder holds something else, or cannot be written; the baseline cannot be
            read; ONNX fails to build its cases; an operator has none.
    """
    # Of a link it is the folder that it points to which is replaced, not the link.
    out = out.resolve()
    if out.exists():
        _refuse_foreign(out)
    wanted = read_manifest(baseline) if baseline else None
    manifest = ManifestWriter()
    with replacing(out) as partial:
        for batch in watched(OfficialCases(operators)):
            for case in batch:
                files = dict(case_files(case))
                _write(partial / NODE / case.name, files)
                manifest.add(case, files)
        if baseline and wanted and (lost := wanted.lost(manifest.cases, operators)):
            raise LostCasesError(lost, baseline)
        text = json.dumps(manifest.document(), indent=1)
        (partial / layout.MANIFEST).write_bytes(f"{text}\n".encode("ascii"))
    return Exported(len(manifest.cases), manifest.files, manifest.size)


def _refuse_foreign(out: Path) -> None:
    try:
        if out.is_dir() and not any(out.iterdir()):
            return
        read_manifest(out / layout.MANIFEST)
    except (GenerateError, OSError):
        raise GenerateError(
            f"{out} is not an export and is not empty; name another folder, or remove it"
        ) from None


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for parent in {(folder / name).parent for name in files}:
        parent.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
