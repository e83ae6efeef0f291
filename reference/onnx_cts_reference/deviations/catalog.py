"""The catalogue: named, plausible wrong implementations, each a small variation of a right one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import numpy as np

from onnx_cts_reference.deviations.steps import Implementation, Situation, situation
from onnx_cts_reference.formats import Array
from onnx_cts_specs import Rule, Spec, spec_for, versions

Variation = type[Implementation]


#: The category of what is wrong in nothing but what is refused.
REFUSAL = "refusal"


@dataclass(frozen=True)
class Deviation:
    """A wrong implementation.

    Attributes:
        name: In lower case with dashes.
        category: What it goes wrong in.
        says: What it does, in one sentence.
        feature: The feature of cases that show it, "" where they are not to be told apart.
        make: Makes the implementation for a call.
    """

    name: str
    category: str
    says: str
    make: Callable[[Situation], Implementation]
    feature: str = ""

    def computes_otherwise(self, at: Situation) -> bool:
        """Whether it may compute what the right implementation does not.

        One that is wrong in what it refuses computes what is right, if that is anything.
        """
        return self.category != REFUSAL or bool(at.broken)


def deviation(category: str, feature: str = "") -> Callable[[Variation], Variation]:
    """Marks a class as a variation of steps that is wrong in a category.

    Args:
        category: What it goes wrong in.
        feature: The feature of cases that show it, by which a user can leave them out.
    """

    def mark(variation: Variation) -> Variation:
        variation.category = category
        variation.feature = feature
        return variation

    return mark


@cache
def catalogue(operator: str, domain: str = "") -> tuple[Deviation, ...]:
    """The deviations of an operator: common ones, its own, and those that follow from its specs.

    Raises:
        UnknownOperatorError: The operator has no specs.
    """
    specs = [spec_for(operator, version, domain) for version in versions(operator, domain)]
    implementation = right(specs[-1])
    own = import_module(implementation.__module__)
    modules = [import_module(f"onnx_cts_reference.deviations.{name}") for name in own.SHARES]
    modules.append(own)
    variations = (v for module in modules for v in _variations(module.__dict__))
    rules = {rule.id: rule for spec in specs for rule in spec.rules}
    neighbours = (False, True) if len(specs) > 1 else ()
    return (
        *(_named(variation, implementation) for variation in variations),
        *(_accepting(rule, implementation) for rule in rules.values()),
        *(_as_version(implementation, later=later) for later in neighbours),
    )


def right(spec: Spec) -> type[Implementation]:
    """The right implementation of a spec's operator that deviations vary."""
    implementation: type[Implementation] = import_module(
        f"onnx_cts_reference.deviations.{spec.kernel}"
    ).Right
    return implementation


def _variations(names: dict[str, object]) -> Iterator[Variation]:
    return (
        v
        for v in names.values()
        if isinstance(v, type) and issubclass(v, Implementation) and v.__dict__.get("category")
    )


def _named(variation: Variation, right: type[Implementation]) -> Deviation:
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", variation.__name__).lower()
    bases = (variation,) if issubclass(variation, right) else (variation, right)
    made: type[Implementation] = type(variation.__name__, bases, {})
    says = " ".join((variation.__doc__ or "").split())
    return Deviation(name, variation.category, says, made, variation.feature)


def _accepting(rule: Rule, right: type[Implementation]) -> Deviation:
    class Accepting(right):  # type: ignore[misc, valid-type] # a class made at run time
        """Computes what it can of an invalid call, and gives zeros where it cannot."""

        def accepts(self, broken: Rule) -> bool:
            return broken.id == rule.id

        def compute(self) -> tuple[Array, ...]:
            try:
                outputs: tuple[Array, ...] = super().compute()
            except (ArithmeticError, LookupError, ValueError):
                if not self.at.broken:
                    raise
                return (np.zeros(self.shape, np.float32),)
            return outputs

    says = f"Computes calls that break the rule {rule.id}."
    return Deviation(f"accepts-broken-{rule.id}", REFUSAL, says, Accepting)


def _as_version(right: type[Implementation], *, later: bool) -> Deviation:
    def make(at: Situation) -> Implementation:
        known = versions(at.spec.operator, at.spec.domain)
        place = known.index(at.spec.since_version) + (1 if later else -1)
        if not 0 <= place < len(known):
            return right(at)
        other = spec_for(at.spec.operator, known[place], at.spec.domain)
        return right(situation(other, at.inputs, at.given))

    which = "after" if later else "before"
    says = f"Behaves as the version {which} the one that the model asks for."
    return Deviation(f"behaves-as-version-{which}", "version", says, make)
