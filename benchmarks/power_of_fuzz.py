"""Count the examples that the strategy of ``onnx-cts fuzz`` takes to find each deviation.

Run as ``python benchmarks/power_of_fuzz.py [--examples N] [--seed N] [OPERATOR...]``. Of each
operator version N examples are drawn as the search draws them. Every deviation of the catalogue
runs on each, in this process, until an example fails it that the right implementation passes. It
is due in those versions in which the core suite catches it.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from statistics import median

from onnx_cts_generator.fuzz.searching import Search
from onnx_cts_generator.judged import loaded_case
from onnx_cts_generator.mutation import PASSED, score, suite_trials
from onnx_cts_harness.diagnosis import loaded_situation, outcome_of
from onnx_cts_harness.verify import verify
from onnx_cts_reference.deviations.catalog import catalogue, right
from onnx_cts_reference.model_calls import ModelCallError
from onnx_cts_specs import all_specs

SUITE = Path(__file__).parents[1] / "generated_tests"


def found(spec, examples, seed):
    """For each deviation the number of the first example that shows it, and how many there were."""
    left = {deviation.name: deviation for deviation in catalogue(spec.operator, spec.domain)}
    first = {}
    count = 0

    def ask(case, _among):
        nonlocal count
        count += 1
        entry, loaded = loaded_case(case)
        try:
            at = loaded_situation(loaded)
        except ModelCallError:
            # A function body in place of its node is for other operators to compute.
            return verify(entry, loaded, outcome_of(right(spec), loaded_situation(plain(case))))
        answer = outcome_of(right(spec), at)
        result = verify(entry, loaded, answer)
        assert result.verdict in PASSED, (case.node, result)
        for name, deviation in list(left.items()):
            outcome = outcome_of(deviation.make, at)
            if outcome != answer and verify(entry, loaded, outcome).verdict not in PASSED:
                first[name] = count
                del left[name]
        return result

    search = Search(ask, seed=seed)
    turn = 0
    while count < examples and left:
        assert not list(search.turn(spec, turn))
        turn += 1
    return first, count


def plain(case):
    return loaded_case(replace(case, presentation=replace(case.presentation, expanded=False)))[1]


def line(spec, due, first, count):
    """What was found of the deviations that are due."""
    numbers = sorted(first[name] for name in due if name in first)
    missed = [name for name in due if name not in first]
    found_of = f"{len(numbers)} of {len(due)} in {count} examples"
    times = f"median {median(numbers):g}, last {numbers[-1]}"
    return f"{spec.operator} {spec.since_version}  {found_of}, {times}  missed: {missed or 'none'}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--examples", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    operators = given.operators or list(dict.fromkeys(s.operator for s in all_specs()))
    for operator in operators:
        by_suite = {f.deviation.name: f for f in score(operator, suite_trials(operator, SUITE))}
        for spec in (s for s in all_specs() if s.operator == operator):
            due = [n for n, f in by_suite.items() if f.caught.get(spec.since_version)]
            first, count = found(spec, given.examples, given.seed)
            print(line(spec, due, first, count), flush=True)


if __name__ == "__main__":
    main()
