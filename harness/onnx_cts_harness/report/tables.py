"""Markdown that fits the summary of a step of GitHub Actions, and tables in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

#: What GitHub takes of a step's summary, in bytes:
#: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
STEP_SUMMARY = 1024 * 1024
CUT = "\n\nThe rest is left out, for a summary of GitHub to hold the page; JSON has all of it.\n"


def fitted(pieces: Iterable[str]) -> str:
    """As many whole pieces as fit, and a line that says so if that is not all of them."""
    room = STEP_SUMMARY - len(CUT.encode())
    page: list[str] = []
    for piece in pieces:
        room -= len(piece.encode())
        if room < 0:
            return "".join([*page, CUT])
        page.append(piece)
    return "".join(page)


def table(
    words: Sequence[str], numbers: Sequence[str], rows: Iterable[Sequence[str]]
) -> Iterator[str]:
    """A table, row by row; the cells are escaped already.

    Args:
        words: The heads of the first columns.
        numbers: The heads of the others, which are aligned to the right.
        rows: The cells of each row.
    """
    rule = "---|" * len(words) + "---:|" * len(numbers)
    yield f"\n| {' | '.join([*words, *numbers])} |\n|{rule}\n"
    for row in rows:
        yield f"| {' | '.join(row)} |\n"
