"""A backend that is asked case by case, and started anew where it dies too often."""

from __future__ import annotations

from collections.abc import Container
from typing import Self, Unpack

from onnx_cts_generator.case import Case
from onnx_cts_generator.judged import loaded_case
from onnx_cts_harness.attempt import attempt, judge
from onnx_cts_harness.backend import Backend, Options
from onnx_cts_harness.errors import BackendError
from onnx_cts_harness.registry import resolve
from onnx_cts_harness.verify import Result


class Asked:
    """A started backend; a context manager, which ends its worker."""

    def __init__(self, name: str, **options: Unpack[Options]) -> None:
        """Start the backend.

        Raises:
            BackendError: The backend is unknown or cannot be started.
        """
        self._spec, self._options = resolve(name), options
        self.backend = Backend(self._spec, **options)

    def __enter__(self) -> Self:
        """The backend itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the worker."""
        self.backend.close()

    def result(self, case: Case, among: Container[str] | None) -> Result:
        """Run a case and judge it, as ``onnx-cts run`` does.

        Args:
            case: The case.
            among: Names of the deviations that a diagnosis tries; None for all.

        Raises:
            BackendError: The backend can no longer be started.
        """
        entry, loaded = loaded_case(case)
        try:
            return judge(entry, loaded, attempt(self.backend, loaded), among)
        except BackendError:
            # It died many times in a row, as it must while a crash is shrunk.
            self.backend.close()
            self.backend = Backend(self._spec, **self._options)
            return judge(entry, loaded, attempt(self.backend, loaded), among)
