"""Does what the first bytes of its first input say, as text; otherwise returns its inputs."""

import os
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path


class NotRunnable(Exception):  # noqa: N818
    pass


class StagedError(Exception):
    stage = "check"


class Panic(BaseException):
    pass


class UnprintableError(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def flood():
    os.write(1, b"x" * 100_000)
    os.write(2, b"y" * 100_000 + b"\n")
    print("noise", flush=True)  # noqa: T201
    os.system("echo more noise")
    assert sys.stdin.read() == ""


def stay():
    threading.Thread(target=time.sleep, args=(1000,)).start()


def crash():
    os.write(2, b"the last words\n")
    os.abort()


def mumble():
    os.write(2, b"words of an earlier case\n")


def meddle():
    for number in range(3, 20):
        try:
            os.write(number, b"\0\0\0\5junk!")
        except OSError:
            continue


def refuse(error):
    raise error


def allocate():
    bytearray(1 << 33)


def network():
    with socket.create_connection(("127.0.0.1", int(os.environ["FAKE_PORT"])), timeout=5):
        pass


ACTS = {
    "raise": lambda: refuse(ValueError("first line\nsecond line")),
    "stage": lambda: refuse(StagedError("bad graph")),
    "panic": lambda: refuse(Panic("pyo3 panicked")),
    "unprintable": lambda: refuse(UnprintableError()),
    "exit": lambda: sys.exit(3),
    "_exit": lambda: os._exit(3),
    "abort": crash,
    "mumble": mumble,
    "meddle": meddle,
    "sleep": lambda: time.sleep(1000),
    "notrun": lambda: refuse(NotRunnable("no int4")),
    "print": flood,
    "allocate": allocate,
    "path": lambda: refuse(OSError(f"cannot load {tempfile.mkdtemp(dir=Path.cwd())}/m.onnx")),
    "network": network,
    "chdir": lambda: os.chdir("/"),
    "thread": stay,
    "fork": lambda: os.fork() or time.sleep(1000),
    "orphan": lambda: os._exit(3) if os.fork() else time.sleep(1000),
}
RETURNS = {
    "none": None,
    "junk": [1, 2],
    "numbers": [(1, (1,), 4)],
    "short": [(2, (5,), b"1234")],
    "nothing": [],
}


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        self.variant = variant
        self.home = os.getcwd()  # noqa: PTH109

    def load(self, model, folder):
        if self.variant == "load":
            raise OSError("cannot load")
        return model

    def run(self, loaded, inputs):
        act = inputs[0][3].rstrip(b"\0").decode("latin-1")
        if act in RETURNS:
            return RETURNS[act]
        if act == "where":
            return [(2, (1,), b"1" if os.path.samefile(self.home, ".") else b"0")]  # noqa: PTH121
        if act in ACTS:
            ACTS[act]()
        return [tensor[1:] for tensor in inputs]
