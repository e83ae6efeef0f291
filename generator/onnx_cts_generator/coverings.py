"""The covering array behind the value cases of an operator version."""

from __future__ import annotations

from functools import cache

from onnx_cts_generator import probes
from onnx_cts_generator.bases import bases
from onnx_cts_generator.covering import Covering, cover
from onnx_cts_generator.factors import factors_of
from onnx_cts_specs import spec_for

LEVELS = {"core": 2, "full": 3}
"""The levels of a suite, and the strength of the covering array of each."""


@cache
def covering_of(operator: str, domain: str, version: int, level: str) -> Covering:
    """The covering array of an operator version at a level.

    It begins with the calls from which reject and open cases differ, and with the probes.
    """
    spec = spec_for(operator, version, domain)
    factors = factors_of(spec)
    first = [base.row for base in bases(spec, factors)]
    for make in (
        probes.axis_probes,
        probes.presentations,
        probes.pattern_probes,
        probes.overflow_probes,
    ):
        first += make(spec, factors)
    masked = [*probes.scale_probes(spec, factors), *probes.masking_probes(spec, factors)]
    return cover(spec, LEVELS[level], first, masked)
