"""Fresh processes of Python, start and imports included."""

from __future__ import annotations

import os
import sys

#: The command line of onnx-cts.
COMMAND = ["-c", "from onnx_cts_generator.cli import main; main()"]


def run_python(*arguments: str) -> float:
    """Run Python with these arguments, and say how many megabytes it took at most."""
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawn(
        sys.executable, [sys.executable, *arguments], os.environ, file_actions=quiet
    )
    _, status, used = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"failed: {arguments}")
    return used.ru_maxrss / 1024
