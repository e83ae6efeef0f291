"""What the search finds, and what it makes of it."""

from __future__ import annotations

import itertools
from collections.abc import Container

import numpy as np
import pytest
from asked import asking, deviation, judged
from right_implementations import FAMILIES, Family, Implementation

from onnx_cts_generator.case import Case
from onnx_cts_generator.fuzz.faults import Fault
from onnx_cts_generator.fuzz.searching import Ask, Search
from onnx_cts_generator.judged import loaded_case
from onnx_cts_harness.diagnosis import outcome_of, tensor_of
from onnx_cts_harness.outcome import Crashed, Outcome, Outputs, Refused, TimedOut
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result
from onnx_cts_reference.deviations.catalog import right
from onnx_cts_reference.deviations.steps import Situation
from onnx_cts_reference.model_calls import ModelCall
from onnx_cts_specs import Spec, all_specs, spec_for

EXAMPLES = 300


def found(ask: Ask, operator: str, version: int, examples: int = EXAMPLES) -> list[Fault]:
    return list(Search(ask).turn(spec_for(operator, version), 0, examples=examples))


def first(ask: Ask, operator: str, version: int, examples: int = EXAMPLES) -> Fault:
    return next(Search(ask).turn(spec_for(operator, version), 0, examples=examples))


def size(fault: Fault) -> int:
    node = fault.case.node
    return node.inputs[node.spec.data.name].codes.size


ELEMENTWISE = [
    ("DequantizeLinear", 10, "zero-point-ignored"),
    ("DequantizeLinear", 13, "difference-wraps"),
    ("DequantizeLinear", 21, "unsigned-taken-for-signed"),
    ("DequantizeLinear", 28, "output-always-float32"),
    ("QuantizeLinear", 10, "ties-away"),
    ("QuantizeLinear", 19, "saturate-ignored"),
    ("QuantizeLinear", 23, "precision-ignored"),
    ("QuantizeLinear", 28, "result-wraps"),
]
PLACES = [
    ("DequantizeLinear", 13, "negative-axis-without-sign"),
    ("DequantizeLinear", 21, "blocks-interleaved"),
    ("QuantizeLinear", 21, "axis-always-first"),
]


@pytest.mark.parametrize(("operator", "version", "name"), ELEMENTWISE)
def test_a_deviation_of_elements_is_shrunk_to_one(operator: str, version: int, name: str) -> None:
    fault = first(asking(deviation(operator, name)), operator, version)
    assert name in (fault.result.diagnosis or ())
    assert size(fault) == 1
    assert fault.case.presentation.parameters == "inputs"


@pytest.mark.parametrize(("operator", "version", "name"), PLACES)
def test_a_deviation_of_places_is_shrunk_to_a_few(operator: str, version: int, name: str) -> None:
    fault = first(asking(deviation(operator, name)), operator, version)
    assert name in (fault.result.diagnosis or ())
    assert 1 < size(fault) <= 16


@pytest.mark.parametrize("rule", ["known-attributes", "axis-range"])
def test_a_broken_rule_that_is_not_refused_is_found(rule: str) -> None:
    ask = asking(deviation("DequantizeLinear", f"accepts-broken-{rule}"))
    fault = first(ask, "DequantizeLinear", 21, 1500)
    assert (fault.result.verdict, fault.result.rule) == (Verdict.ACCEPTED_INVALID, rule)
    assert fault.case.name.startswith(f"reject_fuzz_accepted_invalid_{rule.replace('-', '_')}_")


def test_two_faults_are_both_found_and_each_once() -> None:
    names = {"zero-point-ignored", "accepts-broken-x-type"}
    ask = asking(*(deviation("DequantizeLinear", name) for name in sorted(names)))
    faults = found(ask, "DequantizeLinear", 10, 100)
    assert [fault.result.verdict for fault in faults].count(Verdict.WRONG_VALUE) == 1
    assert {"accepted_invalid", "wrong_value"} == {str(fault.result.verdict) for fault in faults}
    assert sum(fault.count for fault in faults) > len(faults)


def test_what_explains_a_fault_is_narrowed_by_the_examples_after_it() -> None:
    faults = found(asking(deviation("QuantizeLinear", "ties-away")), "QuantizeLinear", 10, 100)
    (fault,) = faults
    assert fault.signature.diagnosis == {"ties-away"}


