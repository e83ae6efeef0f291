"""Find a backend by the name that a user gives."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from onnx_cts_harness.backend import BackendSpec
from onnx_cts_harness.errors import BackendError

ENTRY_POINTS = "onnx_cts.adapters"
BACKEND_API = "backend-api"
COMMAND = "command"
#: Built-in adapters that drive nothing until they are told what.
BY_ARGUMENT = (BACKEND_API, COMMAND)
ADAPTERS = Path(__file__).parent / "adapters"


def built_in() -> Mapping[str, Path]:
    """The built-in adapters' files by name: those of the folder ``adapters``."""
    files = sorted(ADAPTERS.glob("[!_]*.py"))
    return {file.stem.replace("_", "-"): file for file in files}


def known_names() -> list[str]:
    """The names of all backends that have one: built in, and registered by other distributions."""
    return sorted({*built_in(), *(point.name for point in _points())})


def resolve(name: str) -> BackendSpec:
    """Find a backend.

    Args:
        name: ``NAME`` or ``NAME:VARIANT`` of an adapter that is built in or registered;
            ``PATH.py`` or ``PATH.py:VARIANT``; ``package.module:Class`` or ``package.module``
            of an implementation of ONNX's Backend API; or ``command:`` and a command line, with
            ``{model}``, ``{inputs}`` and ``{outputs}``.

    Raises:
        BackendError: There is no such backend.
    """
    stem, _, variant = name.partition(":")
    if stem == COMMAND:
        argument = json.dumps({"folder": str(Path.cwd()), "command": variant})
        return BackendSpec(stem, variant or None, built_in()[COMMAND], argument)
    adapter = built_in().get(stem) or _registered(stem)
    if adapter is not None:
        folders = (Path.cwd(),) if stem == BACKEND_API else ()
        return BackendSpec(stem, variant or None, adapter, variant or None, folders)
    path = re.fullmatch(r"(.+\.py)(?::(.*))?", name)
    if path is not None:
        file, variant = Path(path[1]), path[2]
        if not file.is_file():
            raise BackendError(f"backend {name!r}: there is no file {file}")
        return BackendSpec(file.stem, variant or None, file, variant or None)
    if _is_import_path(name):
        return backend_api(name, Path.cwd())
    raise BackendError(
        f"unknown backend {name!r}; known are {', '.join(known_names())}, the path of an adapter "
        "(PATH.py), the import path of an ONNX Backend (package.module:Class), or a command line "
        "(command:./runner {model} {inputs} {outputs})"
    )


def backend_api(path: str, folder: Path) -> BackendSpec:
    """An implementation of ONNX's Backend API, by its import path from a folder."""
    return BackendSpec(path, None, built_in()[BACKEND_API], path, (folder,))


def _is_import_path(name: str) -> bool:
    module, colon, attribute = name.partition(":")
    parts = [*module.split("."), *([attribute] if colon else [])]
    return len(parts) > 1 and all(part.isidentifier() for part in parts)


def _points() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=ENTRY_POINTS))


def _registered(name: str) -> Path | None:
    point = next((point for point in _points() if point.name == name), None)
    if point is None:
        return None
    file = _module_file(point.module)
    if file is None:
        raise BackendError(
            f"backend {name!r}: no file of the module {point.module}, which the entry point in "
            f"{ENTRY_POINTS} names; install its distribution again"
        )
    return file


def _module_file(module: str) -> Path | None:
    """The file of a module, found without importing it or its packages.

    The runtime that the module imports may be in another environment than this one.
    """
    locations = None
    origin = None
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        name = ".".join(parts[:count])
        finders = (finder for finder in sys.meta_path if hasattr(finder, "find_spec"))
        specs = (finder.find_spec(name, locations) for finder in finders)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is None:
            return None
        locations, origin = spec.submodule_search_locations, spec.origin
    return Path(origin) if origin is not None and Path(origin).is_file() else None
