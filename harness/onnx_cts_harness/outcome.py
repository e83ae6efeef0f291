"""What a backend did with one case, before anyone judges it."""

from __future__ import annotations

from dataclasses import dataclass

from onnx_cts_harness.tensor import Tensor


@dataclass(frozen=True)
class Outputs:
    """The model ran and gave these tensors, in the order of the graph's outputs."""

    tensors: tuple[Tensor, ...]


@dataclass(frozen=True)
class Refused:
    """The backend raised: at this stage, an exception of this class, with this first line.

    The kind is what a rule of the adapter makes of it; "" where none fits.
    """

    stage: str
    error: str
    message: str
    kind: str = ""


@dataclass(frozen=True)
class NotRunnable:
    """The backend cannot be fed or read in the types of the case."""

    reason: str


@dataclass(frozen=True)
class Crashed:
    """The worker died: how (signal or exit code), and its last lines on standard error."""

    how: str
    stderr: tuple[str, ...]


@dataclass(frozen=True)
class TimedOut:
    """No answer within the timeout in seconds; the last lines on standard error."""

    seconds: float
    stderr: tuple[str, ...]


@dataclass(frozen=True)
class Broken:
    """The adapter did not keep to its protocol: nothing is known about the backend."""

    message: str


Outcome = Outputs | Refused | NotRunnable | Crashed | TimedOut | Broken
