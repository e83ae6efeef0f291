"""The language of conditions: what it computes, and what it refuses."""

from typing import Any

import pytest

from onnx_cts_specs import Tensor, UndefinedError
from onnx_cts_specs.call import Kind
from onnx_cts_specs.errors import ExpressionError, SpecError
from onnx_cts_specs.evaluator import Evaluator
from onnx_cts_specs.expressions import check, conjuncts, mentions


class Big:
    """Numbers of which one overflows in float16."""

    def kinds(self, rounded_to: str) -> frozenset[Kind]:
        return frozenset({"number", "infinity"} if rounded_to == "float16" else {"number"})

    def ends(self) -> tuple[float, float]:
        return 2.0, 1e5


NAMES = {
    "x": Tensor("int8", (2, 3, 4)),
    "scale": Tensor("float", (3,), nonzero=True),
    "big": Tensor("float", (1,), content=Big()),
    "absent": None,
    "axis": -1,
    "T": ("int8", "uint8"),
    "granularity": "per-axis",
}


def value(expression: str) -> Any:
    check(expression, frozenset(NAMES))
    return Evaluator(NAMES).value(expression)


@pytest.mark.parametrize(
    ("expression", "meant"),
    [
        ("has(x)", True),
        ("has(absent)", False),
        ("shape(x)", (2, 3, 4)),
        ("rank(x)", 3),
        ("dtype(x)", "int8"),
        ("dtype(x) in T and dtype(scale) not in T", True),
        ("nonzero(x)", False),
        ("nonzero(scale)", True),
        ("holds(big, 'infinity', 'float')", False),
        ("holds(big, 'infinity', 'float16')", True),
        ("holds(big, 'nan', 'float16')", False),
        ("extent(big)", 1e5),
        ("dim(x, axis)", 4),
        ("dim(x, 0)", 2),
        ("dim(x, -3)", 2),
        ("at(shape(x), 1)", (3,)),
        ("at(shape(x), -1)", (4,)),
        ("at(shape(x), -3)", (2,)),
        ("at(shape(x), 3)", ()),
        ("at(shape(x), -4)", ()),
        ("replaced(shape(x), 1, 9)", (2, 9, 4)),
        ("replaced(shape(x), axis, 9)", (2, 3, 9)),
        ("ceil_div(7, 2)", 4),
        ("ceil_div(6, 2)", 3),
        ("ceil_div(0, 5)", 0),
        ("ceil_div(7, -2)", -3),
        ("element_type(1)", "float"),
        ("element_type(16)", "bfloat16"),
        ("element_type(28)", "float6e3m2"),
        ("element_type(0)", "undefined"),
        ("element_type(999)", ""),
        ("element_type(-1)", ""),
        ("-rank(x) <= axis < rank(x)", True),
        ("-rank(x) <= axis < -1", False),
        ("granularity in ('per-axis', 'blocked')", True),
        ("1 if has(absent) else 2", 2),
        ("has(absent) and shape(absent) == ()", False),
        ("()", ()),
        ("not True or False", False),
    ],
)
def test_an_expression_has_its_value(expression: str, meant: object) -> None:
    assert value(expression) == meant
    assert Evaluator(NAMES).holds(expression) == bool(meant)


