"""Where the YAML is."""

from __future__ import annotations

from pathlib import Path


def specs_folder() -> Path:
    """The folder with the YAML: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent


def schema_path() -> Path:
    """The JSON Schema of spec files."""
    return specs_folder() / "spec.schema.json"


def examples_schema_path() -> Path:
    """The JSON Schema of example files."""
    return specs_folder() / "examples.schema.json"
