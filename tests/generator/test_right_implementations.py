"""No right implementation fails a case, whatever way it computes in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import onnx
import pytest
from emitted import EmittedSuite
from onnx import helper
from right_implementations import IMPLEMENTATIONS, Array, Call, by_float64

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

Implementation = Callable[[Call], Array]


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

    @cached_property
    def call(self) -> Call:
        x, scale, *rest = self.made.inputs
        given = self.made.attributes
        code = given.get("output_dtype", 0)
        return Call(
            x,
            scale,
            zero_point=rest[0] if rest else None,
            axis=given.get("axis", 1),
            block_size=given.get("block_size", 0),
            output=np.dtype(helper.tensor_dtype_to_np_dtype(code)) if code else scale.dtype,
            version=self.made.spec.since_version,
        )

    def outcome(self, implementation: Implementation) -> Outcome:
        if self.refusal:
            return Refused("load", "Refusal", self.refusal)
        with np.errstate(all="ignore"):
            y = np.asarray(implementation(self.call))
        code = format_of_dtype(y.dtype).code
        return Outputs((Tensor(code, y.shape, np.ascontiguousarray(y).tobytes()),))

    def result(self, implementation: Implementation) -> Result:
        return verify(self.entry, self.loaded, self.outcome(implementation))


def trials_of(folder: Path) -> list[Trial]:
    opened = open_suite(folder)
    return [Trial(entry, opened.load(entry)) for entry in opened.entries.values()]


@pytest.fixture(scope="module")
def core(suite: EmittedSuite) -> list[Trial]:
    return trials_of(suite.folder)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> list[Trial]:
    """Level full of every version."""
    folder = tmp_path_factory.mktemp("full") / "suite"
    chapters = [
        Chapter(spec, "full") for spec in all_specs() if spec.operator == "DequantizeLinear"
    ]
    write_suite(SuiteFiles(chapters), folder)
    return trials_of(folder)


PASSING = {"value": {"exact", "permitted"}, "reject": {"rejected"}, "open": {"open"}}


def failures(trials: list[Trial], implementation: Implementation) -> list[str]:
    results = [trial.result(implementation) for trial in trials]
    return [
        f"{result.case}: {result.verdict} {result.difference or result.message}"
        for result in results
        if result.verdict not in PASSING[result.expectation]
    ]


def name_of(implementation: Implementation) -> str:
    return implementation.__name__


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS, ids=name_of)
def test_no_right_implementation_fails_a_case_of_level_core(
    core: list[Trial], implementation: Implementation
) -> None:
    assert failures(core, implementation) == []


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS, ids=name_of)
def test_no_right_implementation_fails_a_case_of_level_full(
    full: list[Trial], implementation: Implementation
) -> None:
    assert failures(full, implementation) == []


def test_the_implementations_differ_within_what_is_permitted(core: list[Trial]) -> None:
    """Else they would be one implementation, and the interval for nothing."""
    verdicts = Counter(trial.result(i).verdict for i in IMPLEMENTATIONS for trial in core)
    assert {"exact", "permitted"} <= verdicts.keys()


def test_a_wrong_implementation_fails(core: list[Trial]) -> None:
    def of_no_zero_point(call: Call) -> Array:
        return by_float64(Call(**{**vars(call), "zero_point": None}))

    assert failures(core, of_no_zero_point)
