"""The worker: drives one adapter, in a process and a Python of the runtime's own.

Run as ``python worker.py SETTINGS``, a JSON object: ``adapter``, the path of the adapter's file;
``variant``, null for none; ``folders`` to search for modules after all others; ``memory``, the MiB
of address space that the process may use, null for no limit; ``offline``, whether it is to be cut
off from the network. It needs the standard library of Python 3.8 or later and what the adapter
imports, nothing else of this package.

Frames pass both ways: the length of a JSON header in 4 bytes (big-endian), the header, then the
blobs whose lengths the header lists under ``blobs``, one after the other.

- First the worker says ``{"ready": true, "version", "feeds", "documentation", "refusals", "python",
  "platform", "machine", "packages"}`` or ``{"ready": false, "message"}``.
- A request is ``{"files": [name, ...], "inputs": [[name, code, shape], ...]}`` with the blobs
  model, files, inputs. With ``"keep": true`` what the adapter loaded is kept for the next request
  that says so, if that has the same model.
  Requests may come ahead of their turn; replies are in their order.
- A reply is ``{"outcome": "outputs", "outputs": [[code, shape], ...]}`` with a blob for each;
  ``{"outcome": "refused", "stage", "error", "message"}``; ``{"outcome": "not_runnable",
  "message"}``; ``{"outcome": "crashed", "message", "stderr": [line, ...]}`` for a runtime that ran
  in another process, and died there, or that reached the limit of memory; or ``{"outcome":
  "broken", "message"}`` for an adapter that returned no tensors.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import json
import os
import platform
import queue
import re
import shutil
import struct
import sys
import threading
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

LENGTH = struct.Struct(">I")
MODEL = "model.onnx"
#: What exceptions of these names say.
OUTCOMES = {"NotRunnable": "not_runnable", "Broken": "broken"}
#: On standard error it parts what is written there at one request from the last.
NEXT_REQUEST = b"\x1eonnx-cts: next request\x1e\n"
OUT_OF_MEMORY = "out of memory: the limit is {} MiB"
#: Flags of unshare(2).
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000


def frame(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """A header and its blobs, to be sent."""
    text = json.dumps({**header, "blobs": [len(blob) for blob in blobs]}).encode()
    return b"".join([LENGTH.pack(len(text)), text, *blobs])


def _send(stream: BinaryIO, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    stream.write(frame(header, blobs))
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[dict[str, Any], list[bytes]] | None:
    """Receive a header and its blobs; None if the stream ends before they are whole."""
    prefix = stream.read(LENGTH.size)
    if len(prefix) < LENGTH.size:
        return None
    size = LENGTH.unpack(prefix)[0]
    text = stream.read(size)
    if len(text) < size:
        return None
    header = json.loads(text)
    blobs = [stream.read(length) for length in header["blobs"]]
    if [len(blob) for blob in blobs] != header["blobs"]:
        return None
    return header, blobs


def _claim_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep standard input and output for frames; what the runtime prints goes to the error."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


def _open_adapter(path: str, variant: str | None) -> Any:
    spec = importlib.util.spec_from_file_location("onnx_cts_adapter", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.Adapter(variant)


def _packages(modules: Iterable[str]) -> dict[str, str]:
    """Versions of the distributions among these top-level modules that carry the same name."""
    from importlib import metadata

    found = {}
    # Python 3.8 and 3.9 do not list their own modules; the search is then a little slower.
    own = getattr(sys, "stdlib_module_names", ())
    for name in sorted(modules):
        if name.startswith("_") or name in own:
            continue
        try:
            found[name] = metadata.version(name)
        except (metadata.PackageNotFoundError, ValueError):
            continue
    return found


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as inner:  # noqa: BLE001 - a runtime's exception may not even print itself
        return f"unprintable: {type(inner).__name__}"


def _failure(error: BaseException, stage: str, memory: int | None) -> dict[str, Any]:
    if memory is not None and isinstance(error, MemoryError):
        return {"outcome": "crashed", "message": OUT_OF_MEMORY.format(memory), "stderr": []}
    names = {kind.__name__ for kind in type(error).__mro__}
    for known, outcome in OUTCOMES.items():
        if known in names:
            return {"outcome": outcome, "message": _text(error)}
    if "Crashed" in names:
        stderr = [str(line) for line in getattr(error, "stderr", None) or ()]
        return {"outcome": "crashed", "message": _text(error), "stderr": stderr}
    stage = str(getattr(error, "stage", stage))
    name = type(error).__name__
    return {"outcome": "refused", "stage": stage, "error": name, "message": _text(error)}


def _reply(outputs: Any) -> tuple[dict[str, Any], list[bytes]]:
    """Check what an adapter returned; anything may come from a file that others wrote."""
    try:
        heads, blobs = [], []
        for code, shape, data in outputs:
            if not isinstance(data, (bytes, bytearray, memoryview)):
                raise TypeError(f"the data is {type(data).__name__}, not bytes")
            heads.append([int(code), [int(length) for length in shape]])
            blobs.append(bytes(data))
    except (TypeError, ValueError) as error:
        message = f"run must return a list of (code, shape, bytes): {error}"
        return {"outcome": "broken", "message": message}, []
    return {"outcome": "outputs", "outputs": heads}, blobs


def _answer(
    adapter: Any, request: dict[str, Any], blobs: list[bytes], home: str, memory: int | None
) -> Any:
    with contextlib.suppress(OSError):  # The runtime may have closed it.
        os.write(2, NEXT_REQUEST)
    # The last case may have left another.
    os.chdir(home)
    head, tensors = _run(adapter, request, blobs, home, memory)
    if "message" in head:
        head["message"] = _without_folders(head["message"], home)
    return head, tensors


def _without_folders(text: str, home: str) -> str:
    """A message without the random names of the worker's folders: the same in each run."""
    if home not in text:
        return text
    return re.sub(re.escape(home) + r"(?:[/\\]\w+)*[/\\]", "", text)


