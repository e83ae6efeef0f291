"""Any program that runs one model a call, named by its command line.

The variant is the command line: split as a shell would, but run without one, in the folder in
which the user named it. In each word ``{model}`` becomes the path of the model, ``{inputs}`` that
of the folder with ``input_<i>.pb`` for the graph inputs in order, and ``{outputs}`` that of the
empty folder in which the program is to write ``output_<i>.pb`` for the graph outputs in order,
each a serialized TensorProto. All three are copies, and end with the case.

What the program says by its end:

- status 0: the outputs are written;
- status 20: the backend refuses the model, or does not support it. The first line on standard error
  that begins with ``parse:``, ``check:``, ``inference:``, ``load:`` or ``run:`` is the stage and
  the message; if there is none, the first line is the message. A message that begins with
  ``unsupported:`` says clearly that this is the reason;
- status 21: the backend cannot be fed or read in these types; the first line says why;
- a signal, or a status of 128 and the signal's number as shells have it: it crashed;
- anything else, and outputs that cannot be read: the program broke this convention, so the case
  says nothing of the backend.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import onnx
from onnx import numpy_helper

REFUSED = 20
NOT_RUNNABLE = 21
#: Shells report the death of a program by a signal as this and the number of the signal.
BY_SIGNAL = 128
PLACES = ("{model}", "{inputs}", "{outputs}")
STAGED = re.compile(r"(parse|check|inference|load|run): *(.*)")
STDERR_BYTES = 8192
STDERR_LINES = 10


class Refused(Exception):  # noqa: N818 - named for the verdict, as the others
    """The program says that the backend refuses the model."""

    def __init__(self, message: str, stage: str) -> None:
        super().__init__(message)
        self.stage = stage


class NotRunnable(Exception):  # noqa: N818 - the harness knows it by this name
    """The program says that the backend cannot be fed or read in these types."""


class Crashed(Exception):  # noqa: N818 - the harness knows it by this name
    """The program died of a signal."""

    def __init__(self, how: str, stderr: list[str]) -> None:
        super().__init__(how)
        self.stderr = stderr


class Broken(Exception):  # noqa: N818 - the harness knows it by this name
    """The program did not keep to the convention."""


class Adapter:
    """One process of the program a model."""

    refusals: ClassVar[list[dict[str, str]]] = [
        {"kind": "unsupported", "pattern": r"^unsupported:"}
    ]

    def __init__(self, variant: str | None) -> None:
        # The worker runs in a folder of its own, so the user's comes along.
        asked = json.loads(variant or "{}")
        self.folder = asked.get("folder", ".")
        self.words = shlex.split(asked.get("command", ""))
        missing = [place for place in PLACES if not any(place in word for word in self.words)]
        if missing:
            raise ValueError(
                f"the command has no {missing[0]}; such as command:./runner {' '.join(PLACES)}"
            )
        program = self.words[0]
        # A name alone is looked up among the installed programs, as a shell does.
        path = Path(self.folder, program) if Path(program).name != program else program
        found = shutil.which(path)
        if found is None:
            raise FileNotFoundError(f"there is no program {program}, or it cannot be executed")
        self.words[0] = str(found)
        self.version = "unknown"

    def load(self, model: bytes, folder: str | None) -> tuple[bytes, str | None]:
        """Keep the model until there are inputs."""
        return model, folder

    def run(
        self,
        loaded: tuple[bytes, str | None],
        inputs: list[tuple[str, int, tuple[int, ...], bytes]],
    ) -> list[tuple[int, tuple[int, ...], bytes]]:
        """Write the files, run the program, and read what it wrote."""
        model, folder = loaded
        # In the worker's own folder, which is removed even if the worker is killed.
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as home:
            places = [
                Path(folder or home, "model.onnx"),
                Path(home, "inputs"),
                Path(home, "outputs"),
            ]
            places[0].write_bytes(model)
            for place in places[1:]:
                place.mkdir()
            for index, (name, code, shape, data) in enumerate(inputs):
                proto = onnx.TensorProto(name=name, data_type=code, dims=shape, raw_data=data)
                (places[1] / f"input_{index}.pb").write_bytes(proto.SerializeToString())
            self._call(places, Path(home, "stderr"))
            return _outputs(places[2])

    def _call(self, places: list[Path], errors: Path) -> None:
        words = self.words
        for index, name in enumerate(PLACES):
            words = [word.replace(name, str(places[index])) for word in words]
        # Its standard error is a file: a process that it leaves behind may hold a pipe open. It
        # stays in the worker's process group, which is killed as a whole when time is up.
        with errors.open("wb") as stream:
            done = subprocess.run(  # noqa: S603 - running it is the user's wish
                words, cwd=self.folder, stdin=subprocess.DEVNULL, stderr=stream, check=False
            )
        if done.returncode != 0:
            raise _fault(done.returncode, _lines(errors))


def _fault(status: int, lines: list[str]) -> Exception:
    first = lines[0] if lines else ""
    if status == REFUSED:
        staged = next(filter(None, map(STAGED.match, lines)), None)
        return Refused(staged[2], staged[1]) if staged else Refused(first, "")
    if status == NOT_RUNNABLE:
        return NotRunnable(first)
    number = -status if status < 0 else status - BY_SIGNAL
    if number in {int(known) for known in signal.Signals}:
        return Crashed(f"killed by {signal.Signals(number).name}", lines[-STDERR_LINES:])
    return Broken(
        f"the command ended with status {status}: {first or 'no message'} "
        f"(0 is for outputs, {REFUSED} for a refusal, {NOT_RUNNABLE} for not runnable)"
    )


def _lines(file: Path) -> list[str]:
    with file.open("rb") as stream:
        start = stream.read(STDERR_BYTES)
        stream.seek(max(len(start), file.stat().st_size - STDERR_BYTES))
        text = (start + stream.read()).decode("utf-8", "replace")
    return [line.strip() for line in text.splitlines() if line.strip()]


def _outputs(folder: Path) -> list[tuple[int, tuple[int, ...], bytes]]:
    count = len(list(folder.glob("output_*.pb")))
    if count == 0:
        raise Broken("the command ended with status 0, and wrote no output_0.pb")
    return [_tensor(folder / f"output_{index}.pb") for index in range(count)]


def _tensor(file: Path) -> tuple[int, tuple[int, ...], bytes]:
    proto: Any = onnx.TensorProto()
    try:
        proto.ParseFromString(file.read_bytes())
        if not proto.HasField("raw_data"):
            proto = numpy_helper.from_array(numpy_helper.to_array(proto))
    except Exception as error:  # noqa: BLE001 - protobuf and onnx have no one error for it
        raise Broken(
            f"the command wrote no tensor that can be read to {file.name}: {error}"
        ) from None
    return proto.data_type, tuple(proto.dims), proto.raw_data
