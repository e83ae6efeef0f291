"""A model that stays loaded is loaded once for as many runs as ask for it one after the other."""

from __future__ import annotations

from dataclasses import replace

from harness_suites import SuiteBuilder, coded, fake

from onnx_cts_harness.backend import Backend
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.outcome import Outputs
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.suite import open_suite


def loads(builder: SuiteBuilder, *runs: tuple[str, bool]) -> list[int]:
    """Which of the loads each run uses: runs of some model, which is to be kept or not."""
    one = coded([1], "uint8")
    builder.value("one", [one], [one])
    suite = open_suite(builder.write())
    loaded = suite.load(next(iter(suite.entries.values())))
    with Backend(resolve(fake("counts_loads"))) as backend:
        return [_load(backend, replace(loaded, model=model.encode()), keep) for model, keep in runs]


def _load(backend: Backend, loaded: LoadedCase, keep: bool) -> int:
    outcome = backend.run(loaded, keep=keep)
    assert isinstance(outcome, Outputs)
    return int(outcome.tensors[0].data[0])


def test_a_kept_model_is_loaded_once(builder: SuiteBuilder) -> None:
    assert loads(builder, ("a", True), ("a", True), ("a", True)) == [1, 1, 1]


def test_another_model_takes_its_place(builder: SuiteBuilder) -> None:
    assert loads(builder, ("a", True), ("b", True), ("b", True), ("a", True)) == [1, 2, 2, 3]


def test_a_run_that_keeps_nothing_loads_its_model_and_leaves_none(builder: SuiteBuilder) -> None:
    assert loads(builder, ("a", False), ("a", False), ("a", True), ("a", False)) == [1, 2, 3, 4]