#: The last model that was to be kept, and what the adapter loaded of it.
_kept: dict[bytes, Any] = {}


def _loaded(adapter: Any, model: bytes, folder: str | None, keep: bool) -> Any:
    if keep and model in _kept:
        return _kept[model]
    # One at a time: the models of a sweep come in order, and what was loaded may be large.
    _kept.clear()
    loaded = adapter.load(model, folder)
    if keep:
        _kept[model] = loaded
    return loaded


#: Numbers of the folders.
_numbers = itertools.count()
#: A folder with nothing in it any more.
_emptied: list[str] = []


def _folder_of(home: str, files: dict[str, bytes]) -> str:
    """A folder with these files, of a name of its own: a runtime may know files by their names."""
    folder = os.path.join(home, f"case{next(_numbers)}")  # noqa: PTH118
    if _emptied:
        # To make a folder and remove it takes longer than all else that is done with it.
        os.rename(_emptied.pop(), folder)  # noqa: PTH104
    else:
        os.mkdir(folder)  # noqa: PTH102
    for name, content in files.items():
        path = os.path.join(folder, name)  # noqa: PTH118
        if "/" in name:
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(path, "wb", buffering=0) as file:  # noqa: PTH123
            file.write(content)
    return folder


def _empty(folder: str) -> None:
    """Remove what is in a folder, and the folder if the runtime has put more there."""
    try:
        for name in os.listdir(folder):  # noqa: PTH208
            os.unlink(os.path.join(folder, name))  # noqa: PTH108, PTH118
        _emptied.append(folder)
    except OSError:  # Folders, or files that the runtime keeps open.
        shutil.rmtree(folder, ignore_errors=True)


