"""Conditions of specs: a small, safe expression language over a call.

Expressions are Python's syntax of comparisons, arithmetic and boolean operators, evaluated by
simpleeval and never by ``eval``. They see the inputs, attributes and type variables of the spec
by name, the ``granularity``, and the functions of this module.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes, InvalidExpression

from onnx_cts_specs.call import Tensor
from onnx_cts_specs.errors import ExpressionError, SpecError, UndefinedError

Shape = tuple[int, ...]


def _present(tensor: Tensor | None) -> Tensor:
    if tensor is None:
        raise UndefinedError("an absent input has no type, shape or values")
    return tensor


def _dimension(sizes: Shape, axis: int) -> Shape:
    """The one dimension at an axis that may count from the back; empty where there is none."""
    return sizes[axis:][:1] if -len(sizes) <= axis < len(sizes) else ()


def _dim(tensor: Tensor | None, axis: int) -> int:
    found = _dimension(_present(tensor).shape, axis)
    if not found:
        raise UndefinedError(f"there is no axis {axis}")
    return found[0]


def _replaced(sizes: Shape, axis: int, size: int) -> Shape:
    if not _dimension(sizes, axis):
        raise UndefinedError(f"there is no axis {axis}")
    place = axis % len(sizes)
    return (*sizes[:place], size, *sizes[place + 1 :])


def _ceil_div(dividend: int, divisor: int) -> int:
    if divisor == 0:
        raise UndefinedError("division by zero")
    return -(-dividend // divisor)


def _element_type(code: int) -> str:
    """The name of a number of onnx.TensorProto.DataType, as type strings spell it."""
    from onnx import TensorProto

    return TensorProto.DataType.Name(code).lower() if code in TensorProto.DataType.values() else ""


def _extent(tensor: Tensor) -> float:
    least, greatest = tensor.content.ends() if tensor.content else (0.0, 0.0)
    return max(greatest, 0.0) - min(least, 0.0)


FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "has": lambda tensor: tensor is not None,
    "shape": lambda tensor: _present(tensor).shape,
    "rank": lambda tensor: len(_present(tensor).shape),
    "dtype": lambda tensor: _present(tensor).dtype,
    "nonzero": lambda tensor: _present(tensor).nonzero,
    "holds": lambda tensor, kind, dtype: _present(tensor).holds(kind, dtype),
    "extent": lambda tensor: _extent(_present(tensor)),
    "dim": _dim,
    "at": _dimension,
    "replaced": _replaced,
    "ceil_div": _ceil_div,
    "element_type": _element_type,
}
"""The functions of expressions:

