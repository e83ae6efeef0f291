"""What changed between two versions of an operator's schema, and whether it breaks models.

A change breaks if a node that was right by the old version may be wrong by the new one, or mean
something else, as far as the schemas tell. As on ONNX's pages, a type string that changed and a
type variable that is gone count as breaking, even where the new ones admit all that the old did.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from onnx_cts_specs.op_schema import Constraint, Formal, FormalAttribute, OperatorSchema

Entry = TypeVar("Entry", Formal, FormalAttribute, Constraint)


@dataclass(frozen=True)
class Change:
    """One field of a formal part that differs.

    Attributes:
        name: The part's name in the old version.
        field: What differs, ``name`` or ``position`` included.
        reason: Why it breaks: "" if it does not.
    """

    name: str
    field: str
    old: Any
    new: Any
    reason: str = ""


@dataclass(frozen=True)
class Rewording:
    """A formal part whose text differs, white space aside."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class PartDiff(Generic[Entry]):
    """What differs among the inputs, outputs, attributes or type constraints.

    Attributes:
        reasons: Why what was added or removed breaks.
    """

    added: tuple[Entry, ...]
    removed: tuple[Entry, ...]
    changed: tuple[Change, ...]
    reworded: tuple[Rewording, ...]
    reasons: tuple[str, ...] = ()

    @property
    def breaking_reasons(self) -> tuple[str, ...]:
        """Why these differences break models; none if they do not."""
        return (*(c.reason for c in self.changed if c.reason), *self.reasons)


