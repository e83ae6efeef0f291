"""Cases can be left out by what they exercise."""

import json
from pathlib import Path

from onnx_cts_harness import start_run

HERE = Path(__file__).parent
SUITE = HERE.parents[1] / "generated_tests"


def features_of(case: str) -> list[str]:
    found: list[str] = json.loads((SUITE / case / "case.json").read_text("utf-8"))["features"]
    return found


def test_cases_with_a_feature_are_left_out_and_no_others() -> None:
    with start_run(SUITE, f"{HERE / 'deviant.py'}:right") as run:
        every = {result.case for result in run.results(versions=[21])}
        kept = {r.case for r in run.results(versions=[21], without=["subnormal", "special-scale"])}
    dropped = every - kept
    assert kept < every
    assert all({"subnormal", "special-scale"} & set(features_of(case)) for case in dropped)
    assert not any({"subnormal", "special-scale"} & set(features_of(case)) for case in kept)


def test_a_backend_that_flushes_subnormals_passes_without_them() -> None:
    with start_run(SUITE, f"{HERE / 'deviant.py'}:subnormals-flushed") as run:
        assert any(r.verdict.is_failure for r in run.results(versions=[21]))
        assert not any(
            r.verdict.is_failure for r in run.results(versions=[21], without=["subnormal"])
        )
