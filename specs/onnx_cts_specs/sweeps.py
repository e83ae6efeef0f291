"""Sweeps: whole domains of the inputs of an operator, described in data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from onnx_cts_specs import source
from onnx_cts_specs.locations import domain_name, specs_folder, sweeps_schema_path
from onnx_cts_specs.model import AttributeValue, Spec
from onnx_cts_specs.schema import check_schema, frozen, made

EVERY = "every"
ABSENT = "absent"

Values = str | tuple[float | str, ...]
"""The values of an input, as ``sweeps.schema.json`` explains them."""


@dataclass(frozen=True)
class Layout:
    """How parameters lie beside data of the shape [rows, columns].

    Attributes:
        granularity: The granularity, as the specs name it.
        attributes: Attributes that the node gives; those that a version lacks are left out.
    """

    granularity: str
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Sweep:
    """A domain of an operator; ``sweeps.schema.json`` explains each field."""

    name: str
    says: str
    inputs: Mapping[str, Values]
    named: bool = False
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    attributes: Mapping[str, tuple[AttributeValue, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Sweeps:
    """The sweeps of an operator, in the order of their file.

    Attributes:
        layouts: How parameters lie; the first whose granularity a version has.
        sweeps: The sweeps.
    """

    layouts: tuple[Layout, ...]
    sweeps: tuple[Sweep, ...]

    def layout(self, *specs: Spec) -> Layout | None:
        """The layout of versions of the operator; None where they share no granularity of them."""
        known = [{granularity.name for granularity in spec.granularities} for spec in specs]
        return next(
            (one for one in self.layouts if all(one.granularity in names for names in known)), None
        )


@cache
def sweeps_of(operator: str, domain: str = "") -> Sweeps | None:
    """The sweeps of an operator; None where it has no file of them.

    Raises:
        SpecError: The file is at fault.
    """
    path = sweeps_path(operator, domain)
    return load_sweeps(path) if path.is_file() else None


def sweeps_path(operator: str, domain: str = "") -> Path:
    """Where the sweeps of an operator are, if it has any."""
    return specs_folder() / domain_name(domain) / operator / "sweeps.yaml"


def load_sweeps(path: Path) -> Sweeps:
    """Read a file of sweeps.

    Raises:
        SpecError: It does not follow the schema, or has two sweeps of one name.
    """
    origin = source.read(path)
    check_schema(origin, sweeps_schema_path())
    found: dict[str, Sweep] = {}
    for index, entry in enumerate(origin.data["sweeps"]):
        sweep = made(Sweep, entry)
        if sweep.name in found:
            place = ("sweeps", index, "name")
            raise origin.error(place, f"there are two sweeps {sweep.name}", "name one otherwise")
        found[sweep.name] = sweep
    layouts = tuple(made(Layout, frozen(entry)) for entry in origin.data["layouts"])
    return Sweeps(layouts, tuple(found.values()))
