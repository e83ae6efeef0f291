"""``onnx-cts adjudicate``: who is right about one model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onnx_cts_generator.commands import FAILED, clear_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onnx_cts_generator.adjudication import Adjudication


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="Folder with input_<i>.pb files.")
@click.option("--backend", "backends", multiple=True, help="Run it on this backend; repeatable.")
@click.option("--python", type=click.Path(path_type=Path), help="Python of the backends.")
@clear_errors
def adjudicate(
    model: Path, data: Path | None, backends: tuple[str, ...], python: Path | None
) -> None:
    """Say who is right about MODEL, a model with one node of a known operator.

    Prints the rules that it meets or breaks, the expected and the permitted outputs, and for each
    backend its verdict and the diagnosis. Without --data the inputs are generated. The exit status
    is 1 if a backend is wrong.
    """
    from onnx_cts_generator.adjudication import adjudicated
    from onnx_cts_harness.backend import Backend
    from onnx_cts_harness.lines import finding
    from onnx_cts_harness.registry import resolve
    from onnx_cts_harness.run import judged

    found = adjudicated(model, data)
    for line in _report(found):
        click.echo(line)
    failed = False
    for name in backends:
        with Backend(resolve(name), python=python) as backend:
            result = judged(backend, found.entry, found.loaded)
        failed |= result.verdict.is_failure
        words = [f"reading {result.reading}"] if result.reading else []
        words += [finding(result)] if finding(result) else []
        said = f"  {'  '.join(words)}" if words else ""
        click.echo(f"backend  {name} {backend.identity.version}  {result.verdict}{said}")
    if failed:
        sys.exit(FAILED)


def _report(found: Adjudication) -> Iterator[str]:
    from onnx_cts_harness.shown import shown

    spec = found.call.spec
    judgement = found.ruling.judgement
    granularity = judgement.granularity or "no granularity"
    yield f"{spec.operator} {spec.since_version}, {granularity}"
    for formal, array in zip(spec.inputs, found.call.inputs, strict=False):
        yield f"input  {formal.name}: {'absent' if array is None else shown(array)}"
    for name, value in found.call.attributes.items():
        yield f"attribute  {name}: {value}"
    for rule, state in found.rules():
        yield f"rule  {rule.id}: {state}. {' '.join(rule.says.split())}"
    for question in judgement.questions:
        readings = ", ".join(answer.name for answer in question.readings)
        yield f"open  {question.id}: {' '.join(question.why.split())} Readings: {readings}."
    if judgement.broken:
        yield "expected  a refusal"
    for output, expected in zip(spec.outputs, found.ruling.expected, strict=False):
        yield f"expected  {output.name}: {shown(expected.value.array)}"
        if expected.lower and expected.upper:
            yield f"permitted  {output.name} from: {shown(expected.lower.array)}"
            yield f"permitted  {output.name} to: {shown(expected.upper.array)}"
    for reading, tensors in found.ruling.readings.items():
        for output, tensor in zip(spec.outputs, tensors, strict=True):
            yield f"expected  {output.name} under {reading}: {shown(tensor.array)}"
