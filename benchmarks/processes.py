"""Fresh processes of Python, start and imports included."""

from __future__ import annotations

import subprocess
import sys

#: The command line of onnx-cts.
COMMAND = ["-c", "from onnx_cts_generator.cli import main; main()"]
#: Says what a command took; it is small itself, since a process counts what its parent had.
_PEAK = """
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
print(os.wait4(child, 0)[2].ru_maxrss)
"""


def run_python(*arguments: str) -> None:
    """Run Python with these arguments."""
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def peak_megabytes(*arguments: str) -> float:
    """The memory that Python takes at most with these arguments."""
    small = [sys.executable, "-S", "-c", _PEAK, sys.executable, *arguments]
    return int(subprocess.run(small, check=True, capture_output=True).stdout) / 1024
