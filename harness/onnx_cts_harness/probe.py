"""Look at a backend without running anything on it: is it installed, and what does it declare?"""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from onnx_cts_harness.backend import Backend, Identity
from onnx_cts_harness.declarations import Feeds
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.registry import BY_ARGUMENT, known_names, resolve
from onnx_cts_harness.tensor import type_name
from onnx_cts_harness.text import clean


@dataclass(frozen=True)
class Probe:
    """What is known of a backend.

    Attributes:
        name: Its name.
        identity: What it says of itself; None if it cannot be started.
        why: Why it cannot be started; "" if it can.
        documentation: Address of a page on the runtime; "" for none.
    """

    name: str
    identity: Identity | None
    why: str
    documentation: str


def probe_all(python: Path | None = None) -> list[Probe]:
    """Look at each backend that has a name of its own, in a worker of its own.

    Args:
        python: Interpreter of the environment to look in; None for this one.
    """
    return [probe(name, python) for name in known_names() if name not in BY_ARGUMENT]


def probe(name: str, python: Path | None = None) -> Probe:
    """Look at one backend.

    Args:
        name: A name that ``registry.resolve`` takes.
        python: Interpreter of the environment to look in; None for this one.
    """
    documentation = ""
    try:
        spec = resolve(name)
        documentation = _written(spec.adapter, "documentation")
        with Backend(spec, python=python) as backend:
            identity = backend.identity
            return Probe(name, identity, "", identity.declared.documentation)
    except BackendError as error:
        return Probe(name, None, error.why, documentation)


def fed(feeds: Feeds) -> str:
    """What a backend can be fed, in words."""
    said = "every type" if feeds.inputs is None else _names(feeds.inputs) or "no inputs"
    if feeds.inputs is not None and feeds.initializers - feeds.inputs:
        said += f"; as initializers alone {_names(feeds.initializers - feeds.inputs)}"
    return f"{said}; parameters as initializers alone" if feeds.constant_parameters else said


def _names(codes: frozenset[int]) -> str:
    return " ".join(type_name(code) for code in sorted(codes))


def _written(adapter: Path, attribute: str) -> str:
    """A string in the body of the class ``Adapter``, read without running its file.

    Who lacks a runtime needs the address of its page most of all.
    """
    with suppress(OSError, SyntaxError, ValueError):
        for statement in ast.parse(adapter.read_bytes()).body:
            if isinstance(statement, ast.ClassDef) and statement.name == "Adapter":
                return _assigned(statement.body, attribute)
    return ""


def _assigned(body: list[ast.stmt], attribute: str) -> str:
    for statement in body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        value = getattr(statement, "value", None)
        named = any(isinstance(t, ast.Name) and t.id == attribute for t in targets)
        if named and isinstance(value, ast.Constant) and isinstance(value.value, str):
            return clean(value.value)
    return ""
