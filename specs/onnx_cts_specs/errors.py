"""What goes wrong with specs and with the expressions in them."""

from __future__ import annotations

from pathlib import Path


class SpecError(Exception):
    """A spec file that cannot be used: says the file, the place, what is wrong, what to do.

    Attributes:
        path: The file.
        line: Line in the file, from 1; None where no line can be named.
        key: Dotted path of the entry at fault (``rules[3].require``), empty for the whole file.
        problem: What is wrong.
        remedy: What to do about it.
    """

    def __init__(
        self, path: Path, problem: str, remedy: str, *, line: int | None = None, key: str = ""
    ) -> None:
        self.path = path
        self.line = line
        self.key = key
        self.problem = problem
        self.remedy = remedy
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {key + ': ' if key else ''}{problem}; {remedy}")


class UnknownOperatorError(LookupError):
    """No spec for this operator, or for this version of it; the message lists those there are."""


class ExpressionError(ValueError):
    """An expression that does not parse, or names what does not exist."""


class UndefinedError(Exception):
    """An expression that has no value for this call: it asks about an absent input or dimension.

    A rule that is undefined for a call is neither met nor broken: the call then breaks the rule
    that asks for what is absent.
    """
