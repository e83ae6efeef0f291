"""An export, or any folder in the classic layout, as files to be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.upstream.serializing import NODE


@dataclass(frozen=True)
class StoredCase:
    """A case on disk.

    Attributes:
        name: Name of its folder.
        folder: Its folder.
    """

    name: str
    folder: Path

    def files(self) -> dict[str, Path]:
        """Its files by their paths relative to the folder; raises OSError."""
        found: dict[str, Path] = {}
        folders = [(self.folder, "")]
        while folders:
            folder, prefix = folders.pop()
            for path in sorted(folder.iterdir()):
                if path.is_dir():
                    folders.append((path, f"{prefix}{path.name}/"))
                elif path.is_file():
                    found[f"{prefix}{path.name}"] = path
        return found


def stored_cases(root: Path) -> Mapping[str, StoredCase]:
    """The cases in a folder that holds a folder ``node``, by name.

    ONNX's own old data have no manifest, and are read as well.

    Raises:
        GenerateError: There is no such folder, or it holds no case.
    """
    node = root / NODE
    try:
        if not root.is_dir():
            raise GenerateError(f"{root} is no folder")
        if not node.is_dir():
            raise GenerateError(
                f"{root} is no export: it has no folder {NODE}; "
                "`onnx-cts upstream export` makes one"
            )
        cases = {path.name: StoredCase(path.name, path) for path in node.iterdir() if path.is_dir()}
    except OSError as error:
        raise GenerateError(f"{node} cannot be read: {error.strerror}") from None
    if not cases:
        raise GenerateError(f"{root} is no export: {node} holds no case")
    return dict(sorted(cases.items()))
