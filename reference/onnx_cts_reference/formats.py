"""The number formats of ONNX tensors: codes, values, packing and order.

An element is handled as its *code*, the unsigned integer that its bits spell. ``formats.yaml``
beside this module is the only table of widths, biases, infinities, NaN codes and packing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Literal

import ml_dtypes
import numpy as np
import yaml
from numpy.typing import NDArray

_FLOAT64_MANTISSA = 52
_FLOAT64_BIAS = 1023
_PART = 1 << 14

Array = NDArray[Any]
Codes = NDArray[np.integer[Any]]
Float64s = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Format:
    """One element type of ONNX tensors; the fields are explained in ``formats.yaml``.

    There is one object for each, so identity is equality.
    """

    name: str
    code: int
    kind: Literal["int", "uint", "float"]
    bits: int
    numpy: str
    exponent: int = 0
    mantissa: int = 0
    bias: int = 0
    signed: bool = True
    infinity: bool = False
    nan: Literal["ieee"] | tuple[int, ...] = ()

    def __reduce__(self) -> tuple[Callable[[str], Format], tuple[str]]:
        """Another process has an object of its own."""
        return _named, (self.name,)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of NumPy or ml_dtypes whose arrays hold one element each."""
        return np.dtype(getattr(ml_dtypes, self.numpy, self.numpy))

    @cached_property
    def code_dtype(self) -> np.dtype[np.unsignedinteger[Any]]:
        """The unsigned dtype that holds one code."""
        return np.dtype(f"u{max(self.bits, 8) // 8}")

    @cached_property
    def is_float(self) -> bool:
        """Whether the type is a floating-point type."""
        return self.kind == "float"

    @cached_property
    def least_exponent(self) -> int:
        """Exponent of the least normal number (for float8e8m0: of its least number)."""
        return (1 if self.signed else 0) - self.bias

    @cached_property
    def infinity_code(self) -> int:
        """The code of positive infinity; raises ValueError for a format without one."""
        if not self.infinity:
            raise ValueError(f"{self.name} has no infinity")
        return ((1 << self.exponent) - 1) << self.mantissa

    @cached_property
    def greatest_code(self) -> int:
        """The code of the greatest finite number of a floating-point type."""
        if self.infinity:
            return self.infinity_code - 1
        last = (1 << (self.bits - 1 if self.signed else self.bits)) - 1
        return last - 1 if last in self.nan else last

    @cached_property
    def greatest(self) -> float:
        """The greatest finite number."""
        if not self.is_float:
            return float(self.bounds[1])
        return float(values_of(np.array(self.greatest_code, self.code_dtype), self))

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number of an integer type."""
        low = -(1 << (self.bits - 1)) if self.kind == "int" else 0
        return low, low + (1 << self.bits) - 1

    @cached_property
    def nan_code(self) -> int:
        """The code that results carry for NaN: quiet, positive where both signs exist."""
        if self.nan == "ieee":
            return self.infinity_code | (1 << (self.mantissa - 1))
        if not self.nan:
            raise ValueError(f"{self.name} has no NaN")
        return self.nan[0]


@cache
def formats() -> dict[str, Format]:
    """All formats by the name that ONNX type strings use (``float`` for ``tensor(float)``)."""
    table = yaml.safe_load(files(__package__).joinpath("formats.yaml").read_text("utf-8"))
    return {
        name: Format(
            name,
            **(
                row | {"nan": row["nan"] if row.get("nan") == "ieee" else tuple(row.get("nan", ()))}
            ),
        )
        for name, row in table.items()
    }


def _named(name: str) -> Format:
    return formats()[name]


@cache
def format_of_code(code: int) -> Format:
    """The format with this number in onnx.TensorProto.DataType; raises KeyError for others."""
    return {f.code: f for f in formats().values()}[code]


@cache
def format_of_dtype(dtype: np.dtype[Any]) -> Format:
    """The format that a NumPy or ml_dtypes dtype holds; raises KeyError for others."""
    return {f.dtype: f for f in formats().values()}[dtype.newbyteorder("=")]


def codes_of(array: Array) -> Codes:
    """The codes of an array in a format's dtype, in the same shape."""
    form = format_of_dtype(array.dtype)
    native = np.ascontiguousarray(array, form.dtype).reshape(array.shape)
    codes: Codes = native.view(form.code_dtype)
    return codes & form.code_dtype.type((1 << form.bits) - 1) if form.bits < 8 else codes


