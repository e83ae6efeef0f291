"""Operators as classes of ONNX's runtime in Python, ``onnx.reference.ReferenceEvaluator``.

    >>> evaluator = ReferenceEvaluator(model, new_ops=ops())

One class an operator stands for all of its versions: an evaluator looks classes up by domain and
operator, not by version, so that a node becomes an object of the version's own class when it is
made, by the opset of the model or function that it is in. (An evaluator hands the classes on to
the subgraphs of a model, but not to the functions that a model defines.)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from onnx import NodeProto, defs
from onnx.reference.op_run import OpRun, RefAttrName

from onnx_cts_reference.evaluation import compute
from onnx_cts_reference.formats import Array
from onnx_cts_specs import Spec, UnknownOperatorError, domains, operators, spec_for
from onnx_cts_specs.model import AttributeValue


class Operator(OpRun):
    """An operator whose every version computes by its spec: exactly, with one rounding.

    The rules of the spec are asked before anything is computed. Where the text leaves a call
    open, the first reading in the spec under which something is computed is taken; ``evaluate``
    computes the others.

    Attributes:
        op_domain: The domain, empty for ONNX's own.
        operator: The name of the operator.
    """

    operator: ClassVar[str]

    def __new__(
        cls,
        onnx_node: NodeProto,  # noqa: ARG004 - the same for every node
        run_params: Mapping[str, Any],
        schema: Any = None,  # noqa: ARG004
    ) -> Operator:
        """An object of the class of the version that the opset makes current.

        Raises:
            UnknownOperatorError: The operator has no version at this opset, or one without a spec.
        """
        return super().__new__(cls._at(run_params["opsets"][cls.op_domain]))

    @classmethod
    def _at(cls, opset: int) -> type[OperatorVersion]:
        try:
            current = defs.get_schema(cls.operator, opset, cls.op_domain)
        except defs.SchemaError:
            raise UnknownOperatorError(
                f"{cls.operator} has no version at opset {opset} of its domain"
            ) from None
        return op_class(cls.operator, current.since_version, cls.op_domain)


class OperatorVersion(Operator):
    """One version of an operator, with what its spec says of its formal parts.

    Attributes:
        spec: The spec.
        since_version: The version.
        mandatory_inputs: Names of the inputs that a node must give, in order.
        optional_inputs: Names of the inputs that it may leave out, in order.
        attribute_defaults: Every attribute with its default; None for one without a default.
    """

    spec: ClassVar[Spec]
    since_version: ClassVar[int]
    mandatory_inputs: ClassVar[tuple[str, ...]]
    optional_inputs: ClassVar[tuple[str, ...]]
    attribute_defaults: ClassVar[Mapping[str, AttributeValue | None]]

    @classmethod
    def _at(cls, opset: int) -> type[OperatorVersion]:  # noqa: ARG003
        return cls

    @property
    def attribute_values(self) -> dict[str, Any]:
        """Every attribute as the node has it, by its default where the node does not give it.

        One that refers to an attribute of the function around the node is left out: it has a
        value in a run alone.
        """
        given = {name: getattr(self, name) for name in self.attributes_names_}
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in {**self.attribute_defaults, **given}.items()
            if not isinstance(value, RefAttrName)
        }

    @property
    def modified_attributes(self) -> dict[str, Any]:
        """The attributes to which the node gives another value than their default."""
        defaults = self.attribute_defaults
        return {n: v for n, v in self.attribute_values.items() if v != defaults.get(n)}

    def _run(self, *inputs: Array | None, **attributes: Any) -> tuple[Array, ...]:
        """Compute the outputs.

        Args:
            *inputs: Arrays in order, None for an absent one; dtypes of NumPy and ml_dtypes.
            **attributes: Values in place of the node's own.

        Returns:
            An array for each output of the node.

        Raises:
            BrokenRuleError: The call breaks a rule of the spec, which it names.
            RefusedError: The call is open, and every reading is that it is refused.
            CallError: Too many inputs.
        """
        values = {**self.attribute_values, **attributes}
        given = {name: value for name, value in values.items() if value is not None}
        return compute(self.operator, self.since_version, inputs, given, self.op_domain)


def ops() -> list[type[OpRun]]:
    """A class for each operator that has specs, as ``ReferenceEvaluator`` takes for ``new_ops``."""
    return [_operator_class(name, domain) for domain in domains() for name in operators(domain)]


@cache
def _operator_class(operator: str, domain: str) -> type[Operator]:
    parts = {
        "__doc__": Operator.__doc__,
        "__module__": __name__,
        "op_domain": domain,
        "operator": operator,
    }
    return type(operator, (Operator,), parts)


def op_class(operator: str, version: int, domain: str = "") -> type[OperatorVersion]:
    """The class of one version of an operator, ``<operator>_<version>`` by name as ONNX has it.

    Its method ``eval(*inputs, **attributes)`` computes without a model.

    Args:
        operator: Name of the operator.
        version: Its version (since_version).
        domain: Its domain, empty for ONNX's own.

    Raises:
        UnknownOperatorError: There is no spec for this operator at this version.
    """
    return _version_class(operator, version, domain)


@cache
def _version_class(operator: str, version: int, domain: str) -> type[OperatorVersion]:
    spec = spec_for(operator, version, domain)
    parts: dict[str, Any] = {
        "__doc__": f"{operator} {version}.\n\n{spec.description}",
        "__module__": __name__,
        "op_schema": defs.get_schema(operator, version, domain),
        "spec": spec,
        "since_version": version,
        "mandatory_inputs": tuple(i.name for i in spec.inputs if not i.optional),
        "optional_inputs": tuple(i.name for i in spec.inputs if i.optional),
        "attribute_defaults": {a.name: a.default for a in spec.attributes},
    }
    bases = (OperatorVersion, _operator_class(operator, domain))
    return type(f"{operator}_{version}", bases, parts)
