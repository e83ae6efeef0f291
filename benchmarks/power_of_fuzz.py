"""Count the examples that the strategy of ``onnx-cts fuzz`` takes to find each deviation.

Run as ``python benchmarks/power_of_fuzz.py [--examples N] [--seed N] [OPERATOR...]``. Of each operator version
N examples are drawn as the search draws them. Every deviation of the catalogue runs on each, in this
process, until an example fails it that the right implementation passes. It has to be found in those
versions in which the core suite catches it.
"""

from __future__ import annotations

import argparse
import sys
import time
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

    def ask(case):
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
    from dataclasses import replace

    return loaded_case(
        replace(case, presentation=replace(case.presentation, expanded=False))
    )[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--version", type=int, action="append")
    given = parser.parse_args()
    operators = given.operators or list(dict.fromkeys(s.operator for s in all_specs()))
    for operator in operators:
        by_suite = {f.deviation.name: f for f in score(operator, suite_trials(operator, SUITE))}
        for spec in all_specs():
            if spec.operator != operator or given.version and spec.since_version not in given.version:
                continue
            start = time.perf_counter()
            first, count = found(spec, given.examples, given.seed)
            due = [n for n, f in by_suite.items() if f.caught.get(spec.since_version)]
            missed = [n for n in due if n not in first]
            more = [n for n in first if n not in due]
            times = sorted(first[n] for n in due if n in first)
            print(
                f"{operator} {spec.since_version}: {len(times)} of {len(due)} within {count} examples"
                f" (median {median(times):g}, last {times[-1]}), {time.perf_counter() - start:.0f} s"
                f"  missed: {' '.join(missed) or 'none'}  more: {' '.join(more) or 'none'}"
                f"  late: {' '.join(f'{n}:{first[n]}' for n in due if first.get(n, 0) > 500)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
