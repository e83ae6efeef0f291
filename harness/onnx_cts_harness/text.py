"""Text that others wrote, made fit for one line of a table or a record."""

from __future__ import annotations

from typing import Any

LIMIT = 300


def clean(text: str, limit: int = LIMIT) -> str:
    """One printable line: control characters become spaces, runs of space one, the end is cut.

    Args:
        text: Any text, such as a backend's message.
        limit: Most characters to keep, the mark of the cut included.
    """
    head = text[: 4 * limit]
    if not head.isprintable():
        # Surrogates are not printable either, and could not be written as UTF-8.
        head = "".join(c if c.isprintable() else " " for c in head)
    line = " ".join(head.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def first_line(text: str, limit: int = LIMIT) -> str:
    """The first line of a text that has something on it, cleaned; "" if none has."""
    return next((clean(line, limit) for line in text.splitlines() if line.strip()), "")


def cleaned(value: Any) -> Any:
    """A value of JSON with every text in it cleaned, keys too."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): cleaned(item) for key, item in value.items()}
    return value
