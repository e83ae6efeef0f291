"""No right implementation fails a case, whatever way it computes in."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import onnx
import pytest
from emitted import EmittedSuite
from right_calls import Array
from right_implementations import FAMILIES, Family, Implementation

from onnx_cts_generator.cases import Chapter
from onnx_cts_generator.emit import SuiteFiles
from onnx_cts_generator.writing import write_suite
from onnx_cts_harness import open_suite
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.outcome import Outcome, Outputs, Refused
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.verify import Result, verify
from onnx_cts_reference.formats import array_of
from onnx_cts_reference.model_calls import ModelCall, call_of
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import all_specs, judge, spec_for


@dataclass(frozen=True, eq=False)
class Trial:
    """A case of a suite, and the calls that its model makes."""

    entry: CaseEntry
    loaded: LoadedCase

    @cached_property
    def model(self) -> onnx.ModelProto:
        return onnx.ModelProto.FromString(self.loaded.model)

    @cached_property
    def feeds(self) -> dict[str, Array]:
        return {
            name: array_of(tensor.codes, tensor.format)
            for name, tensor in zip(self.loaded.case.inputs, self.loaded.inputs, strict=True)
        }

    @cached_property
    def nodes(self) -> list[onnx.NodeProto]:
        """The nodes in their order, but for Constants."""
        return [node for node in self.model.graph.node if node.op_type != "Constant"]

    @cached_property
    def is_function_body(self) -> bool:
        """Whether the model has the function body of the operator in place of the operator."""
        return all(node.op_type != self.entry.operator for node in self.nodes)

    def made(self, node: onnx.NodeProto, arrays: dict[str, Array]) -> ModelCall:
        """The call that one node makes where arrays of these names are there."""
        alone = onnx.ModelProto()
        alone.CopyFrom(self.model)
        for other in self.nodes:
            if other is not node:
                alone.graph.node.remove(other)
        return call_of(alone, arrays, self.loaded.files)

    @cached_property
    def first(self) -> ModelCall:
        """The call of the operator that the case is about."""
        if self.is_function_body:
            spec = spec_for(self.entry.operator, self.entry.version)
            return ModelCall(spec, tuple(self.feeds.values()), {})
        return self.made(self.nodes[0], self.feeds)

    @cached_property
    def refusal(self) -> str:
        """The rule that the call breaks or the question that it raises, if any."""
        spec = self.first.spec
        arrays = zip((i.name for i in spec.inputs), self.first.inputs, strict=False)
        present = {name: array for name, array in arrays if array is not None}
        judgement = judge(spec, call_from(present, self.first.attributes))
        return next((found.id for found in (*judgement.broken, *judgement.questions)), "")

    def outcome(self, family: Family, implementation: Implementation) -> Outcome:
        if self.refusal:
            return Refused("load", "Refusal", self.refusal)
        outputs = family.outputs(implementation, self.first)
        if not self.is_function_body and len(self.nodes) > 1:
            outputs = self.followed(outputs, family.place(implementation))
        return Outputs(tuple(map(tensor_of, outputs)))

    def followed(self, outputs: tuple[Array, ...], place: int) -> tuple[Array, ...]:
        """What the second node makes of the outputs of the first, by an implementation in turn."""
        node, then = self.nodes
        family = FAMILIES[then.op_type]
        arrays = self.feeds | dict(zip(node.output, outputs, strict=True))
        in_turn = family.implementations[place % len(family.implementations)]
        return family.outputs(in_turn, self.made(then, arrays))

    def result(self, family: Family, implementation: Implementation) -> Result:
        return verify(self.entry, self.loaded, self.outcome(family, implementation))


Trials = dict[str, list[Trial]]


def trials_of(folder: Path) -> Trials:
    """The cases of a suite by operator."""
    opened = open_suite(folder)
    trials: Trials = defaultdict(list)
    for entry in opened.entries.values():
        trials[entry.operator].append(Trial(entry, opened.load(entry)))
    return trials


@pytest.fixture(scope="module")
def core(suite: EmittedSuite) -> Trials:
    return trials_of(suite.folder)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Trials:
    """Level full, but for QuantizeLinear from 24 on, which takes as long as all the rest."""
    folder = tmp_path_factory.mktemp("full") / "suite"
    specs = [s for s in all_specs() if s.operator != "QuantizeLinear" or s.since_version < 24]
    write_suite(SuiteFiles([Chapter(spec, "full") for spec in specs]), folder)
    return trials_of(folder)


PASSING = {"value": {"exact", "permitted"}, "reject": {"rejected"}, "open": {"open"}}


def failures(trials: Trials, family: Family, implementation: Implementation) -> list[str]:
    results = [trial.result(family, implementation) for trial in trials[family.operator]]
    return [
        f"{result.case}: {result.verdict} {result.difference or result.message}"
        for result in results
        if result.verdict not in PASSING[result.expectation]
    ]


RIGHT = [
    pytest.param(family, implementation, id=f"{family.operator}-{implementation.__name__}")
    for family in FAMILIES.values()
    for implementation in family.implementations
]


@pytest.mark.parametrize(("family", "implementation"), RIGHT)
def test_no_right_implementation_fails_a_case_of_level_core(
    core: Trials, family: Family, implementation: Implementation
) -> None:
    assert failures(core, family, implementation) == []


@pytest.mark.parametrize(("family", "implementation"), RIGHT)
def test_no_right_implementation_fails_a_case_of_level_full(
    full: Trials, family: Family, implementation: Implementation
) -> None:
    assert failures(full, family, implementation) == []


EACH_FAMILY = pytest.mark.parametrize(
    "family", FAMILIES.values(), ids=lambda family: family.operator
)


@EACH_FAMILY
def test_the_implementations_differ_within_what_is_permitted(core: Trials, family: Family) -> None:
    """Where the suite permits several answers; else the interval would be for nothing."""
    trials = core[family.operator]
    verdicts = {
        trial.result(family, implementation).verdict
        for implementation in family.implementations
        for trial in trials
    }
    has_intervals = any(e.lower is not None for trial in trials for e in trial.loaded.expected)
    assert "exact" in verdicts
    assert ("permitted" in verdicts) == has_intervals


@EACH_FAMILY
def test_a_wrong_implementation_fails(core: Trials, family: Family) -> None:
    assert failures(core, family, family.wrong)
