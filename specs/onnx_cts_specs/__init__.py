"""What the standard says: specs of operator versions, their rules, and what they say of a call."""

from onnx_cts_specs.call import Call, Tensor
from onnx_cts_specs.catalog import all_specs, domains, operators, spec_for, versions
from onnx_cts_specs.errors import SpecError, UndefinedError, UnknownOperatorError
from onnx_cts_specs.judge import Judgement, judge, output_types
from onnx_cts_specs.load import load
from onnx_cts_specs.model import Answer, OpenQuestion, Reading, Rule, Spec

__all__ = [
    "Answer",
    "Call",
    "Judgement",
    "OpenQuestion",
    "Reading",
    "Rule",
    "Spec",
    "SpecError",
    "Tensor",
    "UndefinedError",
    "UnknownOperatorError",
    "all_specs",
    "domains",
    "judge",
    "load",
    "operators",
    "output_types",
    "spec_for",
    "versions",
]
