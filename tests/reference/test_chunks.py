"""Large tensors are computed in pieces, and each code once where that is all there is to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from onnx_cts_reference import chunks, evaluate
from onnx_cts_reference.formats import codes_of, formats
from onnx_cts_reference.tensors import tensor_from

SHAPE = (3, 10, 7)
GRANULARITIES: dict[str, tuple[tuple[int, ...], dict[str, int]]] = {
    "per-tensor": ((), {}),
    "per-axis-first": ((3,), {"axis": 0}),
    "per-axis-middle": ((10,), {"axis": -2}),
    "per-axis-last": ((7,), {"axis": 2}),
    "blocked": ((3, 4, 7), {"axis": 1, "block_size": 3}),
    "blocked-last": ((3, 10, 2), {"axis": -1, "block_size": 5}),
}


def calls() -> Iterator[tuple[str, list[np.ndarray[Any, Any]]]]:
    """Operators, and data with the type of the parameters; of those 4-bit and float16 data."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 256, SHAPE, np.uint8)
    yield "DequantizeLinear", [codes.view(np.int8), np.float16(0.3), np.int8(-7)]
    yield "DequantizeLinear", [codes.view(ml_dtypes.float8_e5m2), np.float32(3), None]
    nibbles = (codes & 15).astype(np.int8) - 8
    yield "DequantizeLinear", [nibbles.astype(ml_dtypes.int4), ml_dtypes.bfloat16(0.3), None]
    reals = rng.integers(0, 1 << 16, SHAPE, np.uint16).view(np.float16)
    yield "QuantizeLinear", [reals, np.float16(0.3), np.uint8(100)]
    yield "QuantizeLinear", [reals.astype(np.float32), np.float32(0.3), np.int16(100)]


def spread(parameter: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """A parameter that differs from place to place, of this shape."""
    array = np.full(shape, parameter)
    if array.dtype.kind == "f":
        array = (array * (1 + np.arange(array.size).reshape(shape) % 5)).astype(array.dtype)
    return array


@pytest.mark.parametrize("piece", [1, 5, 7, 20, 70, 209])
@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_pieces_give_what_the_whole_gives(
    granularity: str, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape, attributes = GRANULARITIES[granularity]
    for operator, (x, *parameters) in calls():
        inputs = [x, *(None if p is None else spread(p, shape) for p in parameters)]
        monkeypatch.setattr(chunks, "PIECE", 10_000)
        (whole,) = evaluate(operator, 21, inputs, attributes, reading=ANY.get(operator))
        monkeypatch.setattr(chunks, "PIECE", piece)
        (pieces,) = evaluate(operator, 21, inputs, attributes, reading=ANY.get(operator))
        assert list(pieces.readings) == list(whole.readings)
        for name, array in whole.readings.items():
            assert np.array_equal(codes_of(array), codes_of(pieces.readings[name])), name


#: Answers to what the data raises: NaN among it, for one.
ANY = {"QuantizeLinear": ("zero",)}


@pytest.mark.parametrize("shape", [(0,), (1,), (4,), (3, 4), (2, 3, 5), (1, 30, 1), (5, 0, 2)])
@pytest.mark.parametrize("piece", [1, 4, 6, 100])
def test_each_element_is_in_one_piece_and_no_piece_is_too_large(
    shape: tuple[int, ...], piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "PIECE", piece)
    seen = np.zeros(shape, int)
    for region in chunks.pieces(shape):
        assert seen[region].size <= piece
        seen[region] += 1
    assert (seen == 1).all()


def test_readings_that_agree_everywhere_are_the_same_array(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chunks, "PIECE", 8)
    x = np.arange(40, dtype=np.float32)
    (exact,) = evaluate("QuantizeLinear", 21, [x, np.float32(1), np.uint8(0)], {})
    arrays = list(exact.readings.values())
    assert len(arrays) > 1
    assert all(array is arrays[0] for array in arrays)
    assert exact.lower is exact.value


def test_readings_part_at_the_piece_in_which_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "PIECE", 8)
    x = np.zeros(40, np.float32)
    # Its float32 quotient by 0.1 is 3.5; the exact one is a little less.
    x[30] = np.float32(0.35)
    (found,) = evaluate("QuantizeLinear", 21, [x, np.float32(0.1), np.uint8(0)], {})
    exact, float32 = found.readings["exact"], found.readings["float32"]
    assert found.readings["input-precision"] is float32
    assert np.flatnonzero(exact != float32).tolist() == [30]
    assert (found.lower[30], found.upper[30]) == (3, 4)
    assert (found.lower == np.minimum(exact, float32)).all()


def test_what_rules_ask_of_signalling_nans_warns_of_nothing() -> None:
    quiet_and_signalling = np.array([0x7FA00000, 0x7FC00000, 0, 0x3F800000], np.uint32)
    content = tensor_from(quiet_and_signalling.view(np.float32)).content
    assert content is not None
    for rounded_to in ("float", "float16", "bfloat16", ""):
        assert content.kinds(rounded_to) == {"nan", "zero", "number"}
    assert content.ends() == (0.0, 1.0)


def test_a_quotient_of_float64_rounds_to_integers_as_the_exact_one_does() -> None:
    from fractions import Fraction

    rng = np.random.default_rng(1)
    # Numbers whose quotients are as near to a tie as those of 24 bits can be.
    b = rng.integers(1 << 23, 1 << 24, 2000)
    n = rng.integers(0, 1 << 16, 2000)
    a = ((2 * n + 1) * b) // 2
    for shift in (-1, 0, 1):
        top = np.maximum(0, np.ceil(np.log2(a + 2)).astype(int) - 24)
        cut = ((a >> top) + shift) << top
        for x, y in zip(cut.tolist(), b.tolist(), strict=True):
            assert round(x / y) == round(Fraction(x, y))
    assert formats()["float"].mantissa + 1 == 24
