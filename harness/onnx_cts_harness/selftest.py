"""Drive an adapter through one case of each kind, and say what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np

from onnx_cts_harness import selftest_cases as cases
from onnx_cts_harness.backend import Backend, Options
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.declarations import Feeds
from onnx_cts_harness.lines import finding as said_of
from onnx_cts_harness.presentation import presented
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.run import judged
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result, verify

UNKNOWN = {"", "unknown", "None"}


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Attributes:
        kind: What was checked.
        state: ``ok``; ``lacks`` for what the adapter, or its runtime, does without; ``fault`` for
            what the adapter does wrong.
        said: What was seen, and what to do.
    """

    kind: str
    state: Literal["ok", "lacks", "fault"]
    said: str = ""

    @property
    def is_fault(self) -> bool:
        """Whether the adapter is at fault."""
        return self.state == "fault"


def checked(name: str, **options: Unpack[Options]) -> Iterator[Finding]:
    """Check the adapter of a backend.

    Args:
        name: A name that ``registry.resolve`` takes.
        options: How the backend is run.

    Raises:
        BackendError: The backend cannot be started, or cannot go on.
    """
    with Backend(resolve(name), **options) as backend:
        yield from _declared(backend)
        values = {kind: _judged(backend, loaded) for kind, loaded in _values()}
        for kind, result in values.items():
            yield _of_value(kind, result)
        if not any(result.verdict is Verdict.EXACT for result in values.values()):
            yield Finding("value", "fault", "not one model was computed; see the messages above")
        yield _parameters(backend)
        yield from _types(backend)
        yield _external(backend)
        yield _reject(backend)
        yield _open(backend)


def _values() -> Iterator[tuple[str, LoadedCase]]:
    yield "inputs keep their order", cases.order_of_inputs()
    yield "outputs keep their order", cases.order_of_outputs()
    yield "a model is not answered with the last one's outputs", cases.order_of_inputs(9.0)
    yield "tensor of rank 0", cases.copied(cases.floats(3.0))
    yield "empty tensor", cases.copied(cases.floats(np.zeros((0, 3))))
    special = [np.nan, np.inf, -np.inf, -0.0, 1e-45]
    yield "NaN, infinities, -0 and subnormals keep their bits", cases.copied(cases.floats(special))
    yield "small type, packed", cases.small_type()


def _judged(backend: Backend, loaded: LoadedCase) -> Result:
    return judged(backend, cases.entry_of(loaded), loaded)


def _declared(backend: Backend) -> Iterator[Finding]:
    identity = backend.identity
    if identity.version in UNKNOWN:
        yield Finding("version", "lacks", "set self.version: a record names what was run")
    else:
        yield Finding("version", "ok", identity.version)
    if identity.declared.documentation:
        yield Finding("documentation", "ok", identity.declared.documentation)
    else:
        yield Finding("documentation", "lacks", "set documentation to a page on the runtime")
    rules = len(identity.declared.refusals)
    if rules:
        yield Finding("refusals", "ok", f"{rules} rules")
    else:
        yield Finding("refusals", "lacks", "no rules tell unsupported models from obscure errors")


def _of_value(kind: str, result: Result) -> Finding:
    if result.verdict is Verdict.EXACT:
        return Finding(kind, "ok", _with_initializers(result))
    said = f"{result.verdict} {said_of(result)}".strip()
    return Finding(kind, "lacks" if result.verdict.is_unsupported else "fault", said)


def _with_initializers(result: Result) -> str:
    names = ", ".join(result.presented)
    return f"with {names} as initializers" if names else ""


def _parameters(backend: Backend) -> Finding:
    kind = "parameters"
    result = _judged(backend, cases.parameters())
    if result.verdict.is_unsupported:
        constant = Feeds(constant_parameters=True)
        if _computes(backend, cases.parameters(), constant):
            advice = 'computed as initializers alone: set "constant_parameters": True in feeds'
            return Finding(kind, "fault", advice)
    return _of_value(kind, result)


def _computes(backend: Backend, loaded: LoadedCase, feeds: Feeds) -> bool:
    """Whether a case is computed if it is presented otherwise than the adapter declares."""
    given = presented(loaded, feeds).loaded
    outcome = backend.run(given)
    return verify(cases.entry_of(loaded), loaded, outcome).verdict is Verdict.EXACT


def _types(backend: Backend) -> Iterator[Finding]:
    feeds = backend.identity.declared.feeds
    copied: list[str] = []
    for name, loaded in cases.types():
        kind, code = f"type {name}", loaded.inputs[0].code
        result = _judged(backend, loaded)
        if result.verdict is Verdict.EXACT:
            copied.append(name)
        elif result.verdict is Verdict.WRONG_TYPE:
            advice = f"a runtime that has no such tensors is not to be fed {code}: see feeds"
            yield Finding(kind, "lacks", f"{said_of(result)}; {advice}")
        elif result.verdict is not Verdict.NOT_RUNNABLE:
            yield _of_value(kind, result)
        elif _computes(backend, loaded, Feeds(frozenset(), frozenset({code}))):
            advice = 'can be an initializer: name it in "initializers" of feeds'
            yield Finding(kind, "lacks", f"not_runnable as an input, but {advice}")
        elif feeds.inputs is None or code in feeds.inputs | feeds.initializers:
            advice = f"{said_of(result)}; let feeds name what can be fed, without {code}"
            yield Finding(kind, "lacks", f"not_runnable {advice}")
    yield Finding("types that are copied to the bit", "ok", " ".join(copied) or "none")


def _external(backend: Backend) -> Finding:
    result = _judged(backend, cases.external_data())
    found = _of_value("external data", result)
    if found.state == "ok":
        return found
    advice = "where folder is not None, load model.onnx in it by its path"
    return Finding(found.kind, found.state, f"{found.said}; {advice}")


def _reject(backend: Backend) -> Finding:
    kind = "reject: a model with an operator that is none"
    result = _judged(backend, cases.reject())
    said = said_of(result)
    if result.verdict is Verdict.REJECTED:
        return Finding(kind, "ok", said)
    advice = "let load or run raise where the runtime refuses a model"
    return Finding(kind, "fault", f"{result.verdict} {said}; {advice}")


def _open(backend: Backend) -> Finding:
    kind = "open: an int32 zero point that is not 0"
    result = _judged(backend, cases.open_question())
    if result.verdict is Verdict.OPEN:
        return Finding(kind, "ok", f"reading {result.reading}")
    return _of_value(kind, result)
