"""A folder written all at once: beside its place, then renamed into it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from onnx_cts_generator.errors import GenerateError


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """An empty folder to write to, which takes the place of ``out`` unless an error is raised.

    Raises:
        GenerateError: A folder cannot be written.
    """
    partial = out.with_name(f".{out.name}.partial-{os.getpid()}")
    old = out.with_name(f".{out.name}.old-{os.getpid()}")
    try:
        partial.mkdir(parents=True)
        yield partial
        if out.exists():
            out.rename(old)
        partial.rename(out)
    except OSError as error:
        of_others = error.filename and not Path(error.filename).is_relative_to(out.parent)
        if of_others:
            # Whoever fills the folder failed to read something else.
            raise
        raise GenerateError(
            f"{out} cannot be written: {error.strerror}; check the folder and its permissions"
        ) from None
    finally:
        # Also where the user interrupts between the two renames.
        if old.exists() and not out.exists():
            old.rename(out)
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
