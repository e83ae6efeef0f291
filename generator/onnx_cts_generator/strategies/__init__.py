"""Hypothesis strategies that follow from a spec: calls, calls that break a rule, and models.

The specs say what there is to draw: types by the type constraints, granularities with the shapes of
their parameters, attributes by their roles, patterns of values by the roles of the inputs. What a
call is, valid or not, is never assumed; the rules and open questions of the spec judge each one.
"""

from onnx_cts_generator.strategies.calls import calls
from onnx_cts_generator.strategies.changed import broken_calls, open_calls
from onnx_cts_generator.strategies.models import models

__all__ = ["broken_calls", "calls", "models", "open_calls"]
