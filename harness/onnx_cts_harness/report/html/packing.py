"""Data as the page carries it: each text once, compressed, as letters and digits."""

from __future__ import annotations

import base64
import json

import deflate

#: The greatest that libdeflate has.
COMPRESSION = 12


class Texts:
    """Texts, each once; the others hold its index."""

    def __init__(self) -> None:
        """No text but the empty one, which is the first."""
        self._index = {"": 0}

    def index(self, text: str) -> int:
        """The index of a text, which is added if need be."""
        return self._index.setdefault(text, len(self._index))

    @property
    def table(self) -> list[str]:
        """The texts by index."""
        return list(self._index)


def packed(data: object) -> str:
    """JSON, compressed by the format deflate and written in base64.

    The library's compressor is the same wherever it is installed, and so are its bytes; that of
    Python's own module zlib differs from one system to another.
    """
    text = json.dumps(data, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    compressed = deflate.deflate_compress(text.encode(), COMPRESSION)
    return base64.b64encode(compressed).decode()
