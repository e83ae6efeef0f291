"""Templates of the packages, all made in one way."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2

Filters = tuple[tuple[str, Callable[..., object]], ...]


@cache
def template(
    package: str, path: str, filters: Filters = (), *, html: bool = False
) -> jinja2.Template:
    """A template; to use a name that it is not given is an error.

    Args:
        package: The package that has it.
        path: Its path in the package.
        filters: Filters by their names.
        html: Whether text is escaped for HTML. In Markdown and Python filters do what is needed.
    """
    import jinja2

    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=html,  # noqa: S701 - what becomes HTML is escaped
    )
    environment.filters |= dict(filters)
    return environment.from_string(files(package).joinpath(path).read_text("utf-8"))
