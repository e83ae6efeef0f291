"""What an adapter declares of its backend: what it can be fed, and what its refusals mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: A rule is tried on no more of a message than this.
MESSAGE_LIMIT = 10_000
KIND = re.compile(r"[a-z][a-z-]{0,39}")


@dataclass(frozen=True)
class Feeds:
    """What a backend can be fed: numbers of ``onnx.TensorProto.DataType``.

    Attributes:
        inputs: Types that graph inputs may have; None for every type.
        initializers: Further types, which initializers alone may have.
        constant_parameters: Whether every input of a node but its first must be an initializer.
    """

    inputs: frozenset[int] | None = None
    initializers: frozenset[int] = frozenset()
    constant_parameters: bool = False


@dataclass(frozen=True)
class RefusalRule:
    """What a message of the backend says about a refusal.

    Attributes:
        kind: What it is, such as ``unsupported`` or ``obscure``.
        stage: The stage that such a message tells of; "" for that of the method that raised.
        pattern: Is searched for in the message, and in ``<class of the exception>: <message>``.
    """

    kind: str
    stage: str
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Declarations:
    """All that an adapter may declare; each has a default."""

    feeds: Feeds = Feeds()
    documentation: str = ""
    refusals: tuple[RefusalRule, ...] = ()

    def refusal(self, stage: str, error: str, message: str) -> tuple[str, str]:
        """The kind and the stage of a refusal by the first rule that fits what was said.

        Args:
            stage: The stage at which the backend refused.
            error: Class of the exception.
            message: All that it says.

        Returns:
            "" and the stage as it is if no rule fits.
        """
        alone = message[:MESSAGE_LIMIT]
        for rule in self.refusals:
            if rule.pattern.search(alone) or rule.pattern.search(f"{error}: {alone}"):
                return rule.kind, rule.stage or stage
        return "", stage


def declarations(feeds: Any, documentation: Any, refusals: Any) -> Declarations:
    """Check what an adapter declares.

    Args:
        feeds: Its attribute ``feeds``; None if it has none, as the others.
        documentation: Its attribute ``documentation``.
        refusals: Its attribute ``refusals``.

    Raises:
        ValueError: Something is not as the docstring of the package ``adapters`` has it; the
            message names it.
    """
    if documentation is not None and not isinstance(documentation, str):
        raise ValueError("its documentation is to be a string, the address of a page")
    rules = [] if refusals is None else refusals
    if not _is_list(rules):
        raise ValueError("its refusals are to be a list of rules")
    return Declarations(
        _feeds({} if feeds is None else feeds),
        documentation or "",
        tuple(_rule(index, rule) for index, rule in enumerate(rules)),
    )


def _feeds(feeds: Any) -> Feeds:
    known = {"inputs", "initializers", "constant_parameters"}
    if not isinstance(feeds, Mapping) or not feeds.keys() <= known:
        raise ValueError(f"its feeds are to be a dict with no keys but {', '.join(sorted(known))}")
    constant = feeds.get("constant_parameters", False)
    if not isinstance(constant, bool):
        raise ValueError("constant_parameters of its feeds is to be True or False")
    inputs = None if feeds.get("inputs") is None else _types("inputs", feeds["inputs"])
    return Feeds(inputs, _types("initializers", feeds.get("initializers", [])), constant)


def _types(key: str, codes: Any) -> frozenset[int]:
    if not _is_list(codes) or not all(type(code) is int for code in codes):
        raise ValueError(f"{key} of its feeds are to be numbers of onnx.TensorProto.DataType")
    return frozenset(codes)


def _rule(index: int, rule: Any) -> RefusalRule:
    place = f"rule {index} of its refusals"
    if not isinstance(rule, Mapping) or not {"kind", "pattern"} <= rule.keys():
        raise ValueError(f"{place} is to be a dict with kind, pattern, and stage if need be")
    if unknown := sorted(map(str, rule.keys() - {"kind", "pattern", "stage"})):
        raise ValueError(f"{place} has a key {unknown[0]!r} that means nothing")
    kind, stage = rule["kind"], rule.get("stage") or ""
    for key, word in (("kind", kind), ("stage", stage)):
        if not isinstance(word, str) or (word and not KIND.fullmatch(word)) or not kind:
            raise ValueError(f"{key} of {place} is to be one word in lower case")
    try:
        return RefusalRule(kind, stage, re.compile(rule["pattern"]))
    except (re.error, TypeError) as error:
        raise ValueError(f"pattern of {place} is no regular expression: {error}") from None


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))
