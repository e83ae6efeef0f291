"""What is rendered from templates: pytest modules, pages of operators, and schema diffs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from onnx_cts_generator.schema_differences import sections
from onnx_cts_harness.markup import fenced
from onnx_cts_harness.templating import template
from onnx_cts_specs import Spec, spec_for, versions
from onnx_cts_specs.op_schema import schema_of
from onnx_cts_specs.prose import flat
from onnx_cts_specs.schema_diff import SchemaDiff, compare

if TYPE_CHECKING:
    import jinja2


def _template(name: str) -> jinja2.Template:
    filters = (("repr", _double_quoted), ("fenced", fenced), ("flat", flat))
    return template(__package__, f"templates/{name}", filters)


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


def schema_diff_text(diff: SchemaDiff) -> str:
    """A schema diff as lines of text."""
    return _template("schema_diff.txt.j2").render(diff=diff, sections=sections(diff))


def schema_diff_markdown(diff: SchemaDiff) -> str:
    """A schema diff as Markdown without a heading."""
    return _template("schema_diff.md.j2").render(diff=diff, sections=sections(diff))


def operator_page(spec: Spec) -> str:
    """A version's page in the form of ONNX's, with the differences with the version before."""
    earlier = [v for v in versions(spec.operator, spec.domain) if v < spec.since_version]
    diff = None
    if earlier:
        before = spec_for(spec.operator, earlier[-1], spec.domain)
        diff = compare(schema_of(before), schema_of(spec))
    required = sum(not formal.optional for formal in spec.inputs)
    return _template("operator_page.md.j2").render(
        spec=spec,
        arity=(required, len(spec.inputs)),
        diff=diff,
        differences=schema_diff_markdown(diff) if diff else "",
    )


def operator_index(operators: Sequence[tuple[str, str, Sequence[tuple[int, str]]]]) -> str:
    """The page that lists, for each domain and operator, its versions and their pages."""
    return _template("operator_pages.md.j2").render(operators=operators)
