"""Grids: the calls of a sweep of which the spec says the same, as rows of parameters by data."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from onnx_cts_generator.errors import GenerateError
from onnx_cts_generator.sweep.combinations import Combination
from onnx_cts_generator.sweep.domains import asked, classes, codes_in
from onnx_cts_reference.formats import Array, Codes, Format, array_of, formats
from onnx_cts_reference.tensors import call_from
from onnx_cts_specs import Spec, judge, output_types
from onnx_cts_specs.call import Call, Tensor
from onnx_cts_specs.judge import evaluator, readings_of

Indices = NDArray[np.intp]
Shape = tuple[int, ...]

#: A length by which an axis is known from others.
ROWS = 5


@dataclass(frozen=True)
class Said:
    """What the spec says of every call of a grid.

    Attributes:
        broken: The rules broken.
        questions: The open questions raised.
        readings: The ways of computing that are admitted, the one of the value first.
        granularity: The granularity selected.
        outputs: The element type of each output.
    """

    broken: tuple[str, ...]
    questions: tuple[str, ...]
    readings: tuple[str, ...]
    granularity: str
    outputs: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """Calls as a table: a row for each choice of parameters, a column for each code of the data.

    Attributes:
        spec: The spec.
        combination: Types and attributes.
        codes: The codes that each present input takes.
        said: What the spec says of every call.
    """

    spec: Spec
    combination: Combination
    codes: Mapping[str, Codes]
    said: Said

    @property
    def data(self) -> str:
        """Name of the input that holds the data."""
        return self.spec.data.name

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the other inputs that are present; the last changes first along the rows."""
        return tuple(name for name in self.codes if name != self.data)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.codes[self.data])

    @cached_property
    def rows(self) -> int:
        """Number of rows."""
        return prod(len(self.codes[name]) for name in self.parameters)

    @cached_property
    def many_rows(self) -> bool:
        """Whether one call can have several rows, each with parameters of its own."""
        return bool(parameters_shape(self.spec, self.combination))

    def form(self, name: str) -> Format:
        """The number format of an input."""
        return formats()[self.combination.types[name]]

    def rows_of(self, rows: Indices) -> dict[str, Codes]:
        """The codes of each parameter in some rows."""
        sizes = [len(self.codes[name]) for name in self.parameters]
        places = np.unravel_index(rows, sizes) if sizes else ()
        return {n: self.codes[n][p] for n, p in zip(self.parameters, places, strict=True)}

    def arrays(self, rows: Indices, columns: Indices) -> list[Array | None]:
        """The inputs, in order, of one call.

        Args:
            rows: Its rows; one where a call cannot have more.
            columns: Columns [count] of all rows, or [rows, count] of each row.
        """
        shape = (len(rows), columns.shape[-1])
        codes: dict[str, Array] = {
            self.data: np.broadcast_to(self.codes[self.data][columns], shape)
        }
        for name, values in self.rows_of(rows).items():
            codes[name] = values if self.many_rows else values.reshape(())
        return [
            array_of(codes[i.name], self.form(i.name)) if i.name in codes else None
            for i in self.spec.inputs
        ]


def parameters_shape(spec: Spec, combination: Combination) -> Shape:
    """The shape of parameters beside data of the shape [ROWS, ROWS + 1].

    Raises:
        GenerateError: They are neither scalars nor one for each row.
    """
    shape = next(g.shape for g in spec.granularities if g.name == combination.layout.granularity)
    data = spec.data.name
    call = Call({data: Tensor(combination.types[data], (ROWS, ROWS + 1))}, combination.attributes)
    found: Shape = evaluator(spec, call).value(shape)
    if found not in ((ROWS,), ()):
        raise GenerateError(
            f"sweep {combination.sweep.name} of {spec.operator}: in the layout "
            f"{combination.layout.granularity} parameters are neither scalars nor one a row"
        )
    return found


