"""A runner for the tests: does what its first argument says to MODEL, INPUTS and OUTPUTS."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

act, model, inputs, outputs = sys.argv[1:]
source, target = Path(inputs, "input_0.pb"), Path(outputs, "output_0.pb")


def say(status, text):
    sys.stderr.write(text)
    sys.exit(status)


def spoil():
    Path(model).write_bytes(b"")
    source.write_bytes(b"")


def hang():
    child = subprocess.Popen(["sleep", "1000"])
    Path(os.environ["PID_FILE"]).write_text(str(child.pid))
    time.sleep(1000)


if not Path(model).read_bytes():
    say(1, "the model is gone")
if act != "nothing":
    shutil.copy(source, target)
{
    "copy": lambda: None,
    "nothing": lambda: None,
    "junk": lambda: target.write_bytes(b"\xff\xff"),
    "spoil": spoil,
    "leave": lambda: subprocess.Popen(["sleep", "3"]),
    "print": lambda: os.write(1, b"x" * 1_000_000),
    "refuse": lambda: say(20, "\nno such operator\nsecond line\n"),
    "stage": lambda: say(20, "warning: cache is cold\nload: no such operator\n"),
    "unsupported": lambda: say(20, "check: unsupported: int4\n"),
    "unfed": lambda: say(21, "no int4\n"),
    "abort": lambda: (os.write(2, b"last words\n"), os.abort()),
    "shell": lambda: say(128 + signal.SIGSEGV, "Segmentation fault\n"),
    "throw": lambda: say(1, "Error: cannot find module\n"),
    "silent": lambda: sys.exit(3),
    "hang": hang,
}[act]()
