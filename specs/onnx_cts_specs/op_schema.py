"""The schema of an operator version: what a spec and ``onnx.defs`` both say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from onnx_cts_specs.errors import UnknownOperatorError
from onnx_cts_specs.locations import domain_name
from onnx_cts_specs.model import Input, Output, Spec
from onnx_cts_specs.prose import flat

if TYPE_CHECKING:
    from onnx.defs import OpSchema

Option = Literal["single", "optional", "variadic"]


@dataclass(frozen=True)
class Formal:
    """A formal input or output.

    Attributes:
        type_str: A type variable, or one type in ONNX's spelling.
        min_arity: How many a variadic one stands for at least; 1 otherwise.
        homogeneous: Whether all that a variadic one stands for have one type.
        says: The page's text, white space flattened.
    """

    name: str
    type_str: str
    option: Option
    says: str
    min_arity: int = 1
    homogeneous: bool = True


@dataclass(frozen=True)
class FormalAttribute:
    """A formal attribute; ``default`` is None where the schema names none."""

    name: str
    type: str
    required: bool
    default: Any
    says: str


@dataclass(frozen=True)
class Constraint:
    """A type variable and its types in ONNX's spelling: ``tensor(float)``."""

    name: str
    types: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class OperatorSchema:
    """The formal parts of one operator at one version; ``description`` keeps its lines."""

    domain: str
    operator: str
    since_version: int
    deprecated: bool
    description: str
    inputs: tuple[Formal, ...]
    outputs: tuple[Formal, ...]
    attributes: tuple[FormalAttribute, ...]
    type_constraints: tuple[Constraint, ...]


def schema_of(spec: Spec) -> OperatorSchema:
    """The schema that a spec holds."""
    return OperatorSchema(
        spec.domain,
        spec.operator,
        spec.since_version,
        deprecated=False,
        description=spec.description,
        inputs=tuple(map(_formal_of_spec, spec.inputs)),
        outputs=tuple(map(_formal_of_spec, spec.outputs)),
        attributes=tuple(
            FormalAttribute(a.name, a.type, required=False, default=a.default, says=flat(a.says))
            for a in spec.attributes
        ),
        type_constraints=tuple(
            Constraint(c.name, tuple(f"tensor({t})" for t in c.types), flat(c.says))
            for c in spec.type_constraints
        ),
    )


def _formal_of_spec(formal: Input | Output) -> Formal:
    optional = isinstance(formal, Input) and formal.optional
    option: Option = "optional" if optional else "single"
    return Formal(formal.name, formal.type, option, flat(formal.says))


def schema_in_onnx(operator: str, version: int, domain: str = "") -> OperatorSchema:
    """The schema of an operator version in ``onnx.defs`` of the installed onnx.

    Raises:
        UnknownOperatorError: It has no such operator, or no such version (since_version).
    """
    from onnx import defs

    try:
        schema = defs.get_schema(operator, version, domain)
    except defs.SchemaError:
        schema = None
    # Asked for a version that there is not, onnx.defs gives the one before.
    if schema is None or schema.since_version != version:
        raise UnknownOperatorError(_unknown(operator, version, domain))
    return schema_from(schema)


def _unknown(operator: str, version: int, domain: str) -> str:
    from onnx import defs

    every = defs.get_all_schemas_with_history()
    known = sorted(s.since_version for s in every if (s.name, s.domain) == (operator, domain))
    if known:
        listed = ", ".join(map(str, known))
        return f"onnx.defs has no version {version} of {operator}; there are: {listed}"
    return (
        f"onnx.defs has no operator {operator} in the domain {domain_name(domain)}; check the "
        "spelling, or name its domain by --domain"
    )


def schema_from(schema: OpSchema) -> OperatorSchema:
    """A schema of ``onnx.defs``."""
    return OperatorSchema(
        schema.domain,
        schema.name,
        schema.since_version,
        deprecated=schema.deprecated,
        description=schema.doc or "",
        inputs=tuple(map(_formal_of_onnx, schema.inputs)),
        outputs=tuple(map(_formal_of_onnx, schema.outputs)),
        attributes=_attributes_of_onnx(schema.attributes),
        type_constraints=tuple(
            Constraint(c.type_param_str, tuple(c.allowed_type_strs), flat(c.description or ""))
            for c in schema.type_constraints
        ),
    )


def _formal_of_onnx(formal: Any) -> Formal:
    option: Option = formal.option.name.lower()
    variadic = option == "variadic"
    return Formal(
        formal.name,
        formal.type_str,
        option,
        flat(formal.description or ""),
        formal.min_arity if variadic else 1,
        formal.is_homogeneous if variadic else True,
    )


def _attributes_of_onnx(attributes: Mapping[str, Any]) -> tuple[FormalAttribute, ...]:
    """By name, since onnx.defs keeps them in no order."""
    return tuple(
        FormalAttribute(
            name, a.type.name.lower(), a.required, _default(a.default_value), flat(a.description)
        )
        for name, a in sorted(attributes.items())
    )


def _default(attribute: Any) -> Any:
    """An attribute's default as plain data; None where there is none."""
    from onnx import AttributeProto, helper, numpy_helper

    if attribute.type == AttributeProto.UNDEFINED:
        return None
    value = helper.get_attribute_value(attribute)
    if attribute.type == AttributeProto.TENSOR:
        # A tensor without a type stands for no default.
        return numpy_helper.to_array(value).tolist() if value.data_type else None
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if attribute.type == AttributeProto.STRINGS:
        return tuple(text.decode("utf-8") for text in value)
    return value if isinstance(value, int | float | str) else tuple(value)
