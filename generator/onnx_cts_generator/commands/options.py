"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path

import click

OPERATORS = click.option(
    "--operator", "operators", multiple=True, help="Only this operator; repeatable."
)
VERSIONS = click.option(
    "--version", "versions", multiple=True, type=int, help="Only this version; repeatable."
)
PYTHON = click.option(
    "--python", type=click.Path(path_type=Path), help="Python of the backend's environment."
)
TIMEOUT = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="Seconds for each model that the backend gets.",
)
MEMORY = click.option(
    "--memory", type=click.IntRange(min=1), metavar="MIB", help="Memory of a worker."
)
OFFLINE = click.option(
    "--offline", is_flag=True, help="Cut the backend off from the network (Linux)."
)
