"""A suite written to disk all at once, or compared with one that is there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from onnx_cts_generator.emit import File
from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.folders import replacing
from onnx_cts_harness import layout

_IGNORED = {"__pycache__", ".pytest_cache"}


def write_suite(files: Iterable[File], out: Path, mark: str = layout.MANIFEST) -> None:
    """Write a suite beside its folder and rename it into place, in place of an older one.

    Args:
        files: The files.
        out: The folder.
        mark: The file by which a folder is known to be an older one of the kind.

    Raises:
        GenerateError: The folder holds something else than a suite, or cannot be written.
    """
    with replacing(check_replaceable(out, mark)) as folder:
        _write_all(files, folder)


def check_replaceable(out: Path, mark: str = layout.MANIFEST) -> Path:
    """The folder that a suite will be written to.

    Raises:
        GenerateError: It holds something else than a suite.
    """
    # Of a link it is the folder that it points to which is replaced, not the link.
    out = out.resolve()
    if out.exists() and not _may_replace(out, mark):
        raise GenerateError(
            f"{out} is not a suite (it has no {mark}) and is not empty; "
            "name another folder, or remove it"
        )
    return out


def _may_replace(out: Path, mark: str) -> bool:
    """Whether a folder is empty, or holds the mark of its kind and not that of another."""
    if not (out / mark).is_file():
        return out.is_dir() and not any(out.iterdir())
    try:
        marked = json.loads((out / mark).read_bytes())
    except ValueError:
        return True
    # ONNX's exported node cases have a manifest too, which names their kind.
    return "kind" not in marked


def _write_all(files: Iterable[File], root: Path) -> None:
    made: set[Path] = set()
    for folder, name, content in files:
        path = root / folder / name
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        path.write_bytes(content)


def differences(files: Iterable[File], out: Path) -> Iterator[str]:
    """How the suite in a folder differs from these files, one line a file.

    Raises:
        GenerateError: There is no such folder.
    """
    if not out.is_dir():
        raise GenerateError(f"{out} is no folder; generate the suite there first")
    expected: set[Path] = set()
    for folder, name, content in files:
        path = out / folder / name
        expected.add(path)
        if not path.is_file():
            yield f"missing: {path}"
        elif path.read_bytes() != content:
            yield f"differs: {path}"
    for path in sorted(out.rglob("*")):
        if (
            path.is_file()
            and path not in expected
            and not _IGNORED & set(path.relative_to(out).parts)
        ):
            yield f"not of the suite: {path}"