``has(x)`` whether an input is present; ``shape(x)``, ``rank(x)``, ``dtype(x)``; ``nonzero(x)``
whether any element differs from (positive) zero; ``holds(x, kind, type)`` whether any element is,
once rounded to an element type, of a kind: ``nan``, ``infinity``, ``zero`` or ``number`` (any
other); ``extent(x)`` from the least to the greatest of the finite elements and zero;
``dim(x, axis)`` one size; ``at(shape, axis)``
the size at an axis as a tuple, empty where there is no such axis; ``replaced(shape, axis, size)``;
``ceil_div(a, b)``; ``element_type(code)`` the name of a number of TensorProto.DataType, or "".
"""

_SYNTAX = (
    ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub,
    ast.Mult, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.IfExp, ast.Call, ast.Name, ast.Constant, ast.Tuple, ast.Load, ast.Expr, ast.Expression,
)  # fmt: skip
"""The syntax that expressions may use: nothing that reaches into objects."""

_ALWAYS = frozenset({"granularity", "unknown_attributes", "mistyped_attributes", "True", "False"})


@cache
def _parsed(expression: str) -> ast.AST:
    try:
        return EvalWithCompoundTypes.parse(expression)  # type: ignore[no-any-return]
    except (InvalidExpression, SyntaxError) as error:
        raise ExpressionError(f"`{expression}` is no expression ({error})") from None


def check(expression: str, names: frozenset[str]) -> None:
    """Check that an expression parses and uses only known functions and the given names.

    Raises:
        ExpressionError: It does not.
    """
    tree = _parsed(expression)
    called = {n.func for n in ast.walk(tree) if isinstance(n, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, _SYNTAX):
            raise ExpressionError(
                f"`{expression}` uses {type(node).__name__}, which is not allowed"
            )
        if isinstance(node, ast.Call):
            _check_call(expression, node)
        if not isinstance(node, ast.Name):
            continue
        if node in called and node.id not in FUNCTIONS:
            raise ExpressionError(
                f"unknown function `{node.id}` (known: {', '.join(sorted(FUNCTIONS))})"
            )
        if node not in called and node.id not in names | _ALWAYS:
            known = ", ".join(sorted(names | _ALWAYS))
            raise ExpressionError(f"unknown name `{node.id}` (known: {known})")


def mentions(expression: str, terms: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    """What an expression asks about: a function and a name for ``dtype(x)``, "" and the name alone.

    So a reader of a spec can tell which types, shapes and attributes a rule binds together.

    Args:
        expression: The expression.
        terms: Expressions that names stand for; what they ask about is asked about too.
    """
    tree = _parsed(expression)
    asked: set[tuple[str, str]] = set()
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            inside.add(node.func)
            for argument in node.args:
                if isinstance(argument, ast.Name):
                    asked.add((node.func.id, argument.id))
                    inside.add(argument)
    asked |= {("", n.id) for n in ast.walk(tree) if isinstance(n, ast.Name) and n not in inside}
    meant = (mentions(terms[name], terms) for _, name in asked if name in terms)
    return frozenset(a for a in asked if a[1] not in terms).union(*meant)


def conjuncts(expression: str) -> tuple[str, ...]:
    """The parts of an expression that must all hold for it to hold."""
    tree = _parsed(expression)
    tree = tree.value if isinstance(tree, ast.Expr) else tree
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return tuple(part for value in tree.values for part in conjuncts(ast.unparse(value)))
    return (expression,)


def _check_call(expression: str, node: ast.Call) -> None:
    if not isinstance(node.func, ast.Name):
        raise ExpressionError(f"`{expression}` calls what is not a function by name")
    function = FUNCTIONS.get(node.func.id)
    wanted = len(inspect.signature(function).parameters) if function else len(node.args)
    if node.keywords or len(node.args) != wanted:
        raise ExpressionError(
            f"`{expression}` gives {node.func.id} {len(node.args) + len(node.keywords)} arguments; "
            f"it takes {wanted}, by place"
        )


class _Names(dict[str, object]):
    """Names with values, some of which are made when they are asked for."""

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.made: dict[str, Callable[[], object]] = {}

    def __missing__(self, name: str) -> object:
        self[name] = value = self.made[name]()
        return value


class Evaluator:
    """Evaluates expressions of one spec over one call.

    Args:
        names: What the expressions can name.
        path: The spec's file, for errors.
    """

    def __init__(self, names: Mapping[str, object], path: Path = Path()) -> None:
        self._path = path
        self._names = _Names(names)
        self._eval = EvalWithCompoundTypes(
            operators=DEFAULT_OPERATORS, functions=dict(FUNCTIONS), names=self._names
        )

    def define(self, name: str, value: object) -> None:
        """Give a name a value for the expressions that follow."""
        self._names[name] = value

    def define_lazily(self, name: str, make: Callable[[], object]) -> None:
        """Give a name a value that is made when an expression first uses it."""
        self._names.made[name] = make

    def value(self, expression: str) -> Any:
        """The value of an expression.

        Raises:
            UndefinedError: It has none for this call.
            SpecError: It mixes what does not go together, such as a shape and a number.
        """
        try:
            return self._eval.eval(expression, previously_parsed=_parsed(expression))
        except (TypeError, InvalidExpression) as error:
            problem = f"`{expression}` cannot be evaluated: {error}"
            raise SpecError(self._path, problem, "correct the expression") from None

    def holds(self, expression: str) -> bool:
        """Whether a condition holds; one that is undefined does not."""
        try:
            return bool(self.value(expression))
        except UndefinedError:
            return False
