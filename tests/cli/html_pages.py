"""Read what an HTML report carries."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any


class Page(HTMLParser):
    """The elements of a page, and the text in each script by its id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: dict[str, str] = {}
        self._script: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._script = dict(attrs).get("id") or "" if tag == "script" else None

    def handle_endtag(self, tag: str) -> None:
        self._script = None

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data


@dataclass(frozen=True)
class Shown:
    """The data of a report: what is shown of all cases, and of those of each operator version."""

    index: dict[str, Any]
    versions: list[dict[str, Any]]

    @property
    def verdicts(self) -> dict[str, dict[str, str]]:
        """The name of the verdict of each case by the title of the backend."""
        names = {one["letter"]: one["name"] for one in self.index["verdicts"]}
        cases = self.index["cases"]["name"]
        return {
            backend["title"]: {
                case: names.get(letter, "not run")
                for case, letter in zip(cases, result["verdicts"], strict=True)
            }
            for backend, result in zip(self.index["backends"], self.index["results"], strict=True)
        }

    def said(self, backend: int, case: str, column: str = "said") -> str:
        """What a column of a backend's results has for a case."""
        number = self.index["cases"]["name"].index(case)
        index = self.index["results"][backend][column].get(str(number), 0)
        return str(self.index["texts"][index])


def data_of(text: str) -> Shown:
    """The data of a page."""
    scripts = Page(text).scripts
    versions = sorted((k for k in scripts if re.match("version-", k)), key=lambda k: int(k[8:]))
    return Shown(_unpacked(scripts["index"]), [_unpacked(scripts[name]) for name in versions])


def _unpacked(packed: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(packed), -zlib.MAX_WBITS))