def grids(spec: Spec, combination: Combination) -> Iterator[Grid]:
    """The grids of a combination: those calls that break no rule, by what the spec says of them."""
    types = combination.types
    named = [t for t in {*types.values(), *combination.named.values()} if t in formats()]
    rounded_to = sorted(str(t) for t in named if formats()[str(t)].infinity)
    parts: dict[str, tuple[Codes, ...]] = {}
    for name, dtype in types.items():
        form = formats()[dtype]
        codes = codes_in(combination.sweep.inputs[name], form)
        parts[name] = classes(codes, form, asked(spec, name), rounded_to)
    yield from _Classes(spec, combination, parts, parameters_shape(spec, combination)).grids()


@dataclass(frozen=True, eq=False)
class _Classes:
    """The calls of a combination by classes of the codes of each input.

    Attributes:
        spec: The spec.
        combination: The combination.
        parts: The classes of each input, by name.
        shape: The shape of parameters, as ``parameters_shape`` has it.
    """

    spec: Spec
    combination: Combination
    parts: Mapping[str, tuple[Codes, ...]]
    shape: Shape

    def grids(self) -> Iterator[Grid]:
        """Grids of as many classes as the spec says the same of."""
        said = {}
        for place in np.ndindex(*map(len, self.parts.values())):
            chosen = zip(self.parts.values(), place, strict=True)
            said[place] = self.said([[part[index]] for part, index in chosen])
        merged = [_merged(said, axis, len(part)) for axis, part in enumerate(self.parts.values())]
        for groups in itertools.product(*merged):
            one = said[tuple(group[0] for group in groups)]
            if not one.broken:
                yield from self._together(groups, one)

    def _together(self, groups: Sequence[tuple[int, ...]], one: Said) -> Iterator[Grid]:
        """One grid of groups of classes; one for each choice, should they differ when together."""
        parts = zip(self.parts.values(), groups, strict=True)
        chosen = [[part[index] for index in group] for part, group in parts]
        if all(len(group) == 1 for group in groups) or self.said(chosen) == one:
            yield self._grid([np.sort(np.concatenate(some)) for some in chosen], one)
            return
        for some in itertools.product(*chosen):
            yield self._grid(some, one)

    def _grid(self, codes: Sequence[Codes], one: Said) -> Grid:
        return Grid(self.spec, self.combination, dict(zip(self.parts, codes, strict=True)), one)

    def said(self, chosen: Sequence[Sequence[Codes]]) -> Said:
        """What the spec says of a call with an element of each of some classes of each input.

        Where a call has one row, its parameters are of the first class.
        """
        types, data = self.combination.types, self.spec.data.name
        count = max(2, *map(len, chosen))
        rows = (count,) if self.shape else ()
        arrays = {}
        for (name, dtype), some in zip(types.items(), chosen, strict=True):
            first = np.array([codes[0] for codes in some])
            whole = (*(rows or (1,)), count) if name == data else rows
            codes = np.resize(first, whole) if whole else first[0]
            arrays[name] = array_of(np.asarray(codes), formats()[dtype])
        return _said(self.spec, call_from(arrays, self.combination.attributes))


def _merged(said: Mapping[tuple[int, ...], Said], axis: int, count: int) -> list[tuple[int, ...]]:
    """The classes of an input in groups, in each of which the spec says the same of all."""
    groups: dict[tuple[Said, ...], list[int]] = {}
    for index in range(count):
        seen = tuple(one for place, one in said.items() if place[axis] == index)
        groups.setdefault(seen, []).append(index)
    return [tuple(group) for group in groups.values()]


def _said(spec: Spec, call: Call) -> Said:
    judgement = judge(spec, call)
    broken = tuple(rule.id for rule in judgement.broken)
    return Said(
        broken,
        tuple(question.id for question in judgement.questions),
        () if broken else tuple(reading.name for reading in readings_of(spec, call)),
        judgement.granularity,
        () if broken else tuple(output.dtype for output in output_types(spec, call)),
    )
