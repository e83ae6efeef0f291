"""The parent's side of ``onnx.version_converter``: hands it models of cases, one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from onnx_cts_harness.backend import Backend, BackendSpec
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.outcome import Outcome, Outputs
from onnx_cts_harness.protos import opset_of
from onnx_cts_harness.text import first_line

NAME = "onnx.version_converter"
ADAPTER = Path(__file__).with_name("version_converter.py")


@dataclass(frozen=True)
class Converted:
    """A case with its model converted.

    Attributes:
        loaded: The case with the converted model. The model holds what was external data.
        rejected: Why ``onnx.checker`` rejects the converted model, one line; "" if it does not, or
            if it rejects the model before it was converted.
        invalid: The same, whatever it says of the model before.
    """

    loaded: LoadedCase
    rejected: str
    invalid: str


class Converter:
    """``onnx.version_converter`` in worker processes, each started again after a crash.

    Attributes:
        name: What it is.
        opset: The opset of ONNX's own domain that it converts to.
        version: The version of onnx.
    """

    name = NAME

    def __init__(self, opset: int, timeout: float, workers: int) -> None:
        """Start the first worker, in the Python of this process.

        Args:
            opset: The opset of ONNX's own domain to convert to.
            timeout: Seconds that one model may take.
            workers: Number of models that can be converted at the same time.

        Raises:
            BackendError: The installed onnx has no such opset, or the worker cannot be started.
        """
        import onnx

        newest = onnx.defs.onnx_opset_version()
        if not 1 <= opset <= newest:
            raise BackendError(
                f"{NAME} of onnx {onnx.__version__} converts to the opsets 1 to {newest}, and not "
                f"to {opset}"
            )
        self.opset = opset
        spec = BackendSpec(NAME, None, ADAPTER, str(opset))
        self._backend = Backend(spec, timeout=timeout, workers=workers)
        self.version = self._backend.identity.version

    def close(self) -> None:
        """End the workers; more than once does no harm."""
        self._backend.close()

    def source(self, loaded: LoadedCase) -> int | None:
        """The opset of a case's model; None if it is the one to convert to, or there is none."""
        import onnx

        opset = opset_of(onnx.ModelProto.FromString(loaded.model))
        return None if opset == self.opset else opset

    def convert(self, loaded: LoadedCase) -> Converted | Outcome:
        """Convert the model of a case.

        Returns:
            The case with its converted model; or what came of it if there is none.

        Raises:
            BackendError: The worker cannot go on.
        """
        bare = replace(loaded, case=replace(loaded.case, inputs=()), inputs=())
        outcome = self._backend.run(bare)
        if not isinstance(outcome, Outputs):
            return outcome
        model, before, after = (tensor.data for tensor in outcome.tensors)
        invalid = first_line(after.decode())
        rejected = "" if before else invalid
        return Converted(replace(loaded, model=model, files={}), rejected, invalid)
