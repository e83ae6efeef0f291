"""What is rendered from templates: the pytest module and the page of an operator version."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import jinja2

from onnx_cts_specs import Spec


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - Python and Markdown, and no text of a backend
    )
    environment.filters["repr"] = _double_quoted
    source = files(__package__).joinpath(f"templates/{name}").read_text("utf-8")
    return environment.from_string(source)


def _double_quoted(text: str) -> str:
    return '"' + repr(f"'{text}")[2:-1].replace('"', '\\"') + '"'


def test_module(spec: Spec, documents: Sequence[Mapping[str, object]]) -> tuple[str, bytes]:
    """The file name and content of the module that runs the cases of these ``case.json``."""
    operator = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", spec.operator).lower()
    function = f"test_{operator}_v{spec.since_version}"
    text = _template("test_module.py.j2").render(spec=spec, function=function, cases=documents)
    return f"{function}.py", text.encode("utf-8")


def spec_page(spec: Spec) -> str:
    """A spec as a page of Markdown."""
    return _template("spec.md.j2").render(spec=spec)
