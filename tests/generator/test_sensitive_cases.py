"""Cases that tell a reciprocal multiplication from a division can be left out by a feature."""

from __future__ import annotations

import pytest
from emitted import EmittedSuite

from onnx_cts_generator.mutation import suite_trials
from onnx_cts_harness.diagnosis import outcome_of
from onnx_cts_reference.deviations.catalog import catalogue

FEATURE = "reciprocal-sensitive"
OPERATORS = ("QuantizeLinear", "DynamicQuantizeLinear")


@pytest.mark.parametrize("operator", OPERATORS)
def test_what_multiplies_by_the_reciprocal_fails_just_the_cases_that_say_so(
    suite: EmittedSuite, operator: str
) -> None:
    sensitive = {
        case.document["id"]
        for case in suite.about(operator).every
        if FEATURE in case.document["features"] and not case.is_chained
    }
    failed = set()
    for deviation in catalogue(operator):
        if deviation.feature == FEATURE:
            for trial in suite_trials(operator, suite.folder):
                if not trial.passes(outcome_of(deviation.make, trial.at)):
                    failed.add(trial.name)
    assert failed
    assert failed <= sensitive
    assert all(name in failed or "function_body" in name for name in sensitive)


def test_no_case_of_an_operator_that_multiplies_says_so(suite: EmittedSuite) -> None:
    assert not any(FEATURE in case.document["features"] for case in suite.every)
