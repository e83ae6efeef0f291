"""A case before it is written: a node, its tensors, its presentation, and what must happen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from onnx_cts_reference.formats import (
    Array,
    Codes,
    Float64s,
    Format,
    array_of,
    codes_of,
    format_of_dtype,
    values_of,
)
from onnx_cts_specs import Spec
from onnx_cts_specs.model import AttributeValue

Shape = tuple[int, ...]


def beside_defaults(spec: Spec, given: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
    """The attributes that are not at their default: those that a model has to spell."""
    defaults = {a.name: a.default for a in spec.attributes}
    # 1.0 equals the default 1, but it is a float where an int belongs.
    return {
        name: value
        for name, value in given.items()
        if (type(value), value) != (type(defaults.get(name)), defaults.get(name))
    }


@dataclass(frozen=True)
class Value:
    """A tensor: its format, and its codes in its shape."""

    format: Format
    codes: Codes

    @classmethod
    def of(cls, array: Array) -> Value:
        """A tensor from an array in a format's dtype."""
        return cls(format_of_dtype(array.dtype), codes_of(array))

    @property
    def shape(self) -> Shape:
        """The shape of the tensor."""
        return self.codes.shape

    @property
    def numbers(self) -> Float64s:
        """The values of the elements."""
        return values_of(self.codes, self.format)

    @property
    def array(self) -> Array:
        """The tensor as an array in its format's dtype."""
        return array_of(self.codes, self.format)


@dataclass(frozen=True)
class Presentation:
    """How a model spells a node; none of it changes the answer.

    Attributes:
        parameters: Where tensors other than data come from: ``inputs``, ``initializers``,
            or ``constants`` (nodes).
        storage: How initializers and constants are stored: ``raw``, ``typed`` (in the field that
            their type has), or ``external`` (initializers alone).
        shapes: What the model says of the shapes of inputs and outputs: ``static``, ``symbolic``
            or ``unknown`` (the rank alone).
        spelled: Whether attributes stand in the node at their default too.
        opset: The opset that the model imports.
        expanded: Whether the operator's function body stands in place of the node.
        empty_names: Inputs that are absent and spelled "" in the node.
    """

    opset: int
    parameters: str = "inputs"
    storage: str = "raw"
    shapes: str = "static"
    spelled: bool = False
    expanded: bool = False
    empty_names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Following:
    """A second node, whose inputs are inputs or outputs of the first, by their names there."""

    spec: Spec
    inputs: Mapping[str, str]
    attributes: Mapping[str, AttributeValue]
    outputs: Mapping[str, tuple[str, Shape]]


@dataclass(frozen=True)
class Node:
    """A node: inputs by formal name (absent ones are not in it), attributes, output types.

    Attributes:
        then: A node that follows it, whose outputs are then those of the model.
    """

    spec: Spec
    inputs: Mapping[str, Value]
    attributes: Mapping[str, AttributeValue]
    outputs: Mapping[str, tuple[str, Shape]]
    then: Following | None = None

    @property
    def arrays(self) -> list[Array | None]:
        """The inputs in the order of the operator's page, None for absent ones."""
        given = self.inputs
        return [given[i.name].array if i.name in given else None for i in self.spec.inputs]

    @property
    def given(self) -> dict[str, AttributeValue]:
        """The attributes that are not at their default."""
        return beside_defaults(self.spec, self.attributes)

    def is_like(self, other: Node, *, in_values: bool) -> bool:
        """Whether a node of the same version has the same attributes, input types and shapes.

        Args:
            other: The other node.
            in_values: Whether the inputs must have the same values too.
        """
        pairs = [(value, other.inputs.get(name)) for name, value in self.inputs.items()]
        return (
            self.given == other.given
            and self.inputs.keys() == other.inputs.keys()
            and all(b and (a.format, a.shape) == (b.format, b.shape) for a, b in pairs)
            and not (in_values and any(b and (a.codes != b.codes).any() for a, b in pairs))
        )

    @property
    def results(self) -> Mapping[str, tuple[str, Shape]]:
        """Types and shapes of the outputs of the model."""
        return self.then.outputs if self.then else self.outputs


@dataclass(frozen=True)
class Case:
    """One case of a suite.

    Attributes:
        name: Name of its folder, which begins with its expectation's prefix.
        expectation: ``value``, ``reject`` or ``open``.
        expected: For each reading the outputs in order: for a value case ``value``, and
            ``lower`` and ``upper`` for outputs with several permitted results (None for others).
        rules: For a reject case the rule that is broken, for an open one the question; for a
            value case the conditional rules that apply.
        stage: Where a backend may refuse, for a reject case.
        presents: Name of the case of the same version that has the same node, presented otherwise;
            empty for none.
        readings: For a value case those whose interval is permitted, for an open one all answers.
    """

    name: str
    node: Node
    presentation: Presentation
    expectation: str
    granularity: str
    features: tuple[str, ...]
    rules: tuple[str, ...]
    stage: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    expected: Mapping[str, tuple[Value | None, ...]] = field(default_factory=dict)
    presents: str = ""
