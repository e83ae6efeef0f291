"""Elements of QuantizeLinear drawn at and beside the middles of the type of y, and anywhere."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

import oracle
from code_arrays import notable_codes
from hypothesis import strategies as st
from quantize_calls import Elements, legal_types
from quantize_oracle import FLOATS, limits


def nearby(value: Fraction, name: str, step: int) -> int:
    """The code that is some steps from that of the nearest number of a type."""
    if name in oracle.INTEGER_BITS:
        least, greatest = limits(name)
        return max(least, min(greatest, round(value) + step)) % (1 << oracle.BITS[name])
    form = oracle.LAYOUTS[name]
    code = oracle.encode(oracle.number(value), name)
    sign = code & form.sign
    return sign | max(0, min(form.greatest, code - sign + step))


@cache
def middles(output: str) -> tuple[Fraction, ...]:
    """Quotients in the middle of two numbers of a type, or past its ends."""
    if output in oracle.INTEGER_BITS:
        least, greatest = limits(output)
        whole = {least - 2, least - 1, least, -3, -2, -1, 0, 1, 2, greatest - 1, greatest}
        return (*(n + Fraction(1, 2) for n in sorted(whole)), Fraction(greatest + 1))
    form = oracle.LAYOUTS[output]
    sizes = [oracle.decode(code, output).size for code in range(form.greatest + 1)]
    sizes.append(2 * sizes[-1] - sizes[-2])  # where the next number would be, were there one
    found = [(a + b) / 2 for a, b in pairwise(sizes)]
    return (*found, *(-m for m in found), sizes[-1])


@st.composite
def boundaries(draw: st.DrawFn, version: int) -> Elements:
    """Legal types, and elements at and beside the middles of the type of y, or anywhere.

    A scale is any number but 0, or now and then any code at all.
    """
    legal = legal_types(version)
    of_one_type = [pair for pair in legal.pairs if pair[0] == pair[1]] or legal.pairs
    x_type, scale_type = draw(st.sampled_from(draw(st.sampled_from([legal.pairs, of_one_type]))))
    output = draw(st.sampled_from(legal.outputs))
    precision = draw(st.sampled_from([None, None, *FLOATS])) if legal.has_precision else None
    has_zero = draw(st.booleans()) or not (legal.has_output_dtype or output == "uint8")
    count = draw(st.integers(1, 12))
    scales = 1 if version < 13 else draw(st.sampled_from([1, count]))
    scale = [draw(scale_codes(scale_type)) for _ in range(scales)]
    zero_points = st.integers(0, (1 << oracle.BITS[output]) - 1)
    zero = [draw(zero_points) if output in oracle.INTEGER_BITS else 0 for _ in scale]
    shift = [oracle.decode(z, output).value * has_zero for z in zero]
    each = count if scales == 1 else 1
    x = [
        draw(element_codes(x_type, output, oracle.decode(s, scale_type), z))
        for s, z in zip(scale * each, shift * each, strict=True)
    ]
    return Elements(
        x_type,
        tuple(x),
        scale_type,
        tuple(scale),
        output,
        tuple(zero) if has_zero else None,
        precision,
        saturate=version < 19 or draw(st.booleans()),
    )


@cache
def scale_codes(name: str) -> st.SearchStrategy[int]:
    every = st.integers(0, (1 << oracle.BITS[name]) - 1)
    if name == "float8e8m0":
        return st.one_of(st.integers(110, 140), every)
    if name == "int32":
        return st.one_of(st.integers(1, 300), st.integers(-300, -1).map(lambda n: n % 2**32), every)
    plain = st.fractions(Fraction(1, 1000), 1000).map(lambda s: nearby(s, name, 0))
    negative = plain.map(lambda code: code | oracle.LAYOUTS[name].sign)
    return st.one_of(plain, plain, plain, negative, negative, st.sampled_from(notable_codes(name)))


def element_codes(
    name: str, output: str, scale: oracle.Number, zero_point: Fraction
) -> st.SearchStrategy[int]:
    """Codes near products of the scale and a middle, the zero point taken off; and any others."""
    every = st.integers(0, (1 << oracle.BITS[name]) - 1)
    others = st.one_of(st.sampled_from(notable_codes(name)), every)
    if not isinstance(scale.size, Fraction):
        return others
    factor = Fraction(scale.value)
    edges = st.builds(
        lambda middle, step: nearby((middle - zero_point) * factor, name, step),
        st.sampled_from(middles(output)),
        st.sampled_from([0, 0, 1, -1, 2, -2]),
    )
    return st.one_of(edges, edges, edges, others)