def _run(
    adapter: Any, request: dict[str, Any], blobs: list[bytes], home: str, memory: int | None
) -> Any:
    model, rest = blobs[0], blobs[1:]
    names = request["files"]
    stage, folder = "load", None
    try:
        if names:
            # Python 3.8 has no `strict`.
            folder = _folder_of(home, dict(zip([MODEL, *names], blobs)))  # noqa: B905
        loaded = _loaded(adapter, model, folder, request.get("keep", False) and not names)
        stage = "run"
        tensors = rest[len(names) :]
        inputs = [
            (name, code, tuple(shape), tensors[index])
            for index, (name, code, shape) in enumerate(request["inputs"])
        ]
        return _reply(adapter.run(loaded, inputs))
    except BaseException as error:  # noqa: BLE001 - panics of Rust and sys.exit are no Exception
        return _failure(error, stage, memory), []
    finally:
        if folder is not None:
            _empty(folder)


def _first_frame(adapter: Any, before: set[str]) -> dict[str, Any]:
    return {
        "ready": True,
        "version": str(adapter.version),
        "feeds": getattr(adapter, "feeds", None),
        "documentation": getattr(adapter, "documentation", None),
        "refusals": getattr(adapter, "refusals", None),
        "python": platform.python_version(),
        "platform": sys.platform,
        "machine": platform.machine(),
        "packages": _packages({name.partition(".")[0] for name in sys.modules} - before),
    }


def _limit_memory(mebibytes: int) -> None:
    try:
        import resource
    except ImportError:
        raise OSError(f"{sys.platform} has no limit of memory (--memory)") from None
    # The soft limit may not be above the hard one, which only the system's administrator raises.
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = mebibytes << 20
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _cut_off() -> None:
    """Move this process to a network of its own, which has nothing in it, as Linux alone can."""
    import ctypes

    user, group = os.getuid(), os.getgid()
    unshare = getattr(ctypes.CDLL(None, use_errno=True), "unshare", None)
    if unshare is None:
        raise OSError(f"{sys.platform} cannot cut off one process from the network (--offline)")
    if unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise OSError(f"this system lets no user cut off a process (--offline): {reason}")
    # In its new namespace the process is to remain who it was.
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(text)


def _open(settings: dict[str, Any], replies: BinaryIO) -> Any:
    """Open the adapter and say so; what cannot be opened ends the process."""
    before = set(sys.modules)
    try:
        if settings["offline"]:
            _cut_off()
        if settings["memory"] is not None:
            _limit_memory(settings["memory"])
        adapter = _open_adapter(settings["adapter"], settings["variant"])
        _send(replies, _first_frame(adapter, before))
    except BaseException as error:  # noqa: BLE001 - whatever it is, the parent is to say it
        message = f"{type(error).__name__}: {_text(error)}"
        _send(replies, {"ready": False, "message": message})
        # Threads that the runtime has started must not keep the process.
        os._exit(1)
    return adapter


def main(settings: dict[str, Any]) -> None:
    """Serve requests; the end of their stream ends the process."""
    requests, replies = _claim_streams()
    # The folder of this file is no place to look for modules: the adapters' names shadow runtimes.
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    sys.path[:] = [p for p in sys.path if os.path.abspath(p) != here]  # noqa: PTH100
    sys.path.extend(settings["folders"])
    home = os.getcwd()  # noqa: PTH109 - the runtime may change it
    adapter = _open(settings, replies)
    received: queue.SimpleQueue[tuple[dict[str, Any], list[bytes]]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, received, home), daemon=True).start()
    while True:
        request, blobs = received.get()
        _send(replies, *_answer(adapter, request, blobs, home, settings["memory"]))


def _receive(
    requests: BinaryIO,
    received: queue.SimpleQueue[tuple[dict[str, Any], list[bytes]]],
    home: str,
) -> None:
    """Take in requests; when they end, end the process, whatever the runtime is doing."""
    request = read_frame(requests)
    while request is not None:
        received.put(request)
        request = read_frame(requests)
    # The parent was killed, or it would have ended this process and removed its folder.
    shutil.rmtree(home, ignore_errors=True)
    os._exit(0)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
