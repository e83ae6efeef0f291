"""Where the YAML is, and how domains are spelled where a name is needed."""

from __future__ import annotations

from pathlib import Path

DEFAULT_DOMAIN = "ai.onnx"


def domain_name(domain: str) -> str:
    """The name of a domain in folders and reports: ``ai.onnx`` for ONNX's own, the empty string."""
    return domain or DEFAULT_DOMAIN


def domain_of(name: str) -> str:
    """The domain of a name, as models spell it: the empty string for ``ai.onnx``."""
    return "" if name == DEFAULT_DOMAIN else name


def specs_folder() -> Path:
    """The folder with the YAML: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent


def schema_path() -> Path:
    """The JSON Schema of spec files."""
    return specs_folder() / "spec.schema.json"


def chains_schema_path() -> Path:
    """The JSON Schema of chain files."""
    return specs_folder() / "chains.schema.json"


def examples_schema_path() -> Path:
    """The JSON Schema of example files."""
    return specs_folder() / "examples.schema.json"


def profiles_folder() -> Path:
    """The folder with the published profiles."""
    return specs_folder() / "profiles"


def profile_schema_path() -> Path:
    """The JSON Schema of profiles."""
    return specs_folder() / "profile.schema.json"


def sweeps_schema_path() -> Path:
    """The JSON Schema of sweep files."""
    return specs_folder() / "sweeps.schema.json"
