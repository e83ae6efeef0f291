"""A wrong answer is named by the plausible mistakes that give it."""

from pathlib import Path

import pytest

from onnx_cts_harness import Result, Verdict, print_summary, run_suite
from onnx_cts_reference.deviations.catalog import catalogue

HERE = Path(__file__).parent
SUITE = HERE.parents[1] / "generated_tests"


def results_of(variant: str, version: int = 21) -> list[Result]:
    return list(run_suite(SUITE, f"{HERE / 'deviant.py'}:{variant}", versions=[version]))


def summary_of(results: list[Result], tmp_path: Path) -> list[str]:
    path = tmp_path / "summary.txt"
    with path.open("w", encoding="utf-8") as stream:
        print_summary("deviant", results, stream)
    return path.read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    "name",
    [
        "ties-away",
        "axis-off-by-one",
        "tail-takes-first-block",
        "divided-by-reciprocal",
        "unsigned-taken-for-signed",
        "packed-elements-swapped",
        "output-always-float32",
        "rank-zero-becomes-one",
        "accepts-broken-zero-point-shape",
    ],
)
def test_the_mistake_behind_each_failure_is_among_those_named(name: str) -> None:
    failures = [r for r in results_of(name) if r.verdict.is_failure]
    assert failures
    assert all(r.diagnosis is not None and name in r.diagnosis for r in failures)


def test_the_summary_groups_failures_by_what_explains_them(tmp_path: Path) -> None:
    results = results_of("ties-away")
    count = sum(r.verdict.is_failure for r in results)
    assert f"diagnosis  ties-away explains {count} of {count}" in summary_of(results, tmp_path)


def test_an_answer_that_no_known_mistake_gives_is_said_to_be_so(tmp_path: Path) -> None:
    results = results_of("one-too-many")
    wrong = [r for r in results if r.verdict is Verdict.WRONG_VALUE]
    unexplained = [r for r in wrong if r.diagnosis == ()]
    assert len(unexplained) > len(wrong) / 2
    lines = summary_of(results, tmp_path)
    assert f"diagnosis  no known deviation explains {len(unexplained)} of {len(wrong)}" in lines
    named = next(line for line in lines if unexplained[0].case in line)
    assert named.endswith("[no known deviation]")


def test_a_right_implementation_passes_every_case_of_every_version() -> None:
    backend = f"{HERE / 'deviant.py'}:right"
    results = list(run_suite(SUITE, backend))
    assert not [r.case for r in results if r.verdict.is_failure or r.verdict.is_error]
    # It knows one node, and no function body or chain.
    refused = [r.case for r in results if r.verdict is Verdict.REFUSED]
    assert all("round_trip" in case or "function_body" in case for case in refused)


def test_what_is_right_or_refused_is_not_diagnosed() -> None:
    assert all(r.diagnosis is None for r in results_of("refuses-tail-block"))


def test_one_node_answered_differently_in_two_presentations_is_reported_with_both(
    tmp_path: Path,
) -> None:
    results = results_of("moody")
    pairs = [r for r in results if r.presents]
    assert len(pairs) >= 3
    lines = [line for line in summary_of(results, tmp_path) if line.startswith("presentation")]
    constant = next(r for r in pairs if "constants" in r.case)
    assert any(constant.case in line and constant.presents in line for line in lines)
    assert not any(r.case in line for r in pairs if "constants" not in r.case for line in lines)


def test_a_steady_backend_has_no_line_on_presentations(tmp_path: Path) -> None:
    lines = summary_of(results_of("right"), tmp_path)
    assert not [line for line in lines if line.startswith("presentation")]


def test_the_catalogue_holds_many_mistakes_each_with_a_name_and_a_sentence() -> None:
    deviations = catalogue("DequantizeLinear")
    names = [d.name for d in deviations]
    assert len(names) == len(set(names)) >= 45
    assert all(d.says.endswith(".") and d.category for d in deviations)
