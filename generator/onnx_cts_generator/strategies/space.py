"""What can be drawn for a spec: its factors, and which of their values go together."""

from __future__ import annotations

from hypothesis import strategies as st

from onnx_cts_generator import factors as f
from onnx_cts_generator import probes
from onnx_cts_generator.constraints import prohibitions
from onnx_cts_generator.factors import Row, factors_of
from onnx_cts_generator.groups import groups_of
from onnx_cts_generator.strategies.shapes import chance
from onnx_cts_specs import Spec

_ONE_IN = 5
"""How often a row is a probe."""


class Space:
    """A spec with its factors; no dataclass, all of which Hypothesis would print.

    The parts of a draw are functions and no strategies for the same reason.

    Attributes:
        spec: The spec.
        factors: Its factors.
        shapes: Names of the factors of shapes, in place of which shapes are drawn.
        groups: The factors of types, values and presentation that are bound together.
        probes: Rows whose types and values show particular faults together.
    """

    def __init__(self, spec: Spec) -> None:
        """Find out which values of factors go together."""
        self.spec = spec
        self.factors = factors_of(spec)
        forbidden = list(prohibitions(spec, self.factors))
        shapes, *self.groups = groups_of(spec, self.factors, forbidden)
        self.shapes = frozenset(shapes.names)
        self.probes = [
            row
            for make in (
                probes.pattern_probes,
                probes.overflow_probes,
                probes.masking_probes,
                probes.scale_probes,
            )
            for row in make(spec, self.factors)
        ]

    def __repr__(self) -> str:
        return f"{self.spec.operator} {self.spec.since_version}"


def drawn_row(draw: st.DrawFn, space: Space) -> Row:
    """A value for each factor but those of shapes, and a granularity: all of them go together.

    Each is drawn from the values that what was drawn before it leaves possible, or all at once from
    the probes of a suite.
    """
    takes_probe = draw(chance(_ONE_IN))
    if takes_probe and space.probes:
        return draw(st.sampled_from(space.probes))
    row: dict[str, str] = {}
    for name, options in space.factors.values.items():
        if name in space.shapes:
            continue
        bound = [group for group in space.groups if name in group.names]
        possible = [v for v in options if all(g.admits({**row, name: v}) for g in bound)]
        row[name] = draw(st.sampled_from(possible))
    row[f.GRANULARITY] = draw(st.sampled_from(space.factors.values[f.GRANULARITY]))
    return row
