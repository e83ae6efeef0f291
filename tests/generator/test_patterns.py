from __future__ import annotations

import itertools
import math

import numpy as np
import oracle
import pytest
from by_index import is_tie

from onnx_cts_generator.patterns import PATTERNS, UnfitError, codes_for
from onnx_cts_generator.quotients import Among
from onnx_cts_reference.formats import formats

X_TYPES = tuple(
    name for name in oracle.BITS if name not in ("float", "float16", "bfloat16", "float8e8m0")
)
OUTPUTS = ("float", "float16", "bfloat16")
FLOAT_SCALES = OUTPUTS
SCALES = (*FLOAT_SCALES, "float8e8m0")
SALTS = (0, 1, 7, 100)
VECTOR = (289,)
HEAD = 32
"""The elements of edges and near-zero that are special."""


def numbers(
    pattern: str, name: str, shape: tuple[int, ...], salt: int = 0, target: str = "float"
) -> list[oracle.Number]:
    codes = codes_for(pattern, formats()[name], shape, salt, Among(formats()[target]))
    assert codes.shape == shape
    return [oracle.decode(int(code), name) for code in codes.reshape(-1)]


def finite(found: list[oracle.Number]) -> list[oracle.Number]:
    return [n for n in found if not n.is_nan and n.size != math.inf]


def is_power_of_two(number: oracle.Number) -> bool:
    parts = number.size.numerator, number.size.denominator
    return all(part & (part - 1) == 0 for part in parts) and 1 in parts


def kind(code: int, name: str) -> str:
    """What an answer of an output type is: zero, subnormal, normal, infinite or NaN."""
    number = oracle.decode(code, name)
    if number.is_nan:
        return "nan"
    if number.size in (0, math.inf):
        return "zero" if number.size == 0 else "infinite"
    form = oracle.LAYOUTS[name]
    return "subnormal" if code & (form.sign - 1) < 1 << form.mantissa else "normal"


@pytest.mark.parametrize("salt", SALTS)
@pytest.mark.parametrize("name", [name for name in X_TYPES if oracle.BITS[name] <= 8])
@pytest.mark.parametrize("pattern", PATTERNS["data"])
def test_a_vector_of_data_holds_every_code_of_a_type_of_up_to_8_bits(
    pattern: str, name: str, salt: int
) -> None:
    codes = codes_for(pattern, formats()[name], VECTOR, salt, Among(formats()["float"]))
    assert set(codes.tolist()) == set(range(1 << oracle.BITS[name]))


@pytest.mark.parametrize("name", X_TYPES)
@pytest.mark.parametrize("pattern", ["edges", "near-zero"])
def test_special_data_goes_on_as_range_after_its_head(pattern: str, name: str) -> None:
    for salt in SALTS:
        tail = numbers(pattern, name, VECTOR, salt)[HEAD:]
        assert tail == numbers("range", name, (VECTOR[0] - HEAD,), salt + HEAD)


@pytest.mark.parametrize("salt", SALTS)
@pytest.mark.parametrize("name", [name for name in X_TYPES if oracle.BITS[name] <= 8])
def test_each_round_of_range_has_every_code_once_and_begins_three_steps_further(
    name: str, salt: int
) -> None:
    length = 1 << oracle.BITS[name]
    codes = codes_for("range", formats()[name], (3, length), salt, Among(formats()["float"]))
    for one, following in itertools.pairwise(codes.astype(int)):
        assert sorted(one) == sorted(following) == list(range(length))
        assert one[3:].tolist() == following[:-3].tolist()


SHAPES = ((5, 4), (3, 5, 4), (2, 3, 5, 4), (4, 4), (4, 4, 4), (4, 4, 4, 4), (9, 33), (3, 5, 33))


@pytest.mark.parametrize("name", X_TYPES)
def test_neighbours_of_range_differ_along_every_axis(name: str) -> None:
    for shape in SHAPES:
        codes = codes_for("range", formats()[name], shape, 0, Among(formats()["float"])).astype(int)
        for axis in range(len(shape)):
            same = np.diff(codes, axis=axis) == 0
            # With four codes or sixteen some neighbours must be equal somewhere.
            allowed = 0.5 if oracle.BITS[name] < 6 else 0
            assert same.mean() <= allowed, f"{shape}: {same.mean():.0%} equal along axis {axis}"


@pytest.mark.parametrize("name", X_TYPES)
def test_edges_hold_the_extremes_zeros_and_specials_of_the_type(name: str) -> None:
    found = numbers("edges", name, (20,))
    every = [oracle.decode(code, name) for code in notable(name)]
    whole = [n.value for n in finite(every)]
    assert {min(whole), max(whole)} <= {n.value for n in finite(found)}
    assert any(n.is_nan for n in found) == any(n.is_nan for n in every)
    for special in (math.inf, 0):
        signs = {n.negative for n in every if n.size == special}
        assert {n.negative for n in found if n.size == special} == signs
    smallest = min(n.size for n in finite(every) if n.size)
    assert {n.negative for n in found if n.size == smallest} == {
        n.negative for n in every if n.size == smallest
    }


def notable(name: str) -> range | list[int]:
    bits = oracle.BITS[name]
    if bits <= 8:
        return range(1 << bits)
    return [0, 1, (1 << bits) - 1, (1 << (bits - 1)) - 1, 1 << (bits - 1)]


@pytest.mark.parametrize("name", FLOAT_SCALES)
def test_ordinary_scales_are_distinct_and_positive_with_full_significands(name: str) -> None:
    for salt in SALTS:
        found = numbers("ordinary", name, (60,), salt)
        assert len(set(found)) == 60
        assert not any(is_power_of_two(n) for n in found)
        assert all(kind(oracle.encode(n, name), name) == "normal" for n in found)
        assert not any(n.negative for n in found)


