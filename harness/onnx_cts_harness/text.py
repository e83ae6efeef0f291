"""Text that others wrote, made fit for one line of a table or a record."""

from __future__ import annotations

LIMIT = 300


def clean(text: str, limit: int = LIMIT) -> str:
    """One printable line: control characters become spaces, runs of space one, the end is cut.

    Args:
        text: Any text, such as a backend's message.
        limit: Most characters to keep, the mark of the cut included.
    """
    # Surrogates are not printable either, and could not be written as UTF-8.
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * limit]).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def first_line(text: str, limit: int = LIMIT) -> str:
    """The first line of a text that has something on it, cleaned; "" if none has."""
    return next((clean(line, limit) for line in text.splitlines() if line.strip()), "")
