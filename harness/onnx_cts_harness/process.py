"""The parent's side of one worker process: start it, exchange frames in time, end it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

from onnx_cts_harness import worker
from onnx_cts_harness.text import clean

Frame = tuple[dict[str, Any], list[bytes]]

STDERR_BYTES = 8192
STDERR_LINES = 10
#: Bytes that every system's pipe holds.
AT_ONCE = 4096
#: Seconds between two looks at what a process writes on standard error; its pipe holds that long.
STDERR_PAUSE = 0.01
#: Seconds to wait for what ends by itself once the process is dead.
GRACE = 1.0


class WorkerDiedError(Exception):
    """The process ended instead of answering; the message is the signal or the exit code."""


class WorkerHungError(Exception):
    """The process did not answer in time."""


class WorkerProcess:
    """A running worker; it ends with ``close``, whatever it does."""

    def __init__(
        self, settings: Mapping[str, object], python: str, environment: Mapping[str, str]
    ) -> None:
        """Start the process; its first frame is there to be received.

        Args:
            settings: What ``worker.main`` takes.
            python: Path of the interpreter to run it.
            environment: The whole environment of the process.

        Raises:
            OSError: There is no such interpreter, or it cannot be run.
        """
        self._home = tempfile.TemporaryDirectory(prefix="onnx-cts-", ignore_cleanup_errors=True)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running it is the user's wish
                [python, str(Path(worker.__file__).resolve()), json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._home.name,
                env=environment,
                # A session of its own: Ctrl-C reaches the parent alone, and killing the group
                # ends what the runtime has started too.
                start_new_session=True,
            )
        except OSError:
            self._home.cleanup()
            raise
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._replies: SimpleQueue[Frame | None] = SimpleQueue()
        # Its first frame comes without a request.
        self._unanswered = 1
        self._errors = bytearray()
        self._closing, self._closed = threading.Lock(), False
        self._ending = threading.Event()
        # Threads, because pipes have no timeout that works on Windows too.
        self._threads = [
            threading.Thread(target=target, daemon=True)
            for target in (self._send_all, self._receive_all, self._drain_errors)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._closed

    @property
    def alive(self) -> bool:
        """Whether the process runs, and was not closed."""
        return not self._closed and self._process.poll() is None

    @property
    def has_reply(self) -> bool:
        """Whether a frame is there to be received, or the end of them."""
        return not self._replies.empty()

    def send(self, frames: Sequence[bytes]) -> None:
        """Send requests; replies come in the order of the requests."""
        is_idle = self._unanswered == 0
        self._unanswered += len(frames)
        data = b"".join(frames)
        if not is_idle or len(data) > AT_ONCE:
            self._requests.put(data)
            return
        # It fits into the pipe, so this cannot wait for the process. Another thread would get to
        # it only when this one has nothing else to do.
        with suppress(OSError):  # The end of its replies tells that the process is dead.
            self._write(data)

    def receive(self, timeout: float) -> Frame:
        """The next frame of the worker.

        Args:
            timeout: Seconds to wait for it.

        Raises:
            WorkerDiedError: The process ended first.
            WorkerHungError: It runs, but did not answer in time.
        """
        try:
            frame = self._replies.get(timeout=timeout)
        except Empty:
            # A child that the runtime left behind may hold the pipe open past the worker's end.
            if self.alive:
                raise WorkerHungError from None
            frame = None
        if frame is None:
            raise WorkerDiedError(self._end())
        self._unanswered -= 1
        return frame

    def last_errors(self) -> tuple[str, ...]:
        """Last lines on standard error at the last request, once the process is closed."""
        written = bytes(self._errors).rpartition(worker.NEXT_REQUEST)[2]
        lines = written.decode("utf-8", "replace").splitlines()
        return tuple(filter(None, map(clean, lines)))[-STDERR_LINES:]

    def close(self) -> None:
        """Kill the process and what it started, and free what it held; once is enough."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._close()

    def _close(self) -> None:
        _kill_group(self._process)
        self._process.wait()
        self._ending.set()
        self._requests.put(None)
        for thread in self._threads:
            thread.join(GRACE)
        # A thread still waits if a child left the group and holds a pipe; closing would hang then.
        if not any(thread.is_alive() for thread in self._threads):
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                # What the process never read cannot be flushed any more.
                with suppress(OSError):
                    _open(stream).close()
        self._home.cleanup()

    def _end(self) -> str:
        try:
            status = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "closed its pipe"
        if status >= 0:
            return f"exit code {status}"
        with suppress(ValueError):
            return f"killed by {signal.Signals(-status).name}"
        return f"killed by signal {-status}"

    def _write(self, data: bytes) -> None:
        stream = _open(self._process.stdin)
        stream.write(data)
        stream.flush()

    def _send_all(self) -> None:
        with suppress(OSError):  # As above.
            while (data := self._requests.get()) is not None:
                self._write(data)

    def _receive_all(self) -> None:
        # What is no frame comes from a runtime that found the pipe; nothing after it can be read.
        with suppress(OSError, LookupError, TypeError, ValueError):
            while (frame := worker.read_frame(_open(self._process.stdout))) is not None:
                self._replies.put(frame)
        self._replies.put(None)

    def _drain_errors(self) -> None:
        stream = _open(self._process.stderr)
        with suppress(OSError):
            while chunk := os.read(stream.fileno(), STDERR_BYTES):
                self._errors += chunk
                del self._errors[:-STDERR_BYTES]
                if len(chunk) < STDERR_BYTES:
                    # Each request leaves a mark: to wake at each of them would cost more than it.
                    self._ending.wait(STDERR_PAUSE)


def _open(stream: Any) -> BinaryIO:
    opened: BinaryIO = stream
    return opened


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        # The group outlives its leader, so it is killed even if the worker is dead.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
