"""Chains: models of two nodes, described in data."""

from pathlib import Path

import pytest

from onnx_cts_specs import SpecError
from onnx_cts_specs.chains import chains_of, load_chains

GOOD = """\
chains:
  - name: round-trip
    since: 10
    then: DequantizeLinear
    inputs: {x: y}
    for_each: granularity
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "chains.yaml"
    path.write_text(text, "utf-8")
    return path


def test_the_second_operator_is_at_the_version_that_the_opset_makes_current() -> None:
    (chain,) = chains_of("QuantizeLinear")
    assert [chain.second(opset, "").since_version for opset in (10, 12, 13, 20, 25)] == [
        10, 10, 13, 19, 25,
    ]  # fmt: skip


def test_an_operator_without_a_file_begins_no_chain() -> None:
    assert chains_of("DynamicQuantizeLinear") == ()


def test_a_file_gives_its_chains_in_order(tmp_path: Path) -> None:
    other = GOOD.removeprefix("chains:\n").replace("round-trip", "other")
    found = load_chains(written(tmp_path, GOOD + other))
    assert [chain.name for chain in found] == ["round-trip", "other"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("    then: DequantizeLinear\n", "", "'then' is a required property"),
        ("for_each: granularity", "for_each: axis", "is none of granularity, version"),
        ("    since", "    sinse", "the key `sinse` is unknown here"),
        ("round-trip", "Round Trip", "does not match"),
    ],
)
def test_a_wrong_file_gives_one_error_with_its_place(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(SpecError) as error:
        load_chains(path)
    assert str(error.value).startswith(f"{path}:")
    assert problem in str(error.value)
