"""Value cases as they are made from rows of factor values."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from emitted import OPERATOR, VERSIONS, EmittedCase, EmittedSuite

from onnx_cts_generator import cases
from onnx_cts_generator.case import Case
from onnx_cts_generator.cases import Chapter
from onnx_cts_generator.factors import factors_of
from onnx_cts_generator.patterns import codes_for
from onnx_cts_generator.probes import scale_probes
from onnx_cts_generator.quotients import Among
from onnx_cts_generator.values import value_case
from onnx_cts_generator.version_cases import told_apart
from onnx_cts_reference.formats import formats
from onnx_cts_specs import spec_for

INPUTS = ("x", "x_scale", "x_zero_point")


def case_of(version: int, salt: int, **values: str) -> Case:
    """The case of the plain row of a version, but for some values."""
    spec = spec_for(OPERATOR, version)
    factors = factors_of(spec)
    assert values.keys() <= factors.values.keys()
    return value_case(spec, factors, factors.plain() | values, dict.fromkeys(INPUTS, salt))


def shows_a_number(case: Case) -> bool:
    (expected,) = case.expected["value"]
    return bool((np.isfinite(expected.numbers) & (expected.numbers != 0)).any())


UNTELLING = (2, 6, 8, 10)
"""Places of the pattern edges where some type has a zero, an infinity or NaN."""
PATTERNS_AND_TYPES = itertools.product(
    ("range", "edges", "near-zero"),
    ("float", "float16", "bfloat16"),
    factors_of(spec_for(OPERATOR, 28)).values["T1"],
)


@pytest.mark.parametrize(
    ("pattern", "output", "data"),
    [*PATTERNS_AND_TYPES],
)
def test_one_element_shows_a_number_wherever_its_patterns_begin(
    pattern: str, output: str, data: str
) -> None:
    for salt in UNTELLING:
        values = {"T1": data, "x": pattern, "output_dtype": output, "x_zero_point": "zero"}
        case = case_of(28, salt, **values, size="one")
        assert shows_a_number(case), f"salt {salt}"


def test_what_masks_the_rest_keeps_the_place_where_its_patterns_begin() -> None:
    form = formats()["float"]
    for salt in range(8):
        case = case_of(10, salt, x_scale="special")
        wanted = codes_for("special", form, (), salt, Among(form))
        assert case.node.inputs["x_scale"].codes == wanted


@pytest.mark.parametrize("version", [10, 28])
def test_patterns_begin_one_place_further_each_time_that_an_input_has_them(
    version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[dict[str, str], dict[str, int], str]] = []

    def recorded(spec: Any, factors: Any, row: Any, salts: Any, presents: str = "") -> Case:
        made.append((row, dict(salts), presents))
        return value_case(spec, factors, row, salts, presents)

    monkeypatch.setattr(cases, "value_case", recorded)
    chapter = Chapter(spec_for(OPERATOR, version), "core")
    list(chapter.cases())
    probes = list(scale_probes(chapter.spec, chapter.factors))
    told = [node_row(row) for row in told_apart(chapter.spec).rows]
    times: Counter[tuple[str, str]] = Counter()
    for row, salts, presents in made:
        if row in probes:
            assert set(salts.values()) == {0}
        elif not presents:
            wanted = {name: times[name, row[name]] for name in INPUTS}
            assert salts == (dict.fromkeys(INPUTS, 0) if node_row(row) in told else wanted)
            times.update((name, row[name]) for name in INPUTS)
    assert len(made) > sum(not presents for *_, presents in made) > 0


def node_row(row: Any) -> dict[str, str]:
    """A row without the ways in which its node is presented."""
    return {name: value for name, value in row.items() if name not in PRESENTATION}


PRESENTATION = {"absence", "parameters", "storage", "shapes", "attributes", "opset"}


def presented(suite: EmittedSuite, version: int) -> list[tuple[EmittedCase, EmittedCase]]:
    """Each case that presents another, and that other."""
    by_id = {case.document["id"]: case for case in suite.of(version)}
    return [
        (by_id[case.document["presents"]], case)
        for case in suite.of(version)
        if "presents" in case.document
    ]


def node_of(case: EmittedCase) -> dict[str, Any]:
    inputs = {n: (t.type, t.shape, t.codes.tolist()) for n, t in case.inputs.items()}
    defaults = {name: case.attribute(name) for name in case.schema.attributes}
    return {"inputs": inputs, "attributes": defaults, "output": case.output_type}


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_presents_some_node_in_several_ways(suite: EmittedSuite, version: int) -> None:
    pairs = presented(suite, version)
    assert max(Counter(plain.name for plain, _ in pairs).values()) >= 3
    for plain, other in pairs:
        assert plain.expectation == other.expectation == "value"
        assert "presents" not in plain.document, "the first of them is the one that is named"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_node_that_is_presented_otherwise_has_the_same_answer(
    suite: EmittedSuite, version: int
) -> None:
    for plain, other in presented(suite, version):
        assert node_of(plain) == node_of(other), other
        claims = plain.claims.items() ^ other.claims.items()
        assert {factor for factor, _ in claims} <= PRESENTATION | {"differs-from"}, other
        for name in ("test_data_set_0/output_0.pb", "permitted/output_0.lower.pb"):
            assert plain.has(name) == other.has(name), other
            if plain.has(name):
                assert plain.proto(name) == other.proto(name), other
