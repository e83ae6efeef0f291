"""Cases that tell a version from its neighbours: one call, put to both versions.

What became legal is refused before and accepted after; what changed its meaning has two answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from onnx_cts_generator.case import Case, Node
from onnx_cts_generator.factors import PRESENTATION, Row, factors_of
from onnx_cts_generator.models import function_body
from onnx_cts_generator.undecided import open_case, reject_case
from onnx_cts_generator.values import name_of
from onnx_cts_generator.version_differences import Difference, differences, neighbours
from onnx_cts_specs import Spec

FEATURE = "version-difference"
OTHER = "differs-from"
"""The feature that names the version beside; its case has the same node and the same inputs."""


@dataclass(frozen=True)
class ToldApart:
    """What tells a version from its neighbours.

    Attributes:
        rows: The rows of value cases.
        versions: For the values of each row the versions that judge its call otherwise.
        undecided: Reject and open cases.
    """

    rows: tuple[Row, ...]
    versions: Mapping[tuple[str, ...], Sequence[int]]
    undecided: tuple[Case, ...]

    def beside(self, rows: Sequence[Row]) -> Iterator[Row]:
        """The rows of value cases that are not among others."""
        return (row for row in self.rows if row not in rows)

    def features(self, row: Row) -> tuple[str, ...]:
        """What the value case of a row has to say of it: nothing where it is no such row."""
        versions = self.versions.get(tuple(row.values()))
        return features_of(versions) if versions else ()

    def merged(self, cases: Iterable[Case]) -> Iterator[Case]:
        """Reject and open cases; what is there for the same reason is taken together.

        Such a case keeps its name, and has the call that the neighbour judges otherwise.
        """
        left = list(self.undecided)
        for case in cases:
            twin = next((one for one in left if _has_same_reason(one, case)), None)
            if twin is None:
                yield case
            else:
                left.remove(twin)
                yield replace(twin, name=case.name)
        yield from left


def features_of(versions: Iterable[int]) -> tuple[str, ...]:
    """The features of a case that tells its version from others."""
    return (FEATURE, *(f"{OTHER}:{version}" for version in versions))


def told_apart(spec: Spec) -> ToldApart:
    """The cases of a version that tell it from its neighbours."""
    rows: dict[tuple[str, ...], Row] = {}
    versions: dict[tuple[str, ...], list[int]] = defaultdict(list)
    undecided = []
    for other in neighbours(spec):
        valid = [difference.row for difference in _between(spec, other)]
        for difference in _between(other, spec):
            if difference.other_row:
                valid.append(difference.other_row)
            else:
                undecided.append(_undecided(difference))
        for row in valid:
            rows.setdefault(tuple(row.values()), row)
            versions[tuple(row.values())].append(other.since_version)
    return ToldApart(tuple(rows.values()), versions, tuple(undecided))


def _between(spec: Spec, other: Spec) -> tuple[Difference, ...]:
    return differences(spec.operator, spec.domain, spec.since_version, other.since_version)


def _undecided(difference: Difference) -> Case:
    """What is valid by the other version, as a case of the one that judges it otherwise."""
    other = difference.node.spec
    factors = factors_of(other)
    plain = factors.plain()
    row = {n: plain[n] if n in PRESENTATION else v for n, v in difference.row.items()}
    label = f"as_in_v{other.since_version}_{name_of(other, row, factors)}"
    make = reject_case if difference.judgement.broken else open_case
    features = features_of([other.since_version])
    return make(difference.as_other, difference.judgement, label, *features)


def _has_same_reason(case: Case, other: Case) -> bool:
    """Whether one of two cases of a version is enough.

    They break the same rules by the same types and attributes, or raise one question of the same
    types.
    """
    if case.rules != other.rules:
        return False
    if case.expectation == "reject":
        unknown = _unknown(case.node)
        return bool(unknown) and unknown == _unknown(other.node)
    # With a function body in its place, the other is presented a second time.
    spec = other.node.spec
    is_function = function_body(spec.domain, spec.operator, spec.since_version)
    return not is_function and _types(case.node) == _types(other.node)


def _types(node: Node) -> set[tuple[str, str]]:
    """The types of the inputs that a node has, each with what its input may be."""
    return {(node.spec.input(name).type, v.format.name) for name, v in node.inputs.items()}


def _unknown(node: Node) -> set[tuple[str, str]]:
    """The types and attributes of a node that its version does not know."""
    known = {attribute.name for attribute in node.spec.attributes}
    types = {(name, t) for name, t in _types(node) if t not in node.spec.types(name)}
    return types | {(name, "") for name in node.given if name not in known}