def test_the_same_seed_finds_the_same_cases_and_another_seed_others() -> None:
    spec = spec_for("DequantizeLinear", 13)

    def models(seed: int) -> list[bytes]:
        search = Search(asking(deviation("DequantizeLinear", "axis-always-last")), seed=seed)
        return [loaded_case(fault.case)[1].model for fault in search.turn(spec, 0, examples=60)]

    assert models(0) == models(0) != models(1)


def test_refusals_are_no_faults() -> None:
    def refuse(_at: Situation) -> Outcome:
        return Refused("load", "Refusal", "not one of mine")

    assert found(lambda case, among: judged(case, refuse), "QuantizeLinear", 21, 60) == []


def test_a_crash_is_found_in_its_least_call() -> None:
    def crash_on_int8(at: Situation) -> Outcome:
        if any(array is not None and array.dtype == np.int8 for array in at.inputs):
            return Crashed("killed by SIGSEGV", ())
        return outcome_of(right(at.spec), at)

    faults = found(lambda case, among: judged(case, crash_on_int8), "DequantizeLinear", 10, 60)
    value = next(fault for fault in faults if fault.case.expectation == "value")
    assert (value.result.verdict, value.result.message) == (Verdict.CRASHED, "killed by SIGSEGV")
    assert size(value) <= 1


def test_a_hang_is_found_once_and_not_shrunk() -> None:
    asked: list[Case] = []

    def hang(at: Situation) -> Outcome:
        return TimedOut(30, ())

    def ask(case: Case, among: Container[str] | None) -> Result:
        asked.append(case)
        return judged(case, hang)

    search = Search(ask)
    fault = next(search.turn(spec_for("DequantizeLinear", 10), 0))
    assert (fault.result.verdict, len(asked)) == (Verdict.TIMED_OUT, 1)


def test_a_backend_of_moods_is_said_to_be_one() -> None:
    turns = itertools.count()

    def moody(at: Situation) -> Outcome:
        outcome = outcome_of(right(at.spec), at)
        is_wrong = next(turns) == 5 and isinstance(outcome, Outputs)
        return Outputs(()) if is_wrong else outcome

    (fault,) = found(lambda case, among: judged(case, moody), "DynamicQuantizeLinear", 11, 40)
    assert (fault.result.verdict, fault.repeats) == (Verdict.WRONG_SHAPE, False)


def test_an_error_of_the_harness_ends_the_search() -> None:
    def ask(_case: Case, _among: Container[str] | None) -> Result:
        raise ValueError("cannot go on")

    with pytest.raises(ValueError, match="cannot go on"):
        found(ask, "DequantizeLinear", 10)


def test_the_search_goes_round_the_specs_until_the_time_is_over() -> None:
    seconds = itertools.count()
    seen: list[Result] = []
    ask = asking(right(spec_for("DequantizeLinear", 10)))
    search = Search(ask, seen.append, clock=lambda: float(next(seconds)))
    specs = [spec_for("DequantizeLinear", version) for version in (10, 13)]
    assert list(search.run(specs, 500)) == []
    assert {result.version for result in seen} == {10, 13}
    assert len(seen) < 500


@pytest.mark.parametrize(
    "spec", {spec.operator: spec for spec in all_specs()}.values(), ids=lambda spec: spec.operator
)
def test_no_right_implementation_is_told_that_it_is_wrong(spec: Spec) -> None:
    family = FAMILIES[spec.operator]
    faults = [
        fault
        for implementation in family.implementations
        for fault in right_search(family, implementation).turn(spec, 0, examples=25)
    ]
    assert faults == []


def right_search(family: Family, implementation: Implementation) -> Search:
    def does(at: Situation) -> Outcome:
        if at.broken:
            return Refused("load", "Refusal", at.broken[0].id)
        call = ModelCall(at.spec, tuple(at.inputs), at.given)
        return Outputs(tuple(map(tensor_of, family.outputs(implementation, call))))

    def ask(case: Case, among: Container[str] | None) -> Result:
        if case.expectation == "open":
            return judged(case, lambda at: Refused("load", "Refusal", "open"))
        return judged(case, does)

    return Search(ask)
