"""Why a call has no one right answer."""

from __future__ import annotations

from onnx_cts_specs import OpenQuestion, Rule, Spec


class EvaluationError(ValueError):
    """A call for which no output can be given; the kinds of it say why."""


class CallError(EvaluationError):
    """Arguments that spell no call at all: too many inputs, say, or an unknown reading."""


class BrokenRuleError(EvaluationError):
    """A call that breaks rules of its spec.

    Attributes:
        rule: Id of the first broken rule.
        rules: Ids of all broken rules, in the spec's order.
    """

    def __init__(self, spec: Spec, broken: tuple[Rule, ...]) -> None:
        self.rule = broken[0].id
        self.rules = tuple(rule.id for rule in broken)
        super().__init__(
            f"{spec.operator} {spec.since_version}: the call breaks the rule {self.rule}: "
            f"{' '.join(broken[0].says.split())} (it must hold that {broken[0].require})"
        )


class OpenQuestionError(EvaluationError):
    """A call that the standard's text leaves open; naming a reading computes it all the same.

    Attributes:
        question: Id of the open question.
        readings: Names of the readings that can be defended, ``refused`` among them or not.
    """

    def __init__(self, spec: Spec, question: OpenQuestion) -> None:
        self.question = question.id
        self.readings = tuple(answer.name for answer in question.readings)
        super().__init__(
            f"{spec.operator} {spec.since_version}: the text leaves this call open "
            f"({question.id}: {' '.join(question.why.split())}); "
            f"name one of the readings {', '.join(self.readings)}"
        )


class RefusedError(EvaluationError):
    """The reading asked for is that the call is refused, so there is nothing to compute."""
