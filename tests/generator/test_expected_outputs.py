from __future__ import annotations

import oracle
import pytest
from by_index import Formula, differing, is_tie, wrapped_difference
from emitted import VERSIONS, EmittedCase, EmittedSuite

OUTPUT = "test_data_set_0/output_0.pb"
BOUNDS = {"lower": "permitted/output_0.lower.pb", "upper": "permitted/output_0.upper.pb"}


def computed_readings(case: EmittedCase) -> dict[str, Formula]:
    """What each answer to the open questions means by its name."""
    as_is = {"case": case, "granularity": case.granularity}
    return {
        "per-tensor": Formula(case, "per-tensor"),
        "axis-0": Formula(**as_is, axis=0),
        "ignored": Formula(**as_is, without_zero_point="zero_point" in case.name),
        "subtracted": Formula(**as_is),
        "subtracted-exactly": Formula(**as_is),
        "subtracted-with-wrap-around": Formula(**as_is, difference=wrapped_difference),
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_every_expected_output_is_the_exact_product_rounded_once(
    suite: EmittedSuite, version: int
) -> None:
    wrong = [
        line
        for case in suite.of(version, "value")
        for line in differing(case, OUTPUT, Formula(case, case.granularity).codes())
    ]
    assert wrong == []


@pytest.mark.parametrize("version", VERSIONS)
def test_bounds_span_the_readings_and_are_there_only_where_they_differ_from_the_value(
    suite: EmittedSuite, version: int
) -> None:
    wrong = []
    for case in suite.of(version, "value"):
        formula = Formula(case, case.granularity)
        several = any(
            oracle.decode(a.lower, case.output_type).value
            != oracle.decode(a.upper, case.output_type).value
            and a.lower != a.upper
            for a in formula.answers
        )
        for end, file in BOUNDS.items():
            if case.has(file) != several:
                wrong.append(f"{case}: {file} is {'missing' if several else 'superfluous'}")
            elif several:
                wrong += differing(case, file, formula.codes(end))
    assert wrong == []


@pytest.mark.parametrize("version", VERSIONS)
def test_the_readings_of_case_json_are_those_that_differ(suite: EmittedSuite, version: int) -> None:
    every = {"exact", "float32"} | ({"output-precision"} if version >= 19 else set())
    wrong = {
        str(case): case.document["reading"]
        for case in suite.of(version, "value")
        if set(case.document["reading"]) != (every if case.has(BOUNDS["lower"]) else {"exact"})
    }
    assert wrong == {}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_reading_of_an_open_case_is_what_its_name_says(
    suite: EmittedSuite, version: int
) -> None:
    wrong = []
    for case in suite.of(version, "open"):
        meaning = computed_readings(case)
        for reading in case.document["reading"]:
            if reading != "refused":
                file = f"readings/{reading}/output_0.pb"
                wrong += differing(case, file, meaning[reading].codes())
    assert wrong == []


@pytest.mark.parametrize("version", VERSIONS)
def test_open_cases_tell_their_readings_apart_whatever_the_width_of_the_arithmetic(
    suite: EmittedSuite, version: int
) -> None:
    for case in suite.of(version, "open"):
        meaning = computed_readings(case)
        computed = [r for r in case.document["reading"] if r != "refused"]
        outputs = [tuple(meaning[reading].codes()) for reading in computed]
        assert len(set(outputs)) == len(outputs), f"{case}: two readings give the same output"
        assert {"refused", *computed} == set(case.document["reading"]), f"{case}: may be refused"
        for reading in computed:
            formula = meaning[reading]
            widths = formula.codes("lower"), formula.codes("upper")
            assert widths[0] == widths[1], f"{case}: {reading} depends on the width"


def test_open_readings_that_have_no_outputs_have_no_folder(suite: EmittedSuite) -> None:
    for case in suite.cases:
        folders = {path.name for path in case.folder.glob("readings/*")}
        readings = set(case.document["reading"]) if case.expectation == "open" else set()
        assert folders == readings - {"refused"}, case


def test_reject_and_open_cases_have_no_expected_output(suite: EmittedSuite) -> None:
    for case in suite.cases:
        outputs = case.has(OUTPUT)
        assert outputs == (case.expectation == "value"), case
        assert case.has("permitted") <= outputs, case


@pytest.mark.parametrize("version", VERSIONS)
def test_each_output_type_has_ties_that_go_to_even_upward_and_downward(
    suite: EmittedSuite, version: int
) -> None:
    """Without both, rounding half away from zero, or half toward it, would pass."""
    ties = set()
    for case in suite.of(version, "value"):
        for product in Formula(case, case.granularity).products:
            if is_tie(product, case.output_type):
                grows = oracle.rounded(product, case.output_type).size > product.size
                ties.add((case.output_type, "upward" if grows else "downward"))
    types = {case.output_type for case in suite.of(version, "value")}
    assert ties == {(name, way) for name in types for way in ("upward", "downward")}
