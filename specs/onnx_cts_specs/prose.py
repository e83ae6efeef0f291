"""The sentences of an operator's page, and the entries of a spec that stand for them.

A spec quotes the page: each ``says`` is found in the page word for word, and each sentence of the
page holds the quote of at least one entry, or is listed as informative. So a reader of the spec
has met every sentence of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

SCHEMA_PREFIX = "Schema: "
"""Begins a ``says`` that states a fact of the schema, for which the page has no sentence."""


def flat(text: str) -> str:
    """A text with every run of white space as one space."""
    return " ".join(text.split())


def sentences(text: str) -> list[str]:
    """The sentences of a text, white space flattened."""
    return [s for s in re.split(r"(?<=[^.][.])\s+(?=[A-Z`'(])", flat(text)) if s]


def page_texts(data: Mapping[str, Any]) -> list[str]:
    """The texts that make up the page of a spec's plain data: description and formal parts."""
    parts = ("attributes", "inputs", "outputs", "type_constraints")
    return [data["description"], *(entry["says"] for part in parts for entry in data[part])]


def quotes(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every quote of the page in a spec's plain data, with its place in the file."""
    yield ("formula",), data["formula"]
    for part in ("granularities", "rules", "readings", "open_questions", "errata"):
        for index, entry in enumerate(data[part]):
            says = entry.get("says", SCHEMA_PREFIX)
            if not says.startswith(SCHEMA_PREFIX) and "page" not in entry:
                yield (part, index, "says"), says
    for index, sentence in enumerate(data["informative"]):
        yield ("informative", index), sentence


def unquoted(data: Mapping[str, Any]) -> list[str]:
    """The sentences of the page that no quote lies in, and that lie in no quote."""
    found = [flat(quote) for _, quote in quotes(data)]
    every = dict.fromkeys(s for text in page_texts(data) for s in sentences(text))
    return [s for s in every if not any(q in s or s in q for q in found)]
