"""A spec as Python objects: one operator at one version, whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

AttributeType = Literal["float", "int", "string", "tensor", "floats", "ints", "strings"]
AttributeValue = int | float | str | tuple[int, ...] | tuple[float, ...] | tuple[str, ...]


def element_type(tensor_type: str) -> str:
    """The element type of a tensor type in ONNX's spelling: ``float`` of ``tensor(float)``."""
    return tensor_type.removeprefix("tensor(").removesuffix(")")


@dataclass(frozen=True)
class Input:
    """A formal input.

    Attributes:
        role: What its values mean, for the choice of test values.
        patterns: The patterns of test values, the plain one first; () for those of the role.
    """

    name: str
    type: str
    role: Literal["data", "scale", "zero-point"]
    says: str
    optional: bool = False
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Output:
    """A formal output; ``dtype`` and ``shape`` are expressions over the call."""

    name: str
    type: str
    dtype: str
    shape: str
    says: str


@dataclass(frozen=True)
class Attribute:
    """A formal attribute. ``role`` says what its value chooses, for the choice of test values."""

    name: str
    type: AttributeType
    role: Literal["axis", "block-size", "element-type", "precision", "switch"]
    says: str
    default: AttributeValue | None = None


@dataclass(frozen=True)
class TypeConstraint:
    """A type variable and the element types that it admits."""

    name: str
    types: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class Term:
    """A name for an expression, which the conditions of rules, readings and questions can use."""

    name: str
    means: str
    value: str


@dataclass(frozen=True)
class Granularity:
    """A way in which parameters apply to data, and the condition that selects it.

    Attributes:
        when: Expression over the call; the first granularity whose condition holds is selected.
        shape: Expression for the shape of the parameters, for the making of calls.
    """

    name: str
    says: str
    when: str
    shape: str


@dataclass(frozen=True)
class Rule:
    """A constraint on calls, with the sentence of the standard behind it.

    Attributes:
        when: Expression; where it does not hold, the rule asks nothing. Empty: always.
        require: Expression that must hold.
        stage: Where a backend may refuse a model that breaks the rule.
        page: Operator whose page holds the sentence, where this operator's page refers to it.
    """

    id: str
    says: str
    require: str
    stage: tuple[str, ...]
    when: str = ""
    page: str = ""


@dataclass(frozen=True)
class Reading:
    """One way of computing that the text admits; the first of a spec gives the expected value.

    Attributes:
        when: Expression; where it does not hold, the text does not admit it. Empty: always.
    """

    name: str
    means: str
    says: str = ""
    when: str = ""


FORMULA = "formula"
"""Names the kernel as it is, among its variants."""


@dataclass(frozen=True)
class Answer:
    """One defensible answer to an open question: refuse, or compute an altered call.

    Attributes:
        refuse: The call may be refused, and then nothing is computed.
        attributes: Attributes to set before computing.
        reshape: New shapes of inputs before computing.
        omit: Inputs to leave out before computing.
        compute: Name of a variant of the kernel, ``formula`` for the kernel as it is.
    """

    name: str
    means: str
    refuse: bool = False
    attributes: Mapping[str, AttributeValue] | None = None
    reshape: Mapping[str, tuple[int, ...]] | None = None
    omit: tuple[str, ...] = ()
    compute: str = FORMULA


@dataclass(frozen=True)
class OpenQuestion:
    """A place where the text does not decide; ``excuses`` are rules not held against such calls."""

    id: str
    says: str
    why: str
    when: str
    readings: tuple[Answer, ...]
    excuses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Erratum:
    """A place where the standard's schema and prose disagree, and what this spec makes of it."""

    says: str
    treated_as: str


@dataclass(frozen=True)
class Spec:
    """One operator at one version. ``path`` is the file that it was read from."""

    path: Path
    operator: str
    domain: str
    since_version: int
    kernel: str
    source: str
    description: str
    formula: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    attributes: tuple[Attribute, ...]
    type_constraints: tuple[TypeConstraint, ...]
    granularities: tuple[Granularity, ...]
    terms: tuple[Term, ...]
    rules: tuple[Rule, ...]
    readings: tuple[Reading, ...]
    open_questions: tuple[OpenQuestion, ...]
    informative: tuple[str, ...]
    errata: tuple[Erratum, ...]

    def types(self, formal_type: str) -> tuple[str, ...]:
        """The element types that the type of a formal admits: a variable, or one tensor type."""
        fixed = (element_type(formal_type),)
        return next((c.types for c in self.type_constraints if c.name == formal_type), fixed)

    def input(self, name: str) -> Input:
        """The formal input of this name."""
        return next(i for i in self.inputs if i.name == name)

    @property
    def data(self) -> Input:
        """The formal input that holds the data."""
        return next(i for i in self.inputs if i.role == "data")

    @property
    def parameters(self) -> tuple[Input, ...]:
        """The other formal inputs, which say what to do with the data."""
        return tuple(i for i in self.inputs if i.role != "data")

    def attribute(self, name: str) -> Attribute | None:
        """The formal attribute of this name, None where the version has none."""
        return next((a for a in self.attributes if a.name == name), None)

    def rule(self, rule_id: str) -> Rule:
        """The rule of this id."""
        return next(r for r in self.rules if r.id == rule_id)
