"""The codes that an input takes in a sweep, and what a spec can tell apart among them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from onnx_cts_reference.formats import Codes, Float64s, Format, formats, nearest, values_of
from onnx_cts_specs import Spec
from onnx_cts_specs.sweeps import ABSENT, EVERY, Values

#: The widest type of which every code is gone through.
WIDEST = 16


@cache
def codes_in(values: Values, form: Format) -> Codes:
    """The codes of a type that the values of a sweep have in it, each once, in their order.

    Args:
        values: As ``sweeps.schema.json`` explains them; ``absent`` is no value.
        form: The type.
    """
    if isinstance(values, str):
        return _every(values.removeprefix(EVERY).strip(), form)
    found = (_code(value, form) for value in values if value != ABSENT)
    codes = np.array([code for code in found if code is not None], form.code_dtype)
    return np.unique(codes)


def _every(of: str, form: Format) -> Codes:
    if not of:
        count = 1 << form.bits if form.bits <= WIDEST else 0
        return np.arange(count, dtype=form.code_dtype)
    other = formats()[of]
    numbers = values_of(np.arange(1 << other.bits, dtype=other.code_dtype), other)
    found = (_code(number, form) for number in numbers.tolist())
    codes = np.unique(np.array([code for code in found if code is not None], form.code_dtype))
    back = values_of(codes, form)
    return codes[np.isin(back, numbers) | np.isnan(back)]


def _code(value: float | str, form: Format) -> int | None:
    """The code of a number in a type; None where the type has no such number."""
    if isinstance(value, str):
        return _named(value, form)
    if not form.is_float:
        low, high = form.bounds
        fits = np.isfinite(value) and value == int(value) and low <= value <= high
        return int(value) & ((1 << form.bits) - 1) if fits else None
    if np.isnan(value):
        return form.nan_code if form.nan else None
    if form.bits > WIDEST:
        return int(np.float32(value).view(np.uint32))
    return _nearest_code(value, form)


def _nearest_code(value: float, form: Format) -> int | None:
    every = np.arange(1 << form.bits, dtype=form.code_dtype)
    table = values_of(every, form)
    usable = ~np.isnan(table) & (np.isinf(table) == np.isinf(value))
    usable &= np.signbit(table) == np.signbit(value)
    if not usable.any() or (np.isfinite(value) and abs(value) > form.greatest):
        return None
    with np.errstate(invalid="ignore"):
        distance = np.where(table == value, 0.0, np.abs(table - value))
    code = int(np.argmin(np.where(usable, distance, np.inf)))
    # A type without zero has nothing near it.
    return code if bool(usable[code]) and (value != 0) == (table[code] != 0) else None


def _named(value: str, form: Format) -> int:
    if not form.is_float:
        low, high = form.bounds
        number = {"least": low, "smallest": 1, "greatest": high}[value]
        return number & ((1 << form.bits) - 1)
    sign = 1 << (form.bits - 1) if form.signed else 0
    smallest = 1 if form.signed else 0
    least = form.greatest_code | sign if form.signed else 0
    return {"least": least, "smallest": smallest, "greatest": form.greatest_code}[value]


@dataclass(frozen=True)
class Asked:
    """What the conditions of a spec ask about the values of an input.

    Attributes:
        kinds: Whether they ask for kinds of numbers.
        zero: Whether they ask if all elements are zero.
    """

    kinds: bool
    zero: bool


def asked(spec: Spec, name: str) -> Asked:
    """What the conditions of a spec ask about the values of an input."""
    conditions = [term.value for term in spec.terms]
    conditions += [text for rule in spec.rules for text in (rule.when, rule.require)]
    conditions += [question.when for question in spec.open_questions]
    conditions += [reading.when for reading in spec.readings]
    text = "\n".join(conditions)
    return Asked(
        bool(re.search(rf"\b(holds|extent)\(\s*{name}\b", text)),
        bool(re.search(rf"\bnonzero\(\s*{name}\b", text)),
    )


def classes(
    codes: Codes, form: Format, what: Asked, rounded_to: Iterable[str]
) -> tuple[Codes, ...]:
    """The codes by what a spec can tell apart among them, each class in their order.

    Args:
        codes: The codes.
        form: Their type.
        what: What the spec asks about them.
        rounded_to: The types to which it may round them before it asks.
    """
    keys = np.zeros(codes.shape, np.int64)
    if what.zero:
        keys = keys * 2 + (codes == 0)
    if what.kinds:
        values = values_of(codes, form)
        keys = keys * 4 + _kinds(values)
        for name in rounded_to:
            keys = keys * 4 + _kinds(nearest(values, formats()[name]))
    return tuple(codes[keys == key] for key in np.unique(keys))


def _kinds(values: Float64s) -> NDArray[np.int64]:
    kinds = [np.isnan(values), np.isinf(values), values == 0]
    return np.select(kinds, [1, 2, 3], 0).astype(np.int64)
