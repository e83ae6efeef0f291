"""No right implementation fails a case, whatever way it computes in."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
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
from onnx_cts_harness.outcome import Outcome, Outputs, Refused
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.tensor import Tensor
from onnx_cts_harness.verify import Result, verify
from onnx_cts_reference.formats import array_of, format_of_dtype
from onnx_cts_reference.model_calls import ModelCall, call_of
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import all_specs, judge


@dataclass(frozen=True, eq=False)
class Trial:
    """A case of a suite, and the call that its model makes."""

    entry: CaseEntry
    loaded: LoadedCase

    @cached_property
    def made(self) -> ModelCall:
        feeds = {
            name: array_of(tensor.codes, tensor.format)
            for name, tensor in zip(self.loaded.case.inputs, self.loaded.inputs, strict=True)
        }
        return call_of(onnx.ModelProto.FromString(self.loaded.model), feeds, self.loaded.files)

    @cached_property
    def refusal(self) -> str:
        """The rule that the call breaks or the question that it raises, if any."""
        spec = self.made.spec
        arrays = zip((i.name for i in spec.inputs), self.made.inputs, strict=False)
        present = {name: array for name, array in arrays if array is not None}
        judgement = judge(spec, call_from(present, self.made.attributes))
        return next((found.id for found in (*judgement.broken, *judgement.questions)), "")

    def outcome(self, family: Family, implementation: Implementation) -> Outcome:
        if self.refusal:
            return Refused("load", "Refusal", self.refusal)
        return Outputs(tuple(map(tensor_from, family.outputs(implementation, self.made))))

    def result(self, family: Family, implementation: Implementation) -> Result:
        return verify(self.entry, self.loaded, self.outcome(family, implementation))


Trials = dict[str, list[Trial]]


def tensor_from(array: Array) -> Tensor:
    content = np.ascontiguousarray(array).tobytes()
    return Tensor(format_of_dtype(array.dtype).code, array.shape, content)


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
    """Level full of every version."""
    folder = tmp_path_factory.mktemp("full") / "suite"
    write_suite(SuiteFiles([Chapter(spec, "full") for spec in all_specs()]), folder)
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
    for family in FAMILIES
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


EACH_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.operator)


@EACH_FAMILY
def test_the_implementations_differ_within_what_is_permitted(core: Trials, family: Family) -> None:
    """Else they would be one implementation, and the interval for nothing."""
    verdicts = {
        trial.result(family, implementation).verdict
        for implementation in family.implementations
        for trial in core[family.operator]
    }
    assert {"exact", "permitted"} <= verdicts


@EACH_FAMILY
def test_a_wrong_implementation_fails(core: Trials, family: Family) -> None:
    assert failures(core, family, family.wrong)
