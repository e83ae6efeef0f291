"""The suite that is generated when a run names none, kept between runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path

import platformdirs

import onnx_cts_generator
import onnx_cts_harness
import onnx_cts_reference
import onnx_cts_specs
from onnx_cts_generator.cases import Chapter
from onnx_cts_generator.emit import File, SuiteFiles
from onnx_cts_generator.writing import write_suite
from onnx_cts_harness import layout
from onnx_cts_specs import all_specs
from onnx_cts_specs.locations import specs_folder

Watch = Callable[[Iterable[File], list[Chapter]], Iterable[File]]


def cached_suite(watch: Watch) -> Path:
    """The folder of the core suite of every operator, generated unless it is there already.

    It is kept by the content of the specs and of the code that makes suites, so an edited spec
    gives a new one.

    Args:
        watch: Wraps the files as they are made, to show progress.
    """
    folder = Path(platformdirs.user_cache_dir("onnx-cts", appauthor=False)) / "suites" / _key()
    if not (folder / layout.MANIFEST).is_file():
        chapters = [Chapter(spec, "core") for spec in all_specs()]
        write_suite(watch(SuiteFiles(chapters), chapters), folder)
    return folder


def _key() -> str:
    digest = hashlib.sha256(version("onnx-cts").encode())
    packages = (onnx_cts_specs, onnx_cts_reference, onnx_cts_generator, onnx_cts_harness)
    roots = [specs_folder(), *(Path(package.__path__[0]) for package in packages)]
    for root in roots:
        for path in sorted(root.rglob("*")):
            if path.suffix in (".py", ".yaml", ".j2"):
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
