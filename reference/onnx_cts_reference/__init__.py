"""What the right answer is: number formats, exact arithmetic, kernels and readings."""

from typing import TYPE_CHECKING, Any

from onnx_cts_reference.errors import (
    BrokenRuleError,
    CallError,
    EvaluationError,
    OpenQuestionError,
    RefusedError,
)
from onnx_cts_reference.evaluation import evaluate
from onnx_cts_reference.expected import Expected

if TYPE_CHECKING:
    from onnx_cts_reference.operators import op_class, ops

__all__ = [
    "BrokenRuleError",
    "CallError",
    "EvaluationError",
    "Expected",
    "OpenQuestionError",
    "RefusedError",
    "evaluate",
    "op_class",
    "ops",
]


def __getattr__(name: str) -> Any:
    # On demand: importing onnx takes longer than most commands.
    if name in {"op_class", "ops"}:
        from onnx_cts_reference import operators

        return getattr(operators, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
