"""JSON Lines that are complete or not there: a header, a line for each item, and a closing line.

The lines go to ``<file>.part``, which takes the place of the file when all went well. What ends
early leaves the part, without the closing line, and can be gone on with.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from onnx_cts_harness.errors import RecordError
from onnx_cts_harness.record import Form, part_of, read_begun

Identity = Callable[[Mapping[str, Any]], Mapping[str, object]]
"""What a header is about, by the words for it; the same in whatever goes on with a file."""


class PartFile:
    """A file of lines that is being written.

    Attributes:
        known: The lines of the items that were in it already, in order.
    """

    def __init__(
        self,
        file: Path,
        header: Mapping[str, Any],
        form: Form,
        identity: Identity,
        *,
        resume: bool,
    ) -> None:
        """Start the file, or go on with it.

        Args:
            file: Where it is to be; its folder is made if need be.
            header: Its first line.
            form: What its lines are.
            identity: What must not differ from the header that is there.
            resume: Go on with the file that others began.

        Raises:
            RecordError: The file cannot be written, or not be gone on with.
        """
        self._file, self._part = file, part_of(file)
        self.known: tuple[Mapping[str, Any], ...] = ()
        try:
            if resume:
                self.known = self._resumed(header, form, identity)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
            # Line by line, so that a killed run leaves what it knew.
            mode = "a" if resume else "w"
            self._stream = self._part.open(mode, 1, encoding="utf-8", newline="\n")
        except OSError as error:
            raise RecordError(f"{self._part}: cannot be written: {error.strerror}") from None
        if not resume:
            self.write(header)

    def write(self, line: Mapping[str, Any]) -> None:
        """Add a line."""
        self._stream.write(json.dumps(line, allow_nan=False, ensure_ascii=False) + "\n")

    def close(self, end: Mapping[str, Any] | None) -> None:
        """Add the closing line and put the file in its place; None leaves the part."""
        if end is not None:
            self.write(end)
        self._stream.close()
        if end is not None:
            os.replace(self._part, self._file)  # noqa: PTH105 - atomic on every system

    def _resumed(
        self, header: Mapping[str, Any], form: Form, identity: Identity
    ) -> tuple[Mapping[str, Any], ...]:
        """Leave in the part what can be gone on with, and read its items."""
        source = self._part if self._part.exists() else self._file
        if not source.exists():
            raise RecordError(f"{self._file}: there is no record to resume; run without --resume")
        begun = read_begun(source, form)
        _check_same(source, identity(begun.record.header), identity(header))
        if source == self._part:
            os.truncate(source, begun.size)
        else:
            self._part.write_bytes(source.read_bytes()[: begun.size])
        return begun.record.cases


def _check_same(file: Path, begun: Mapping[str, object], now: Mapping[str, object]) -> None:
    for what, before in begun.items():
        if before != now[what]:
            raise RecordError(
                f"{file}: cannot be resumed: it is of another {what}: {_said(before)}, and this "
                f"run of {_said(now[what])}; run without --resume"
            )


def _said(value: object) -> str:
    if value is None:
        return "all cases"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