def array_of(codes: Array, form: Format) -> Array:
    """An array in the format's dtype with these codes, in the same shape."""
    plain = np.ascontiguousarray(codes, form.code_dtype).reshape(np.shape(codes))
    if form.kind == "int" and form.bits < 8:
        # Arithmetic on an array of rank 0 gives a scalar.
        return np.asarray(integers_of(plain, form)).astype(form.dtype)
    return plain.view(form.dtype)


def integers_of(codes: Codes, form: Format) -> NDArray[np.int64]:
    """The exact int64 values of integer codes (two's complement for kind ``int``)."""
    wide = codes.astype(np.int64)
    if form.kind == "int":
        half = 1 << (form.bits - 1)
        return (wide ^ half) - half
    return wide


@cache
def _value_table(name: str) -> Float64s:
    form = formats()[name]
    every = np.arange(1 << form.bits, dtype=np.int64)
    if not form.is_float:
        numbers = integers_of(every, form).astype(np.float64)
        numbers.setflags(write=False)
        return numbers
    fraction = every & ((1 << form.mantissa) - 1)
    biased = (every >> form.mantissa) & ((1 << form.exponent) - 1)
    normal = (biased > 0) | (not form.signed)
    significand = np.where(normal, fraction + (1 << form.mantissa), fraction)
    power = np.where(normal, biased - form.bias, form.least_exponent) - form.mantissa
    values: Float64s = np.ldexp(significand.astype(np.float64), power)
    if form.signed:
        values = np.where(every >> (form.bits - 1), -values, values)
    if form.infinity:
        at = every & ~(1 << (form.bits - 1)) == form.infinity_code
        values[at] = np.copysign(np.inf, values[at])
    values[is_nan(every, form)] = np.nan
    values.setflags(write=False)
    return values


def values_of(codes: Codes, form: Format) -> Float64s:
    """The exact values of codes as float64, which holds every value of every format."""
    values: Float64s
    if form.bits == 32:
        if not form.is_float:
            return integers_of(codes, form).astype(np.float64)
        with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
            values = array_of(codes, form).astype(np.float64)
    else:
        values = np.asarray(_value_table(form.name)[codes])
    return values


def is_nan(codes: Array, form: Format) -> NDArray[np.bool_]:
    """Which codes are NaN in the format."""
    if form.nan == "ieee":
        magnitude = codes & ((1 << (form.bits - 1)) - 1)
        return np.asarray(magnitude > form.infinity_code)
    found = np.zeros(codes.shape, np.bool_)
    for code in form.nan:
        found |= codes == code
    return found


def ordinals(codes: Codes, form: Format) -> NDArray[np.int64]:
    """Integers in the order of the values, so that their differences count ULPs.

    Both zeros share the ordinal 0. NaN codes have no meaningful ordinal.
    """
    if not form.is_float or not form.signed:
        return integers_of(codes, form)
    wide = codes.astype(np.int64)
    magnitude = wide & ((1 << (form.bits - 1)) - 1)
    return np.where(wide >> (form.bits - 1), -magnitude, magnitude)


def pack(codes: Codes, form: Format) -> bytes:
    """The raw_data of a tensor with these codes (little-endian, elements under a byte packed)."""
    flat = codes.reshape(-1)
    if form.bits >= 8:
        return flat.astype(form.code_dtype.newbyteorder("<")).tobytes()
    places = np.arange(form.bits, dtype=np.uint8)
    return np.packbits((flat[:, None] >> places) & 1, bitorder="little").tobytes()