@pytest.mark.parametrize(
    "expression",
    [
        "shape(absent)",
        "rank(absent)",
        "dtype(absent) in T",
        "nonzero(absent)",
        "dim(absent, 0)",
        "dim(x, 3)",
        "dim(x, -4)",
        "replaced(shape(x), 3, 1)",
        "ceil_div(1, 0)",
    ],
)
def test_what_asks_about_nothing_is_undefined_and_does_not_hold(expression: str) -> None:
    with pytest.raises(UndefinedError):
        value(expression)
    assert not Evaluator(NAMES).holds(expression)


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("", "is no expression"),
        ("rank(x) ==", "is no expression"),
        ("rank(x", "is no expression"),
        ("axis := 3", "is no expression"),
        ("y", "unknown name `y`"),
        ("rank(y)", "unknown name `y`"),
        ("T9", "unknown name `T9`"),
        ("length(x)", "unknown function `length`"),
        ("__import__('os')", "unknown function `__import__`"),
        ("open('/etc/hostname')", "unknown function `open`"),
        ("eval('1')", "unknown function `eval`"),
        ("has", "unknown name `has`"),
        ("x.shape()", "calls what is not a function by name"),
        ("'a'.upper()", "calls what is not a function by name"),
        ("(lambda: 1)()", "calls what is not a function by name"),
        ("shape(x)[0]()", "calls what is not a function by name"),
        ("x(1)", "unknown function `x`"),
        ("[i for i in shape(x)]", "uses ListComp"),
    ],
)
def test_an_expression_with_what_does_not_exist_is_refused(expression: str, problem: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        check(expression, frozenset(NAMES))
    assert problem in str(caught.value)


DANGEROUS = [
    "x.__class__",
    "x.__class__.__mro__",
    "().__class__.__bases__[0]",
    "shape.__globals__",
    "dtype(x).__doc__",
    "lambda: 1",
    "9 ** 9 ** 9",
    "1 << 100000000",
    "'a' * 100000000",
    "import os",
    "del x",
    "(yield)",
    "__import__('os')",
]


@pytest.mark.parametrize("expression", DANGEROUS)
def test_a_dangerous_expression_is_never_evaluated(expression: str) -> None:
    with pytest.raises((SpecError, ExpressionError)):
        Evaluator(NAMES).value(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "x.__class__",
        "x.shape",
        "import os",
        "lambda: 1",
        "f'{x}'",
        "has()",
        "has(x, x)",
        "rank(x=x)",
    ],
)
def test_an_expression_that_cannot_be_evaluated_is_refused_when_it_is_checked(
    expression: str,
) -> None:
    with pytest.raises(ExpressionError):
        check(expression, frozenset(NAMES))


def test_a_name_may_get_its_value_when_it_is_first_asked_for() -> None:
    evaluate = Evaluator({})
    made: list[str] = []

    def make() -> str:
        made.append("once")
        return "blocked"

    evaluate.define_lazily("term", make)
    assert made == []
    assert evaluate.holds("term == 'blocked'")
    assert evaluate.holds("term != 'per-axis'")
    assert made == ["once"]


def test_a_name_that_asks_for_itself_is_an_error() -> None:
    evaluate = Evaluator(NAMES)
    evaluate.define_lazily("term", lambda: evaluate.value("term"))
    with pytest.raises(SpecError, match="`term` cannot be evaluated: 'term' is not defined"):
        evaluate.value("term")


@pytest.mark.parametrize(
    ("expression", "names", "others"),
    [
        ("axis", {"axis": 1}, {"axis": True}),
        ("axis * 2", {"axis": 1}, {"axis": 1.0}),
        ("axis", {"axis": 0.0}, {"axis": -0.0}),
        ("axis", {"axis": (1, 2)}, {"axis": (1.0, 2)}),
        ("dim(x, 0)", {"x": Tensor("int8", (2,))}, {"x": Tensor("int8", (3,))}),
        ("nonzero(x)", {"x": Tensor("int8", ())}, {"x": Tensor("int8", (), nonzero=True)}),
        ("extent(x)", {"x": NAMES["big"]}, {"x": Tensor("float", (1,))}),
        ("term", {"term": "a"}, {"term": "b"}),
        ("has(x)", {"x": None}, {"x": Tensor("int8", ())}),
    ],
)
def test_a_value_is_not_taken_for_that_of_another_call(
    expression: str, names: dict[str, object], others: dict[str, object]
) -> None:
    each = [repr(Evaluator(given).value(expression)) for given in (names, others, names)]
    assert each[0] == each[2]
    assert each[0] != each[1]


def test_an_expression_is_undefined_for_the_same_reason_each_time() -> None:
    for _ in range(2):
        with pytest.raises(UndefinedError, match="there is no axis 7"):
            Evaluator(NAMES).value("dim(x, 7)")


def test_conjuncts_are_the_parts_that_must_all_hold() -> None:
    assert conjuncts("a and (b or c) and (d and not e)") == ("a", "b or c", "d", "not e")
    assert conjuncts("a or b") == ("a or b",)


def test_a_name_that_stands_for_an_expression_is_asked_about_by_what_it_means() -> None:
    terms = {"width": "dtype(x) if axis else 'float'", "y": "dtype(x)"}
    assert mentions("holds(scale, 'nan', width)", terms) == {
        ("holds", "scale"), ("dtype", "x"), ("", "axis"),
    }  # fmt: skip
    assert mentions("'8' in dtype(y)", terms) == {("dtype", "x")}


def test_a_lazy_name_is_made_when_it_is_first_used_and_once() -> None:
    evaluate = Evaluator(NAMES)
    made: list[int] = []
    evaluate.define_lazily("late", lambda: made.append(1) or len(made))
    assert not made
    assert evaluate.value("late + late") == 2
    assert made == [1]
