"""What others wrote fits in one line."""

from __future__ import annotations

import pytest

from onnx_cts_harness.text import clean, first_line


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain", "plain"),
        ("a\tb\n\nc", "a b c"),
        ("\x1b[31mred\x00", "[31mred"),
        ("line\u2028separator \udc80surrogate", "line separator surrogate"),
        ("x" * 301, "x" * 299 + "…"),
        ("", ""),
    ],
)
def test_clean_text_is_one_printable_line_of_bounded_length(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_the_first_line_is_the_first_that_says_something() -> None:
    assert first_line("\n  \n first \nsecond") == "first"
    assert first_line(" \n") == ""
