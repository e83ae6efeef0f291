"""The pages of the operators: one a version, and one that lists them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from onnx_cts_generator.emit import File
from onnx_cts_generator.render import operator_index, operator_page
from onnx_cts_specs import Spec
from onnx_cts_specs.locations import domain_name

INDEX = "operator-pages.md"
"""The page that lists the others, and by which a folder of pages is known."""


def page_files(specs: Sequence[Spec]) -> Iterator[File]:
    """The files of a folder with the pages of specs.

    Args:
        specs: The specs, those of one operator next to each other and in order.
    """
    for spec in specs:
        folder = f"{domain_name(spec.domain)}/{spec.operator}"
        yield folder, f"{spec.since_version}.md", operator_page(spec).encode("utf-8")
    listed = []
    for (domain, operator), group in groupby(specs, key=lambda s: (s.domain, s.operator)):
        name = domain_name(domain)
        pages = [(s.since_version, f"{name}/{operator}/{s.since_version}.md") for s in group]
        listed.append((name, operator, pages))
    yield "", INDEX, operator_index(listed).encode("utf-8")
