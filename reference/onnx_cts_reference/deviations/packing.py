"""Deviations in how integers and elements under a byte are read: packing, signs, widths."""

from __future__ import annotations

import numpy as np

from onnx_cts_reference.deviations.catalog import deviation
from onnx_cts_reference.deviations.steps import Steps
from onnx_cts_reference.formats import Codes, Float64s, pack, unpack

# How elements under a byte are stored.


def _subbyte(steps: Steps, name: str) -> bool:
    return steps.format(name).bits < 8


@deviation("packing")
class PackedElementsSwapped(Steps):
    """Takes the first element of a byte from its highest bits."""

    def codes(self, name: str) -> Codes:
        codes, form = super().codes(name), self.format(name)
        if not _subbyte(self, name) or 8 % form.bits:
            return codes
        per_byte = 8 // form.bits
        padded = np.zeros(-(-codes.size // per_byte) * per_byte, codes.dtype)
        padded[: codes.size] = codes.reshape(-1)
        swapped = padded.reshape(-1, per_byte)[:, ::-1].reshape(-1)
        return swapped[: codes.size].reshape(codes.shape)


@deviation("packing")
class RowsPaddedToBytes(Steps):
    """Expects each row of elements under a byte to begin at a new byte."""

    def codes(self, name: str) -> Codes:
        codes, form = super().codes(name), self.format(name)
        if not _subbyte(self, name) or codes.ndim < 2 or not codes.size:
            return codes
        row = -(-codes.shape[-1] * form.bits // 8)
        packed = pack(codes, form)
        rows = codes.size // codes.shape[-1]
        padded = packed.ljust(row * rows, b"\0")
        return np.stack(
            [unpack(padded[i * row : (i + 1) * row], form, codes.shape[-1:]) for i in range(rows)]
        ).reshape(codes.shape)


@deviation("packing")
class OddElementLost(Steps):
    """Takes an element that begins a last, incomplete byte for zero."""

    def codes(self, name: str) -> Codes:
        codes, form = super().codes(name), self.format(name)
        lost = codes.size * form.bits % 8
        if not _subbyte(self, name) or not lost or form.bits == 6:
            return codes
        whole = codes.reshape(-1).copy()
        whole[codes.size - lost // form.bits :] = 0
        return whole.reshape(codes.shape)


@deviation("packing")
class PackedBytesTakenForElements(Steps):
    """Takes the bytes of packed elements for elements of a byte each."""

    def values(self, name: str) -> Float64s:
        codes, form = self.codes(name), self.format(name)
        if not _subbyte(self, name):
            return super().values(name)
        packed = np.frombuffer(pack(codes, form), np.uint8 if form.kind != "int" else np.int8)
        return np.resize(packed, codes.size).astype(np.float64).reshape(codes.shape)


# Signs and widths of integers.


@deviation("sign")
class UnsignedTakenForSigned(Steps):
    """Extends the sign of unsigned data and zero points."""

    def values(self, name: str) -> Float64s:
        form = self.format(name)
        if form.kind != "uint":
            return super().values(name)
        half = 1 << (form.bits - 1)
        return ((self.codes(name).astype(np.int64) ^ half) - half).astype(np.float64)


@deviation("sign")
class SignedTakenForUnsigned(Steps):
    """Takes signed data and zero points for unsigned ones."""

    def values(self, name: str) -> Float64s:
        if self.format(name).kind != "int":
            return super().values(name)
        return self.codes(name).astype(np.float64)


@deviation("sign")
class UnsignedZeroPointTakenForSigned(Steps):
    """Extends the sign of unsigned zero points alone."""

    def zero_point(self) -> Float64s:
        values = super().zero_point()
        if not self.has(self.zero_point_name) or self.format(self.zero_point_name).kind != "uint":
            return values
        half = 2.0 ** (self.format(self.zero_point_name).bits - 1)
        return (values + half) % (2 * half) - half