@dataclass(frozen=True)
class TextDiff:
    """How two descriptions differ, line by line.

    Each is compared as ``onnx.defs`` spells descriptions, with an empty line before the first.
    """

    old: str
    new: str

    @staticmethod
    def _lines(text: str) -> list[str]:
        return ["", *(line.rstrip() for line in text.strip().splitlines())]

    @property
    def similarity(self) -> float:
        """Twice the lines that match over all lines: 0 to 1, rounded to two decimals."""
        matcher = difflib.SequenceMatcher(None, self._lines(self.old), self._lines(self.new))
        return round(matcher.ratio(), 2)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The unified diff without its two lines of file names; none if the texts are equal."""
        found = difflib.unified_diff(self._lines(self.old), self._lines(self.new), lineterm="")
        return tuple(found)[2:]

    @property
    def added(self) -> int:
        """How many lines are in the new text alone."""
        return sum(line.startswith("+") for line in self.lines)

    @property
    def removed(self) -> int:
        """How many lines are in the old text alone."""
        return sum(line.startswith("-") for line in self.lines)


@dataclass(frozen=True)
class SchemaDiff:
    """What changed between two versions of one operator."""

    domain: str
    operator: str
    old_version: int
    new_version: int
    deprecated: bool
    inputs: PartDiff[Formal]
    outputs: PartDiff[Formal]
    attributes: PartDiff[FormalAttribute]
    type_constraints: PartDiff[Constraint]
    description: TextDiff

    @property
    def breaking_reasons(self) -> tuple[str, ...]:
        """Why the new version breaks models of the old one; none if it does not."""
        parts = (self.inputs, self.outputs, self.attributes, self.type_constraints)
        own = ("the operator is deprecated",) if self.deprecated else ()
        return (*own, *(reason for part in parts for reason in part.breaking_reasons))

    @property
    def breaking(self) -> bool:
        """Whether the new version breaks models of the old one."""
        return bool(self.breaking_reasons)


def compare(old: OperatorSchema, new: OperatorSchema) -> SchemaDiff:
    """What changed from one version of an operator to another, whichever is the later."""
    return SchemaDiff(
        new.domain,
        new.operator,
        old.since_version,
        new.since_version,
        new.deprecated and not old.deprecated,
        _formals("input", old.inputs, new.inputs),
        _formals("output", old.outputs, new.outputs),
        _attributes(old.attributes, new.attributes),
        _constraints(old.type_constraints, new.type_constraints),
        TextDiff(old.description, new.description),
    )


def _formals(kind: str, old: Sequence[Formal], new: Sequence[Formal]) -> PartDiff[Formal]:
    """Inputs or outputs; nodes give them by position, so that a new name alone breaks nothing."""
    pairs = _paired(old, new)
    kept_old, kept_new = {a.name for a, _ in pairs}, {b.name for _, b in pairs}
    added = tuple(b for b in new if b.name not in kept_new)
    removed = tuple(a for a in old if a.name not in kept_old)
    changed = [change for a, b in pairs for change in _formal_changes(kind, a, b, old, new)]
    reasons = [f"{kind} '{a.name}' removed" for a in removed]
    reasons += [f"required {kind} '{b.name}' added" for b in added if _least(b)]
    return PartDiff(added, removed, tuple(changed), _reworded(pairs), tuple(reasons))


def _paired(old: Sequence[Formal], new: Sequence[Formal]) -> list[tuple[Formal, Formal]]:
    """What is the same input or output in both: by name, else by position where both are left."""
    by_name = {b.name: b for b in new}
    names = {a.name for a in old}
    pairs = []
    for position, a in enumerate(old):
        if a.name in by_name:
            pairs.append((a, by_name[a.name]))
        elif position < len(new) and new[position].name not in names:
            pairs.append((a, new[position]))
    return pairs


def _least(formal: Formal) -> int:
    """How many values a node must at least give for a formal part."""
    return {"single": 1, "optional": 0, "variadic": formal.min_arity}[formal.option]


def _formal_changes(
    kind: str, a: Formal, b: Formal, old: Sequence[Formal], new: Sequence[Formal]
) -> Iterator[Change]:
    where = f"{kind} '{a.name}'"
    if a.name != b.name:
        yield Change(a.name, "name", a.name, b.name)
    if (at := old.index(a)) != (now_at := new.index(b)):
        yield Change(a.name, "position", at, now_at, f"{where}: position changed {at} → {now_at}")
    if a.type_str != b.type_str:
        reason = f"{where}: type_str changed '{a.type_str}' → '{b.type_str}'"
        yield Change(a.name, "type_str", a.type_str, b.type_str, reason)
    if a.option != b.option:
        narrower = _least(b) > _least(a) or a.option == "variadic"
        reason = f"{where}: option changed {a.option} → {b.option}" if narrower else ""
        yield Change(a.name, "option", a.option, b.option, reason)
    elif a.min_arity != b.min_arity:
        raised = b.min_arity > a.min_arity
        reason = f"{where}: min_arity raised {a.min_arity} → {b.min_arity}" if raised else ""
        yield Change(a.name, "min_arity", a.min_arity, b.min_arity, reason)
    if a.homogeneous != b.homogeneous:
        reason = f"{where}: all must now have one type" if b.homogeneous else ""
        yield Change(a.name, "homogeneous", a.homogeneous, b.homogeneous, reason)


def _attributes(
    old: Sequence[FormalAttribute], new: Sequence[FormalAttribute]
) -> PartDiff[FormalAttribute]:
    added, removed, pairs = _by_name(old, new)
    changed = [change for a, b in pairs for change in _attribute_changes(a, b)]
    reasons = [f"attribute '{a.name}' removed" for a in removed]
    reasons += [f"required attribute '{b.name}' added" for b in added if b.required]
    return PartDiff(added, removed, tuple(changed), _reworded(pairs), tuple(reasons))


def _attribute_changes(a: FormalAttribute, b: FormalAttribute) -> Iterator[Change]:
    where = f"attribute '{a.name}'"
    if a.type != b.type:
        yield Change(a.name, "type", a.type, b.type, f"{where}: type changed {a.type} → {b.type}")
    if a.required != b.required:
        reason = f"{where}: now required" if b.required else ""
        yield Change(a.name, "required", a.required, b.required, reason)
    if repr(a.default) != repr(b.default):
        # Where the old version had the attribute spelled out, no node relies on the default.
        reason = f"{where}: default changed {a.default!r} → {b.default!r}"
        breaks = not a.required and not b.required
        yield Change(a.name, "default", a.default, b.default, reason if breaks else "")


def _constraints(old: Sequence[Constraint], new: Sequence[Constraint]) -> PartDiff[Constraint]:
    added, removed, pairs = _by_name(old, new)
    changed = []
    for a, b in pairs:
        if set(a.types) != set(b.types):
            gone = [t for t in a.types if t not in b.types]
            reason = f"type constraint '{a.name}': types removed {', '.join(gone)}" if gone else ""
            changed.append(Change(a.name, "types", a.types, b.types, reason))
    reasons = tuple(f"type constraint '{a.name}' removed" for a in removed)
    return PartDiff(added, removed, tuple(changed), _reworded(pairs), reasons)


def _by_name(
    old: Sequence[Entry], new: Sequence[Entry]
) -> tuple[tuple[Entry, ...], tuple[Entry, ...], list[tuple[Entry, Entry]]]:
    """What is in the new alone, in the old alone, and in both."""
    olds, news = {a.name: a for a in old}, {b.name: b for b in new}
    return (
        tuple(b for b in new if b.name not in olds),
        tuple(a for a in old if a.name not in news),
        [(a, news[a.name]) for a in old if a.name in news],
    )


def _reworded(pairs: Sequence[tuple[Entry, Entry]]) -> tuple[Rewording, ...]:
    return tuple(Rewording(a.name, a.says, b.says) for a, b in pairs if a.says != b.says)