def packed_size(count: int, form: Format) -> int:
    """The bytes that ``count`` packed elements take."""
    return -(-count * form.bits // 8)


def unpack(data: bytes, form: Format, shape: tuple[int, ...]) -> Codes:
    """The codes in the raw_data of a tensor of this shape.

    Raises:
        ValueError: The data is not as long as the shape asks.
    """
    count = int(np.prod(shape, dtype=np.int64))
    if len(data) != packed_size(count, form):
        raise ValueError(
            f"{len(data)} bytes for {count} elements of {form.name}, "
            f"which take {packed_size(count, form)}"
        )
    if form.bits >= 8:
        little = np.frombuffer(data, form.code_dtype.newbyteorder("<"))
        codes: Codes = little.astype(form.code_dtype).reshape(shape)
        return codes
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    rows = bits[: count * form.bits].reshape(count, form.bits)
    weights = (1 << np.arange(form.bits)).astype(np.uint8)
    narrow: Codes = (rows * weights).sum(axis=1, dtype=np.uint8).reshape(shape)
    return narrow


def round_to(values: Float64s, form: Format) -> Array:
    """Round float64 values once, to nearest with ties to even, into a format with infinities.

    Values past the largest finite number become infinities as IEEE 754 has it; NaN results carry
    one canonical code, so that the bytes are the same on every processor.
    """
    if form.bits == 32:
        with np.errstate(over="ignore"):
            return np.where(np.isnan(values), form.dtype.type(np.nan), values.astype(form.dtype))
    flat = np.ravel(values)
    codes = np.empty(flat.shape, form.code_dtype)
    # In parts that the processor's cache holds.
    for start in range(0, flat.size, _PART):
        part = slice(start, start + _PART)
        codes[part] = _rounded_codes(flat[part], form)
    return array_of(codes.reshape(np.shape(values)), form)


def _rounded_codes(values: Float64s, form: Format) -> NDArray[np.integer[Any]]:
    """The codes of values rounded to a format with infinities."""
    magnitude = np.abs(values)
    if form.dtype == np.float16:
        # NumPy's own conversion rounds once. It is fast for what is neither made subnormal nor
        # infinite, and 30 times as slow for the rest.
        normal = (magnitude >= 2.0**form.least_exponent) & (magnitude <= form.greatest)
        if bool((normal | (magnitude == 0)).all()):
            return values.astype(form.dtype).view(form.code_dtype)
    codes = np.minimum(_magnitude_codes(magnitude, form), form.infinity_code)
    codes |= np.signbit(values).astype(np.int64) << (form.bits - 1)
    return np.where(np.isnan(values), form.nan_code, codes)


def _magnitude_codes(magnitude: Float64s, form: Format) -> NDArray[np.int64]:
    """The codes of magnitudes rounded as if the exponent field of the format had no end.

    An infinity has a code past all that a finite number can have here; NaN has none that means
    anything.

    Args:
        magnitude: Numbers without signs.
        form: A floating-point format with a sign.
    """
    # Codes are consecutive, and those of float64 are too: to round is to add half of what is cut
    # off, or a little less where the last bit that stays is even; a carry reaches the exponent.
    cut = _FLOAT64_MANTISSA - form.mantissa
    wide = np.ascontiguousarray(magnitude).view(np.int64).reshape(np.shape(magnitude))
    codes = (wide + ((1 << (cut - 1)) - 1) + ((wide >> cut) & 1)) >> cut
    codes = codes - ((_FLOAT64_BIAS - form.bias) << form.mantissa)
    subnormal = magnitude < 2.0**form.least_exponent
    if subnormal.any():
        small = np.where(subnormal, magnitude, 0.0)
        steps = np.rint(small * 2.0 ** (form.mantissa - form.least_exponent))
        codes = np.where(subnormal, steps.astype(np.int64), codes)
    return codes


def convert_to(values: Float64s, form: Format, *, saturate: bool) -> Array:
    """Round float64 values once, ties to even, as the tables of Cast's page have it for float8.

    Past the greatest finite number a value becomes that number if it is to saturate; else an
    infinity or, where the format has none, NaN. A format with neither, which Cast has no table for,
    always saturates; NaN has no place there.

    Args:
        values: Any numbers.
        form: A floating-point format with a sign.
        saturate: Whether a value out of range becomes the greatest finite number.
    """
    codes = _magnitude_codes(np.abs(values), form)
    beyond = form.greatest_code
    if form.infinity and not saturate:
        beyond = form.infinity_code
    elif form.nan and not saturate:
        beyond = form.nan_code
    codes = np.where(codes > form.greatest_code, beyond, codes)
    # Types without a negative zero have NaN in its place.
    has_negative_zero = form.nan == "ieee" or 1 << (form.bits - 1) not in form.nan
    signs = np.signbit(values) & ((codes != 0) | has_negative_zero)
    codes |= signs.astype(np.int64) << (form.bits - 1)
    codes = np.where(np.isnan(values), form.nan_code if form.nan else 0, codes)
    return array_of(codes.astype(form.code_dtype), form)


def nearest(values: Float64s, form: Format) -> Float64s:
    """Float64 values as they are once rounded to a format with infinities."""
    return values_of(codes_of(round_to(values, form)), form)
