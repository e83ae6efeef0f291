"""Write the template of an adapter."""

from __future__ import annotations

import re
from pathlib import Path

from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.templating import template


def write_template(name: str, folder: Path) -> Path:
    """Write the template of an adapter for a runtime.

    Args:
        name: The name of the backend, in lower case with dashes.
        folder: Where the file is to be; it is made if need be.

    Returns:
        The file: the name with underscores for dashes.

    Raises:
        BackendError: The name is none, the file is there already, or it cannot be written.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise BackendError(
            f"{name!r} is no name of a backend: use lower case, digits and dashes, as in my-runtime"
        )
    module = name.replace("-", "_")
    file = folder / f"{module}.py"
    text = template(__package__, "templates/adapter.py.j2").render(name=name, module=module)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise BackendError(f"{file}: there is such a file already; remove it first") from None
    except OSError as error:
        raise BackendError(f"{file}: cannot be written: {error.strerror}") from None
    return file
