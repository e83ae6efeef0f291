"""Arrays of element types made of codes, the codes of arrays, and codes worth a try."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
from numpy.typing import NDArray
from onnx import TensorProto, helper


def type_number(name: str) -> int:
    """The number of an element type in onnx.TensorProto.DataType."""
    return int(TensorProto.DataType.Value(name.upper()))


def type_name(dtype: Any) -> str:
    """The name of the element type that a dtype holds."""
    return TensorProto.DataType.Name(helper.np_dtype_to_tensor_dtype(np.dtype(dtype))).lower()


def array(name: str, codes: Any) -> NDArray[Any]:
    """An array of an element type with the given codes, in their shape."""
    dtype = helper.tensor_dtype_to_np_dtype(type_number(name))
    plain = np.asarray(codes, np.int64)
    if name not in oracle.INTEGER_BITS:
        return plain.astype(f"u{dtype.itemsize}").view(dtype)
    bits = oracle.INTEGER_BITS[name]
    wraps = name.startswith("int") & (plain >= 1 << (bits - 1))
    return np.where(wraps, plain - (1 << bits), plain).astype(dtype)


def codes_of(result: NDArray[Any]) -> NDArray[np.int64]:
    """The codes of an array of an element type, with one code for every NaN."""
    name = type_name(result.dtype)
    codes = np.ascontiguousarray(result).view(f"u{result.dtype.itemsize}").reshape(result.shape)
    codes = codes.astype(np.int64) & ((1 << oracle.BITS[name]) - 1)
    if name in oracle.INTEGER_BITS or oracle.LAYOUTS[name].special == "finite":
        return codes
    return np.where(np.isnan(result.astype(np.float64)), oracle.nan_code(name), codes)


def assert_codes(given: NDArray[Any], wanted: NDArray[np.int64], name: str) -> None:
    """An array has the codes that the oracle wants (NaN is NaN), whatever the shape of those."""
    got, right = codes_of(given).reshape(-1), wanted.reshape(-1)
    wrong = np.flatnonzero(got != right)
    shown = [(int(i), hex(got[i]), hex(right[i])) for i in wrong[:3]]
    assert not wrong.size, f"{name}: {wrong.size} differ (index, got, oracle): {shown}"


def notable_codes(name: str) -> tuple[int, ...]:
    """Codes at the edges of a type: extremes, zeros, subnormals, specials, and plain numbers."""
    if name == "float8e8m0":
        return (0, 1, 64, 120, 126, 127, 128, 134, 254, 255)
    bits = oracle.BITS[name]
    if name in oracle.INTEGER_BITS:
        edges = {0, 1, 2, 3, 1 << (bits - 1), (1 << bits) - 1, (1 << bits) - 2, (1 << bits) - 3}
        edges |= {(1 << power) + step for power in range(2, bits) for step in (-1, 0, 1)}
        return tuple(sorted(code % (1 << bits) for code in edges))
    form = oracle.LAYOUTS[name]
    least_normal = 1 << form.mantissa
    positive = [0, 1, least_normal // 3, least_normal - 1, least_normal, form.greatest]
    infinities = [form.infinity] if form.special == "ieee" else []
    nans = [] if form.special == "finite" else [oracle.nan_code(name)]
    plain = [
        oracle.encode(oracle.number(value), name, saturate=True)
        for value in (Fraction(1), Fraction(1, 10), Fraction(12345, 7), Fraction(2, 3))
    ]
    negative = [0, 1, least_normal - 1, form.greatest, *infinities, plain[-1]]
    signed = [form.sign | code for code in negative]
    return tuple(positive + infinities + nans + plain + signed)


def random_codes(name: str, count: int, seed: int) -> tuple[int, ...]:
    """Codes of a type, evenly drawn, the same on every run; no signalling NaN."""
    draw = random.Random(f"{name} {seed}")
    codes = (draw.randrange(1 << oracle.BITS[name]) for _ in range(count))
    form = oracle.LAYOUTS.get(name)
    quiet = 1 << (form.mantissa - 1) if form and form.special == "ieee" else 0
    return tuple(code | quiet if oracle.decode(code, name).is_nan else code for code in codes)
