"""Adjacent versions are told apart: one call, put to both, and two different things must happen."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import pytest
from emitted import EmittedSuite
from onnx import defs, helper

from onnx_cts_generator.mutation import suite_trials
from onnx_cts_harness import open_suite
from onnx_cts_harness.by_reference import Ruling, ruled
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.diagnosis import loaded_situation, outcome_of
from onnx_cts_harness.suite import Suite
from onnx_cts_reference.deviations.catalog import catalogue
from onnx_cts_reference.deviations.steps import Situation
from onnx_cts_reference.formats import format_of_dtype, formats
from onnx_cts_reference.model_calls import ModelCall, ModelCallError
from onnx_cts_specs import all_specs, spec_for, versions
from onnx_cts_specs.model import element_type

FEATURE = "version-difference"
OPERATORS = tuple(dict.fromkeys(spec.operator for spec in all_specs()))
PAIRS = [(operator, *pair) for operator in OPERATORS for pair in pairwise(versions(operator))]
BOTH_WAYS = [*PAIRS, *((operator, new, old) for operator, old, new in PAIRS)]


@dataclass(frozen=True, eq=False)
class Called:
    """A case of a suite, and the call of one node that it makes."""

    loaded: LoadedCase
    at: Situation

    @property
    def version(self) -> int:
        return self.loaded.case.version

    @property
    def others(self) -> set[int]:
        """The versions that the case says it differs from."""
        pairs = (feature.partition(":") for feature in self.loaded.case.features)
        return {int(value) for name, _, value in pairs if name == "differs-from"}

    @cached_property
    def call(self) -> tuple[object, ...]:
        """What is computed of what, however the model presents it."""
        schema = defs.get_schema(self.at.spec.operator, self.version)
        defaults = {
            name: helper.get_attribute_value(attribute.default_value)
            for name, attribute in schema.attributes.items()
        }
        given = {n: v for n, v in self.at.given.items() if v != defaults.get(n)}
        arrays = (a if a is None else (str(a.dtype), a.shape, a.tobytes()) for a in self.at.inputs)
        present = list(arrays)
        while present[-1] is None:
            present.pop()
        types = sorted(self.loaded.case.dtypes.items())
        return (*present, *sorted(given.items()), *types)

    @property
    def types(self) -> dict[str, str]:
        """The element type of each input that is there."""
        pairs = zip(self.at.spec.inputs, self.at.inputs, strict=False)
        return {i.name: format_of_dtype(a.dtype).name for i, a in pairs if a is not None}

    @cache  # noqa: B019 - the cases live as long as the tests
    def by(self, version: int) -> Ruling:
        """What a version of the operator says of the call."""
        spec = spec_for(self.at.spec.operator, version)
        return ruled(ModelCall(spec, tuple(self.at.inputs), self.at.given))


Cases = dict[tuple[str, int], list[Called]]


@pytest.fixture(scope="module")
def opened(suite: EmittedSuite) -> Suite:
    return open_suite(suite.folder)


@pytest.fixture(scope="module")
def cases(opened: Suite) -> Cases:
    """Every case of one node, by operator and version."""
    found: Cases = defaultdict(list)
    for entry in opened.entries.values():
        loaded = opened.load(entry)
        try:
            called = Called(loaded, loaded_situation(loaded))
        except ModelCallError:
            continue  # of two nodes, or of a function body
        found[entry.operator, entry.version].append(called)
    return found


def telling(cases: Cases, operator: str, version: int, other: int) -> list[Called]:
    return [case for case in cases[operator, version] if other in case.others]


def is_judged_alike(one: Ruling, other: Ruling) -> bool:
    """Whether nothing that a backend may do is right by one alone, or expected by one alone."""
    if one.expectation != other.expectation:
        return False
    return (one.expected, one.readings) == (other.expected, other.readings)


@pytest.mark.parametrize(("operator", "version", "other"), BOTH_WAYS)
def test_a_version_has_cases_that_tell_it_from_its_neighbour_or_no_case_does(
    cases: Cases, operator: str, version: int, other: int
) -> None:
    if not telling(cases, operator, version, other):
        for case in (*cases[operator, version], *cases[operator, other]):
            assert is_judged_alike(case.by(version), case.by(other)), case.loaded.case.id


@pytest.mark.parametrize(("operator", "version", "other"), BOTH_WAYS)
def test_each_is_a_call_of_the_other_version_too_of_which_something_else_must_come(
    cases: Cases, operator: str, version: int, other: int
) -> None:
    twins = {case.call: case for case in telling(cases, operator, other, version)}
    for case in telling(cases, operator, version, other):
        twin = twins[case.call]
        mine, theirs = case.loaded, twin.loaded
        assert (mine.case.expectation, mine.expected, mine.readings) != (
            theirs.case.expectation,
            theirs.expected,
            theirs.readings,
        ), f"{mine.case.id} is judged as {theirs.case.id}"


@pytest.mark.parametrize(("operator", "version", "other"), BOTH_WAYS)
def test_each_is_what_its_own_version_and_the_other_say_by_the_model_alone(
    cases: Cases, operator: str, version: int, other: int
) -> None:
    for case in telling(cases, operator, version, other):
        assert case.at.spec.since_version == version, "the opset makes the version current"
        mine, document = case.by(version), case.loaded.case
        assert mine.expectation == document.expectation, document.id
        if mine.expectation != "value":
            assert mine.rules == document.rules, document.id
            assert len(mine.judgement.questions) == (mine.expectation == "open"), document.id
        assert not is_judged_alike(mine, case.by(other)), document.id


@pytest.mark.parametrize(("operator", "old", "new"), PAIRS)
def test_what_became_legal_is_refused_before_and_accepted_after(
    cases: Cases, operator: str, old: int, new: int
) -> None:
    """Types of each input, one of each kind at least, and attributes that onnx.defs has anew."""
    refused = [
        case
        for case in telling(cases, operator, new, old)
        if (case.by(old).expectation, case.by(new).expectation) == ("reject", "value")
    ]
    types = {(name, formats()[t].kind) for case in refused for name, t in case.types.items()}
    attributes = {name for case in refused for name in case.at.given}
    before, after = defs.get_schema(operator, old), defs.get_schema(operator, new)
    for one, other in zip(before.inputs, after.inputs, strict=True):
        added = {element_type(t) for t in other.types - one.types}
        assert {(other.name, formats()[name].kind) for name in added} <= types
    assert after.attributes.keys() - before.attributes.keys() <= attributes


@pytest.mark.parametrize(("operator", "old", "new"), PAIRS)
def test_each_added_type_that_breaks_one_rule_alone_before_is_told(
    cases: Cases, operator: str, old: int, new: int
) -> None:
    told = {pair for case in telling(cases, operator, new, old) for pair in case.types.items()}
    before = defs.get_schema(operator, old)
    lacking = {i.name: {element_type(t) for t in i.types} for i in before.inputs}
    for case in cases[operator, new]:
        if case.by(new).expectation == "value" and len(case.by(old).judgement.broken) == 1:
            added = {(n, t) for n, t in case.types.items() if t not in lacking[n]}
            assert added <= told or not added.isdisjoint(told), case.loaded.case.id


@pytest.mark.parametrize(("operator", "version", "other"), BOTH_WAYS)
def test_no_case_differs_in_a_way_that_no_telling_case_has(
    cases: Cases, operator: str, version: int, other: int
) -> None:
    """What a case breaks or raises in the other version is told by a case for just that."""
    told = [case.by(other) for case in telling(cases, operator, version, other)]
    told_ids = {name for ruling in told for name in ruling.rules}
    for case in cases[operator, version]:
        mine, theirs = case.by(version), case.by(other)
        if mine.expectation == "value" and theirs.expectation != "value":
            assert told_ids & set(theirs.rules), case.loaded.case.id


@pytest.mark.parametrize(
    ("name", "step"), [("behaves-as-version-before", -1), ("behaves-as-version-after", 1)]
)
@pytest.mark.parametrize("operator", OPERATORS)
def test_they_alone_catch_what_behaves_as_another_version(
    suite: EmittedSuite, cases: Cases, operator: str, name: str, step: int
) -> None:
    neighbour = dict(pair[::step] for pair in pairwise(versions(operator)))
    named = [deviation for deviation in catalogue(operator) if deviation.name == name]
    assert len(named) == bool(neighbour)
    chosen = {
        case.loaded.case.id
        for version, other in neighbour.items()
        for case in telling(cases, operator, version, other)
    }
    caught = {
        trial.version
        for deviation in named
        for trial in suite_trials(operator, suite.folder)
        if trial.name in chosen and not trial.passes(outcome_of(deviation.make, trial.at))
    }
    assert caught == set(neighbour)


def test_the_feature_stands_with_the_version_that_the_case_differs_from(opened: Suite) -> None:
    for entry in opened.entries.values():
        case = opened.load(entry).case
        others = [f for f in case.features if f.startswith("differs-from:")]
        assert (FEATURE in case.features) == bool(others), case.id
        known = versions(case.operator)
        place = known.index(case.version)
        beside = {f"differs-from:{v}" for v in (*known[:place][-1:], *known[place + 1 :][:1])}
        assert set(others) <= beside, case.id


def test_some_are_refused_some_have_two_answers_and_some_are_left_open(cases: Cases) -> None:
    kinds = {
        (case.by(version).expectation, case.by(other).expectation)
        for operator, version, other in BOTH_WAYS
        for case in telling(cases, operator, version, other)
    }
    every = {("value", "reject"), ("value", "open"), ("value", "value")}
    assert kinds == every | {pair[::-1] for pair in every}
