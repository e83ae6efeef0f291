"""Evaluates the expressions of a spec over one call.

An expression asks little of a call: the type of one input, say, and the rank of another. So its
value is looked up by the answers to what it asks, and simpleeval comes in where they are new.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes, InvalidExpression

from onnx_cts_specs.call import Tensor
from onnx_cts_specs.errors import SpecError, UndefinedError
from onnx_cts_specs.expressions import FUNCTIONS, Question, parsed, questions

#: Values that are remembered before all of them are forgotten.
MOST_KNOWN = 1 << 17

_known: dict[tuple[object, ...], object] = {}
"""The value of an expression by the numbers of the answers to its questions."""

_numbers: dict[object, int] = {}
_new_number = itertools.count()
"""Each answer has a number, and none is given twice."""

_UNKNOWN = object()


@dataclass(frozen=True)
class _Undefined:
    """In place of a value: why there is none."""

    reason: str


class _Names(dict[str, object]):
    """Names with values, some of which are made when they are asked for."""

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.made: dict[str, Callable[[], object]] = {}

    def __missing__(self, name: str) -> object:
        # While it is made there is no such name: one that asks for itself is an error.
        make = self.made.pop(name)
        try:
            self[name] = value = make()
        except BaseException:
            self.made[name] = make
            raise
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
        self._answers: dict[Question, int | None] = {}

    def define_lazily(self, name: str, make: Callable[[], object]) -> None:
        """Give a name a value that is made when an expression first uses it."""
        self._names.made[name] = make

    def value(self, expression: str) -> Any:
        """The value of an expression.

        Raises:
            UndefinedError: It has none for this call.
            SpecError: It mixes what does not go together, such as a shape and a number.
        """
        have = self._answers
        answers = [have[q] if q in have else self._answer(q) for q in questions(expression)]
        if None in answers:
            return self._evaluated(expression)
        key = (expression, *answers)
        found = _known.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = self._learned(key, expression)
        if isinstance(found, _Undefined):
            raise UndefinedError(found.reason)
        return found

    def holds(self, expression: str) -> bool:
        """Whether a condition holds; one that is undefined does not."""
        try:
            return bool(self.value(expression))
        except UndefinedError:
            return False

    @cached_property
    def _simple(self) -> EvalWithCompoundTypes:
        return EvalWithCompoundTypes(
            operators=DEFAULT_OPERATORS, functions=dict(FUNCTIONS), names=self._names
        )

    def _evaluated(self, expression: str) -> Any:
        try:
            return self._simple.eval(expression, previously_parsed=parsed(expression))
        except (TypeError, InvalidExpression) as error:
            problem = f"`{expression}` cannot be evaluated: {error}"
            raise SpecError(self._path, problem, "correct the expression") from None

    def _learned(self, key: tuple[object, ...], expression: str) -> object:
        """The value of an expression, or that it has none, which is remembered."""
        if len(_known) >= MOST_KNOWN:
            _known.clear()
            _numbers.clear()
        try:
            _known[key] = found = self._evaluated(expression)
        except UndefinedError as error:
            _known[key] = found = _Undefined(str(error))
        return found

    def _answer(self, question: Question) -> int | None:
        """The number of the answer to a new question; None for one that cannot be remembered."""
        self._answers[question] = number = self._number(question)
        return number

    def _number(self, question: Question) -> int | None:
        function, name = question
        try:
            value = self._names[name]
            # What a function gives is of one type.
            return _number_of(FUNCTIONS[function](value) if function else _comparable(value))
        except UndefinedError as error:
            return _number_of(_Undefined(str(error)))
        except (AttributeError, KeyError, TypeError, SpecError):
            return None  # The evaluation says what is wrong, if it comes so far.


def _comparable(value: object) -> Hashable:
    """What stands for a value and for no other."""
    if isinstance(value, str):
        return value
    if isinstance(value, Tensor):
        return value, value.content
    # 1, 1.0 and True are equal, as are 0.0 and -0.0.
    return type(value), repr(value)


def _number_of(answer: object) -> int:
    """The number of an answer; raises TypeError for one that cannot be hashed."""
    number = _numbers.get(answer)
    if number is None:
        number = _numbers[answer] = next(_new_number)
    return number
