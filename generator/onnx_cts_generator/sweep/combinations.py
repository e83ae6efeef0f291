"""The combinations of types and attributes that a sweep of an operator version goes through."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from onnx_cts_generator.errors import GenerateError
from onnx_cts_reference.formats import formats
from onnx_cts_specs import Spec
from onnx_cts_specs.model import AttributeValue, element_type
from onnx_cts_specs.sweeps import ABSENT, EVERY, Layout, Sweep


@dataclass(frozen=True)
class Combination:
    """The calls of one sweep that have the same types and attributes.

    Attributes:
        sweep: The sweep.
        layout: How parameters lie beside data.
        types: The element type of each input that is present, in the order of the inputs.
        attributes: The attributes that the node gives.
        named: Those among them that the sweep varies, element types by name.
    """

    sweep: Sweep
    layout: Layout
    types: Mapping[str, str]
    attributes: Mapping[str, AttributeValue]
    named: Mapping[str, AttributeValue]

    @property
    def label(self) -> str:
        """Types and attributes in one word, the same in every sweep."""
        return ",".join(f"{name}={value}" for name, value in {**self.types, **self.named}.items())

    @property
    def id(self) -> str:
        """What names it among all of an operator version."""
        return f"{self.sweep.name}/{self.label}"


def combinations(spec: Spec, sweep: Sweep, layout: Layout) -> Iterator[Combination]:
    """The combinations of a sweep at a version; none where it lacks an attribute of the sweep.

    Raises:
        GenerateError: The sweep names something that no version has.
    """
    _check_names(spec, sweep)
    if any(spec.attribute(name) is None for name in sweep.attributes):
        return
    fixed = {n: v for n, v in layout.attributes.items() if spec.attribute(n)}
    for absent in _absences(spec, sweep):
        present = [i for i in spec.inputs if i.name not in absent]
        variables = list(dict.fromkeys(formal.type for formal in present))
        for chosen in itertools.product(*(spec.types(variable) for variable in variables)):
            by_variable = dict(zip(variables, chosen, strict=True))
            types = {i.name: by_variable[i.type] for i in present}
            wanted = (sweep.types.get(name, (dtype,)) for name, dtype in types.items())
            if not all(t in w for t, w in zip(types.values(), wanted, strict=True)):
                continue
            if absent & sweep.types.keys():
                continue
            for values in itertools.product(*sweep.attributes.values()):
                named = dict(zip(sweep.attributes, values, strict=True))
                given = {name: _value(value) for name, value in named.items()}
                yield Combination(sweep, layout, types, fixed | given, named)


def _value(value: AttributeValue) -> AttributeValue:
    return formats()[value].code if isinstance(value, str) else value


def _absences(spec: Spec, sweep: Sweep) -> Iterator[frozenset[str]]:
    """Which inputs are absent: each choice of those that the sweep leaves out or may leave out."""
    never = frozenset(i.name for i in spec.inputs if i.name not in sweep.inputs)
    optional = [
        i.name
        for i in spec.inputs
        if ABSENT in (values := sweep.inputs.get(i.name, ())) and not isinstance(values, str)
    ]
    for count in range(len(optional), -1, -1):
        for some in itertools.combinations(optional, count):
            yield never | frozenset(some)


def _check_names(spec: Spec, sweep: Sweep) -> None:
    known = {i.name for i in spec.inputs}
    types = [t for some in sweep.types.values() for t in some]
    types += [str(v).removeprefix(EVERY).strip() for v in sweep.inputs.values() if v != EVERY]
    for name in (*sweep.inputs, *sweep.types):
        if name not in known:
            raise GenerateError(
                f"sweep {sweep.name} of {spec.operator}: there is no input {name}; there are: "
                f"{', '.join(sorted(known))}"
            )
    for name in types:
        if name.isidentifier() and element_type(name) not in formats():
            raise GenerateError(f"sweep {sweep.name} of {spec.operator}: there is no type {name}")
