"""What forbids combinations of factor values, each condition as small as the spec states it.

A prohibition is a conjunction of predicates, and each predicate knows the few factors that it
looks at. So which assignments are possible is found by combining small tables, and never by going
through all assignments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from onnx_cts_generator import factors as f
from onnx_cts_generator.factors import Factors, Row
from onnx_cts_generator.models import constant_types
from onnx_cts_generator.patterns import UnfitError, check_fit
from onnx_cts_generator.plans import OTHER_OUTPUT_TYPE, call_for
from onnx_cts_reference.formats import formats
from onnx_cts_specs import Spec, UndefinedError
from onnx_cts_specs.expressions import conjuncts
from onnx_cts_specs.judge import evaluator
from onnx_cts_specs.model import element_type


@dataclass(frozen=True)
class Predicate:
    """A condition on some factors; it is asked about rows that are plain in all others."""

    names: tuple[str, ...]
    holds: Callable[[Row], bool]


@dataclass(frozen=True)
class Prohibition:
    """A row is impossible, for this reason, where all of some predicates hold."""

    reason: str
    predicates: tuple[Predicate, ...]


def prohibitions(spec: Spec, factors: Factors) -> Iterator[Prohibition]:
    """What forbids values of factors of types, values and presentation; shapes are not among them.

    Rules and open questions come first: their ids say more than a factor at odds with another.
    """
    for rule in spec.rules:
        broken = _predicate(spec, factors, rule.require, negated=True)
        asked = (_predicate(spec, factors, c) for c in conjuncts(rule.when or "True"))
        yield Prohibition(rule.id, (*asked, broken))
    for question in spec.open_questions:
        asked = (_predicate(spec, factors, c) for c in conjuncts(question.when))
        yield Prohibition(question.id, tuple(asked))
    yield from _output_types(spec, factors)
    yield from _unfit(spec, factors)
    yield from _presentation(spec, factors)
    yield from _constants(spec, factors)


def _predicate(
    spec: Spec, factors: Factors, expression: str, *, negated: bool = False
) -> Predicate:
    def holds(row: Row) -> bool:
        try:
            return bool(evaluator(spec, call_for(spec, row)).value(expression)) is not negated
        except (UndefinedError, UnfitError):
            return False

    names = f.asked_about(spec, expression)
    return Predicate(tuple(name for name in factors.values if name in names), holds)


def _output_types(spec: Spec, factors: Factors) -> Iterator[Prohibition]:
    """A type variable that an output shares with an input must be what the call makes of it."""
    for output in spec.outputs:
        if output.type not in factors.values:
            continue

        def differs(row: Row, output=output) -> bool:  # type: ignore[no-untyped-def]
            derived = evaluator(spec, call_for(spec, row)).value(output.dtype)
            return bool(derived != row[output.type])

        asked = f.asked_about(spec, output.dtype) | {output.type}
        names = tuple(name for name in factors.values if name in asked)
        reason = OTHER_OUTPUT_TYPE.format(output.name)
        yield Prohibition(reason, (Predicate(names, differs),))


def _unfit(spec: Spec, factors: Factors) -> Iterator[Prohibition]:
    for formal in spec.inputs:
        for pattern in factors.values[formal.name]:
            for dtype in factors.values.get(formal.type, (element_type(formal.type),)):
                try:
                    check_fit(pattern, formats()[dtype])
                except UnfitError as reason:
                    yield Prohibition(
                        str(reason),
                        (_is(formal.name, pattern), *_is_type(formal.type, dtype, factors)),
                    )


def _is(name: str, value: str) -> Predicate:
    return Predicate((name,), lambda row: row[name] == value)


def _is_not(name: str, value: str) -> Predicate:
    return Predicate((name,), lambda row: row[name] != value)


def _is_type(variable: str, dtype: str, factors: Factors) -> Iterator[Predicate]:
    if variable in factors.values:
        yield _is(variable, dtype)


def _presentation(spec: Spec, factors: Factors) -> Iterator[Prohibition]:
    if f.PARAMETERS in factors.values:
        for place, stored in f.STORED.items():

            def is_not_stored(row: Row, place=place, stored=stored) -> bool:  # type: ignore[no-untyped-def]
                return row[f.PARAMETERS] == place and row[f.STORAGE] not in stored

            yield Prohibition(
                f"{place} are stored {' or '.join(stored)}",
                (Predicate((f.PARAMETERS, f.STORAGE), is_not_stored),),
            )
    if f.ABSENCE in factors.values:
        optional = tuple(i.name for i in spec.inputs if i.optional)

        def has_no_absent(row: Row) -> bool:
            return row[f.ABSENCE] == f.UNNAMED and all(row[n] != f.ABSENT for n in optional)

        names = (*optional, f.ABSENCE)
        yield Prohibition("an input that is present has a name", (Predicate(names, has_no_absent),))


def _constants(spec: Spec, factors: Factors) -> Iterator[Prohibition]:
    for formal in spec.parameters:
        for opset in factors.values[f.OPSET]:
            for dtype in spec.types(formal.type):
                if dtype in constant_types(int(opset)):
                    continue
                yield Prohibition(
                    f"Constant has no {dtype} at opset {opset}",
                    (
                        _is(f.PARAMETERS, "constants"),
                        _is(f.OPSET, opset),
                        *_is_type(formal.type, dtype, factors),
                        _is_not(formal.name, f.ABSENT),
                    ),
                )
