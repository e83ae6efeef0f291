"""What the right answer is: number formats, exact arithmetic, kernels and readings."""

from onnx_cts_reference.errors import (
    BrokenRuleError,
    CallError,
    EvaluationError,
    OpenQuestionError,
    RefusedError,
)
from onnx_cts_reference.evaluation import evaluate
from onnx_cts_reference.expected import Expected

__all__ = [
    "BrokenRuleError",
    "CallError",
    "EvaluationError",
    "Expected",
    "OpenQuestionError",
    "RefusedError",
    "evaluate",
]
