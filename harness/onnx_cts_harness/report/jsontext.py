"""JSON as files have it: strict, readable, the same bytes for the same data."""

from __future__ import annotations

import json


def json_text(data: object) -> str:
    """A document of JSON, with a line end."""
    return json.dumps(data, allow_nan=False, ensure_ascii=False, indent=1) + "\n"
