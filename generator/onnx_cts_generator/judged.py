"""A node in a presentation as a case: the spec says what must happen, the reference what comes."""

from __future__ import annotations

from dataclasses import replace

from onnx_cts_generator.case import Case, Node, Presentation, Value
from onnx_cts_generator.emit import case_document, case_files
from onnx_cts_generator.values import bounds_of, evaluated, readings_named
from onnx_cts_harness import layout
from onnx_cts_harness.by_reference import ruled
from onnx_cts_harness.case import LoadedCase, load_case
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_reference.model_calls import ModelCall
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Judgement, judge


def judged_case(node: Node, presentation: Presentation, name: str = "drawn") -> Case:
    """The case of a node.

    Args:
        node: The node, with its values.
        presentation: How the model presents it.
        name: The name of the case, without the prefix of its expectation.
    """
    spec = node.spec
    arrays = {given: value.array for given, value in node.inputs.items()}
    judgement = judge(spec, call_from(arrays, node.attributes))
    blank = Case(
        name=f"{layout.PREFIXES['reject']}{name}",
        node=node,
        presentation=presentation,
        expectation="reject",
        granularity=judgement.granularity,
        features=(),
        rules=tuple(rule.id for rule in judgement.broken),
    )
    if judgement.broken:
        return replace(blank, stage=judgement.broken[0].stage)
    if judgement.questions:
        return _open(blank, judgement)
    expected = evaluated(node)
    return replace(
        blank,
        name=f"{layout.PREFIXES['value']}{name}",
        expectation="value",
        rules=tuple(rule.id for rule in judgement.applied),
        readings=readings_named(expected),
        expected=bounds_of(expected),
    )


def _open(blank: Case, judgement: Judgement) -> Case:
    node = blank.node
    found = ruled(ModelCall(node.spec, tuple(node.arrays), node.attributes)).readings
    refuses = any(answer.refuse for q in judgement.questions for answer in q.readings)
    prefix, name = layout.PREFIXES["open"], blank.name.removeprefix(layout.PREFIXES["reject"])
    return replace(
        blank,
        name=f"{prefix}{name}",
        expectation="open",
        rules=tuple(question.id for question in judgement.questions),
        readings=(*found, *((layout.REFUSED,) if refuses else ())),
        expected={
            reading: tuple(Value.of(tensor.array) for tensor in tensors)
            for reading, tensors in found.items()
        },
    )


def loaded_case(case: Case) -> tuple[CaseEntry, LoadedCase]:
    """A case as the harness reads it from a suite, with no file written."""
    spec = case.node.spec
    name = str(case_document(case)["id"])
    loaded = load_case(name, dict(case_files(case)))
    entry = CaseEntry(
        name, spec.domain, spec.operator, spec.since_version, loaded.case.expectation, hashes={}
    )
    return entry, loaded
