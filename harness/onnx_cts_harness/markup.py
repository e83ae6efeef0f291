"""Text that others wrote, as plain text of Markdown."""

from __future__ import annotations

import re

#: What Markdown could take for markup in the middle of a line.
MARKUP = re.compile(r"[\\`*_\[\]<>#|~&$]")
BACKTICKS = re.compile(r"`+")


def escaped(text: str) -> str:
    """Text that others wrote, as plain text of Markdown."""
    return MARKUP.sub(r"\\\g<0>", text)


def fenced(text: str, language: str = "text") -> str:
    """Lines of text as a code block, whatever is in them."""
    longest = max((len(run) for run in BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
