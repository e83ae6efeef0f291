"""The pairs that the core suite holds, counted over its models."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from dequantize_calls import legal_types
from emitted import OPERATOR, VERSIONS, EmittedCase, EmittedSuite
from observed import OBSERVERS

from onnx_cts_generator.factors import factors_of
from onnx_cts_specs import spec_for
from onnx_cts_specs.locations import specs_folder

Pair = frozenset[tuple[str, str]]


def granularities(version: int) -> tuple[str, ...]:
    """What the pages of the operator know: scalars, then axes (13), then blocks (21)."""
    since = {"per-tensor": 10, "per-axis": 13, "blocked": 21}
    return tuple(name for name, first in since.items() if version >= first)


def legal_pairs(version: int) -> dict[str, set[tuple[str, str]]]:
    """The pairs that a valid call may have, from onnx.defs and the pages of the operator."""
    of_x, of_scale_and_y = legal_types(version)
    scales, outputs = ({pair[i] for pair in of_scale_and_y} for i in (0, 1))
    kinds = granularities(version)
    return {
        "x and scale": set(itertools.product(of_x, scales)),
        "x and y": set(itertools.product(of_x, outputs)),
        "scale and y": set(of_scale_and_y),
        "x and granularity": set(itertools.product(of_x, kinds)),
        "scale and granularity": set(itertools.product(scales, kinds)),
        "y and granularity": set(itertools.product(outputs, kinds)),
    }


ASPECTS: dict[str, Callable[[EmittedCase], str]] = {
    "x": lambda case: case.inputs["x"].type,
    "scale": lambda case: case.inputs["x_scale"].type,
    "y": lambda case: case.output_type,
    "granularity": lambda case: case.granularity,
}


def shows_numbers(case: EmittedCase) -> bool:
    """Whether some element of the output is a number other than 0, infinity and NaN."""
    numbers = case.tensor("test_data_set_0/output_0.pb").numbers
    return any(not n.is_nan and n.size not in (0, float("inf")) for n in numbers)


def missing_pairs(version: int, cases: list[EmittedCase]) -> list[tuple[str, str, str]]:
    missing = []
    for kinds, legal in legal_pairs(version).items():
        first, _, second = kinds.partition(" and ")
        found = {(ASPECTS[first](case), ASPECTS[second](case)) for case in cases}
        assert found <= legal, f"{kinds}: {found - legal} are legal in no call"
        missing += [(kinds, *pair) for pair in sorted(legal - found)]
    return missing


def test_the_core_suite_has_300_to_1000_cases_over_the_eight_versions(suite: EmittedSuite) -> None:
    assert 300 <= len(suite.cases) <= 1_000
    assert {case.version for case in suite.cases} == set(VERSIONS)


def test_the_core_suite_takes_4_megabytes_at_most(suite: EmittedSuite) -> None:
    folder = suite.folder / "ai.onnx" / suite.operator
    assert sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) <= 4_000_000


def test_the_two_operators_that_quantize_have_1200_cases_of_5_megabytes_at_most(
    suite: EmittedSuite,
) -> None:
    both = [suite.about(o) for o in ("QuantizeLinear", "DynamicQuantizeLinear")]
    assert sum(len(one.every) for one in both) <= 1_200
    files = (p for one in both for p in (suite.folder / "ai.onnx" / one.operator).rglob("*"))
    assert sum(path.stat().st_size for path in files if path.is_file()) <= 5_000_000


@pytest.mark.parametrize("version", VERSIONS)
def test_every_legal_pair_of_types_and_granularities_has_a_value_case(
    suite: EmittedSuite, version: int
) -> None:
    assert missing_pairs(version, list(suite.of(version, "value"))) == []


def pairs_that_show_no_number(suite: EmittedSuite, version: int) -> list[tuple[str, str, str]]:
    """A case whose output is empty, or only 0, infinity and NaN, tells little of a type."""
    telling = [case for case in suite.of(version, "value") if shows_numbers(case)]
    return missing_pairs(version, telling)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_legal_pair_of_types_and_granularities_shows_a_number(
    suite: EmittedSuite, version: int
) -> None:
    silent = pairs_that_show_no_number(suite, version)
    assert [pair for pair in silent if "int32" not in pair] == []


def test_every_legal_pair_with_int32_shows_a_number(suite: EmittedSuite) -> None:
    assert {v: found for v in VERSIONS if (found := pairs_that_show_no_number(suite, v))} == {}


def claims_of(case: EmittedCase) -> dict[str, str]:
    """The value of each factor that case.json claims, its types and the like included."""
    said = case.document
    types = dict.fromkeys(("T", "T1"), said["dtypes"]["x"])
    types["T2"] = said["dtypes"]["x_scale"]
    return case.claims | types | {"granularity": said["granularity"], "opset": str(said["opset"])}


@pytest.mark.parametrize("version", VERSIONS)
def test_what_case_json_claims_of_a_factor_is_what_the_model_shows(
    suite: EmittedSuite, version: int
) -> None:
    factors = suite.coverage(version)["factors"]
    wrong = [
        f"{case}: {factor} is {claims_of(case)[factor]} in case.json, {observe(case)} in the model"
        for case in suite.of(version, "value")
        for factor, observe in OBSERVERS.items()
        if factor in factors and claims_of(case)[factor] not in observe(case)
    ]
    assert wrong == []


def pairs_of(factors: dict[str, tuple[str, ...]]) -> Iterator[Pair]:
    for one, other in itertools.combinations(factors, 2):
        for first, second in itertools.product(factors[one], factors[other]):
            yield frozenset({(one, first), (other, second)})


def pairs_in(rows: list[dict[str, str]]) -> set[Pair]:
    return {frozenset(pair) for row in rows for pair in itertools.combinations(row.items(), 2)}


def rows_of(suite: EmittedSuite, version: int) -> list[dict[str, str]]:
    """The value of each factor of the version in each of its value cases."""
    factors = suite.coverage(version)["factors"]
    claims = [claims_of(case) for case in suite.of(version, "value")]
    return [{factor: row[factor] for factor in factors} for row in claims]


def impossible_pairs(suite: EmittedSuite, version: int) -> set[Pair]:
    stated = suite.coverage(version)["impossible"]
    return {frozenset(entry["values"].items()) for entry in stated}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_pair_of_factor_values_occurs_unless_the_manifest_says_why_not(
    suite: EmittedSuite, version: int
) -> None:
    factors = dict(factors_of(spec_for(OPERATOR, version)).values)
    stated = suite.coverage(version)
    assert {name: tuple(values) for name, values in stated["factors"].items()} == factors
    impossible = impossible_pairs(suite, version)
    possible = set(pairs_of(factors)) - impossible
    found = pairs_in(rows_of(suite, version))
    assert found & impossible == set(), "a pair called impossible occurs"
    assert possible - found == set()
    assert stated["tuples"] == len(possible)
    assert all(entry["reason"] for entry in stated["impossible"])


MASKING = {("x_scale", "special"), ("size", "empty")}
"""What hides a fault in the rest of a call: no element shows, or none but 0, infinity and NaN."""


@pytest.mark.parametrize("version", VERSIONS)
def test_a_pair_without_what_masks_others_occurs_in_a_case_without_it(
    suite: EmittedSuite, version: int
) -> None:
    factors = suite.coverage(version)["factors"]
    possible = set(pairs_of(factors)) - impossible_pairs(suite, version)
    unmasked = {pair for pair in possible if not pair & MASKING}
    assert possible - unmasked, "every masking value is there to be covered too"
    telling = [row for row in rows_of(suite, version) if not MASKING & row.items()]
    assert unmasked - pairs_in(telling) == set()


IMPOSSIBLE: dict[tuple[str, str], Callable[[str, str], bool]] = {
    ("granularity", "rank"): lambda kind, rank: kind != "per-tensor" and rank == "0",
    ("granularity", "block"): lambda kind, block: (kind == "blocked") == (block == "none"),
    ("rank", "axis"): lambda rank, axis: (
        axis in {"1": "middle last", "2": "middle"}.get(rank, "")
        or (rank == "0" and axis != "omitted")
    ),
    ("rank", "axis-sign"): lambda rank, sign: rank == "0" and sign == "from-back",
    ("rank", "block"): lambda rank, block: rank == "0" and block != "none",
    ("rank", "size"): lambda rank, size: rank == "0" and size != "one",
    ("size", "lengths"): lambda size, lengths: size in ("vector", "empty") and lengths == "equal",
    ("parameters", "storage"): lambda place, storage: (
        (place == "inputs" and storage != "raw") or (place, storage) == ("constants", "external")
    ),
    ("axis", "axis-sign"): lambda axis, sign: axis == "omitted" and sign == "from-back",
    ("block", "size"): lambda block, size: block == "tail" and size == "one",
    ("T", "x_zero_point"): lambda x, zero: x == "int32" and zero == "extreme",
    ("T1", "x_zero_point"): lambda x, zero: ("float" in x or x == "int32") and zero == "extreme",
    ("T2", "output_dtype"): lambda scale, y: scale == "float8e8m0" and y == "omitted",
    ("T2", "x_scale"): lambda scale, pattern: scale == "float8e8m0" and pattern == "ties",
    ("x_zero_point", "absence"): lambda zero, absence: zero != "absent" and absence == "unnamed",
}
"""What no valid call can have, by the operator's page: nothing else may be called impossible."""


@pytest.mark.parametrize("version", VERSIONS)
def test_only_pairs_that_no_valid_call_has_are_called_impossible(
    suite: EmittedSuite, version: int
) -> None:
    for entry in suite.coverage(version)["impossible"]:
        (one, first), (other, second) = entry["values"].items()
        judge = IMPOSSIBLE.get((one, other), lambda _first, _second: False)
        assert judge(first, second), f"{entry['values']} ({entry['reason']}) is possible"


def entries(version: int, section: str) -> set[str]:
    """The ids of a section of the YAML itself."""
    path: Path = specs_folder() / "ai.onnx" / OPERATOR / f"{version}.yaml"
    document: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return {entry["id"] for entry in document[section]}


@pytest.mark.parametrize(
    ("expectation", "section"), [("reject", "rules"), ("open", "open_questions")]
)
@pytest.mark.parametrize("version", VERSIONS)
def test_every_rule_has_a_reject_case_and_every_question_an_open_one(
    suite: EmittedSuite, version: int, expectation: str, section: str
) -> None:
    named = {tuple(case.document["rules"]) for case in suite.of(version, expectation)}
    assert named == {(name,) for name in entries(version, section)}