def test_ordinary_scales_of_powers_of_two_differ_from_their_neighbours() -> None:
    found = numbers("ordinary", "float8e8m0", (60,))
    assert all(one != other for one, other in itertools.pairwise(found))
    assert len(set(found)) == 7


def test_a_scale_without_significand_has_no_ties() -> None:
    with pytest.raises(UnfitError, match="float8e8m0 has"):
        codes_for("ties", formats()["float8e8m0"], (1,), 0, Among(formats()["float"]))


def tie_factor(scale: str, output: str) -> int:
    """The least difference that makes a tie: a scale of one bit more than y is one by itself."""
    return 1 if oracle.LAYOUTS[scale].mantissa > oracle.LAYOUTS[output].mantissa else 3


TIES = [
    (scale, output)
    for scale, output in itertools.product(FLOAT_SCALES, OUTPUTS)
    if oracle.LAYOUTS[scale].mantissa >= oracle.LAYOUTS[output].mantissa
]


@pytest.mark.parametrize(("scale", "output"), TIES)
def test_ties_are_distinct(scale: str, output: str) -> None:
    assert len(set(numbers("ties", scale, (60,), target=output))) == 60


@pytest.mark.parametrize(("scale", "output"), TIES)
def test_ties_are_ties_in_the_type_of_the_output(scale: str, output: str) -> None:
    found = numbers("ties", scale, (60,), target=output)
    directions = set()
    factor = tie_factor(scale, output)
    for number in found:
        exact = oracle.multiply(oracle.number(factor), number)
        assert is_tie(exact, output), f"{factor} * {number.value} is no tie of {output}"
        directions.add(oracle.rounded(exact, output).size > exact.size)
    assert directions == {True, False}, "ties go to even upward and downward"


@pytest.mark.parametrize(
    ("scale", "output"),
    [
        ("float", "float"),
        ("float", "float16"),
        ("float", "bfloat16"),
        ("float16", "float16"),
        ("bfloat16", "float16"),
        ("bfloat16", "bfloat16"),
        ("float8e8m0", "float16"),
    ],
)
def test_limits_give_subnormal_normal_and_infinite_results(scale: str, output: str) -> None:
    kinds = {
        kind(oracle.encode(oracle.multiply(oracle.number(x), n), output), output)
        for n in numbers("limits", scale, (14,), target=output)
        for x in (1, 2, 3, 127)
    }
    underflows = {"zero"} if oracle.decode(1, output).size > least(scale) else set()
    assert kinds == {"subnormal", "normal", "infinite"} | underflows


def least(name: str) -> object:
    return oracle.decode(0 if name == "float8e8m0" else 1, name).size


@pytest.mark.parametrize("salt", SALTS)
@pytest.mark.parametrize("name", FLOAT_SCALES)
def test_special_scales_are_zeros_infinities_nan_and_negative_numbers(name: str, salt: int) -> None:
    found = numbers("special", name, (7,), salt)
    assert [n.is_nan for n in found].count(True) == 1
    for size in (0, math.inf):
        assert {n.negative for n in found if n.size == size} == {False, True}
    between = [n for n in finite(found) if n.size]
    assert len(set(between)) == 2
    assert all(n.negative for n in between)
    assert not any(is_power_of_two(n) for n in between)


def test_special_scales_of_powers_of_two_are_nan_and_one() -> None:
    found = numbers("special", "float8e8m0", (4,))
    assert [n.is_nan for n in found].count(True) == 2
    assert set(finite(found)) == {oracle.number(1)}


@pytest.mark.parametrize("name", X_TYPES)
def test_extreme_zero_points_are_no_zeros_and_hold_both_ends(name: str) -> None:
    found = numbers("extreme", name, (20,))
    assert all(n.size for n in found)
    if name in oracle.INTEGER_BITS:
        codes = [oracle.decode(code, name).value for code in notable(name)]
        assert {min(v for v in codes if v), max(codes)} <= {n.value for n in found}


@pytest.mark.parametrize("name", X_TYPES)
def test_zero_is_the_positive_zero(name: str) -> None:
    assert set(numbers("zero", name, (5,))) == {oracle.number(0)}


@pytest.mark.parametrize("role", PATTERNS)
def test_an_empty_tensor_and_a_scalar_have_every_pattern(role: str) -> None:
    name = {"scale": "float"}.get(role, "int8")
    for pattern in PATTERNS[role]:
        assert numbers(pattern, name, (0, 3)) == []
        assert len(numbers(pattern, name, ())) == 1


@pytest.mark.parametrize(
    ("role", "pattern"), [(r, p) for r in PATTERNS for p in PATTERNS[r] if p != "special"]
)
def test_salt_moves_the_start(role: str, pattern: str) -> None:
    name = {"scale": "float"}.get(role, "int8")
    assert numbers(pattern, name, (4,), salt=3) == numbers(pattern, name, (7,))[3:]


def test_salt_moves_the_start_of_special_scales_and_changes_the_negative_one() -> None:
    moved, still = numbers("special", "float", (4,), salt=3), numbers("special", "float", (7,))[3:]
    plain = [n.size in (0, math.inf) for n in still]
    assert [n.size in (0, math.inf) for n in moved] == plain == [True, False, True, True]
    assert [n for n, p in zip(moved, plain, strict=True) if p] == [
        n for n, p in zip(still, plain, strict=True) if p
    ]
    assert moved[1] != still[1]
