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

from simpleeval import EvalWithCompoundTypes, InvalidExpression

from onnx_cts_specs.call import Tensor
from onnx_cts_specs.errors import ExpressionError, UndefinedError

Shape = tuple[int, ...]
Question = tuple[str, str]
"""A function and a name, or "" and a name for the whole of what that stands for."""


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

_DECIDED_BY = {
    "has": "has", "shape": "shape", "rank": "rank", "dtype": "dtype", "nonzero": "nonzero",
    "dim": "shape",
}  # fmt: skip
"""What a function asks of its first argument, if that is not all that there is to it."""

_SYNTAX = (
    ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub,
    ast.Mult, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.IfExp, ast.Call, ast.Name, ast.Constant, ast.Tuple, ast.Load, ast.Expr, ast.Expression,
)  # fmt: skip
"""The syntax that expressions may use: nothing that reaches into objects."""

_ALWAYS = frozenset({"granularity", "unknown_attributes", "mistyped_attributes", "True", "False"})


@cache
def parsed(expression: str) -> ast.AST:
    """The syntax tree of an expression; raises ExpressionError where it has none."""
    try:
        return EvalWithCompoundTypes.parse(expression)  # type: ignore[no-any-return]
    except (InvalidExpression, SyntaxError) as error:
        raise ExpressionError(f"`{expression}` is no expression ({error})") from None


def check(expression: str, names: frozenset[str]) -> None:
    """Check that an expression parses and uses only known functions and the given names.

    Raises:
        ExpressionError: It does not.
    """
    tree = parsed(expression)
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
    tree = parsed(expression)
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


@cache
def questions(expression: str) -> tuple[Question, ...]:
    """What decides the value of an expression: answers of functions of one name, and names.

    Where ``dtype(x)`` is all that an expression says of x, x does not matter beyond that.
    """
    tree = parsed(expression)
    asked: dict[Question, None] = {}
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            inside.add(node.func)
            function = _DECIDED_BY.get(node.func.id)
            if function and isinstance(node.args[0], ast.Name):
                asked[function, node.args[0].id] = None
                inside.add(node.args[0])
    names = (n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n not in inside)
    return (*asked, *dict.fromkeys(("", name) for name in names))


def conjuncts(expression: str) -> tuple[str, ...]:
    """The parts of an expression that must all hold for it to hold."""
    tree = parsed(expression)
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
