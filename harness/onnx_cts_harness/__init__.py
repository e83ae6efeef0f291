"""Suite x backend -> verdicts: suite reader, adapters, worker, run record and summary."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx_cts_harness.backend import Backend, BackendSpec, Identity
    from onnx_cts_harness.backend_tests import BackendTest, backend_test
    from onnx_cts_harness.classic import open_folder
    from onnx_cts_harness.errors import (
        BackendError,
        CaseError,
        ExpectationError,
        HarnessError,
        RecordError,
        SuiteError,
    )
    from onnx_cts_harness.record import Record, read_record
    from onnx_cts_harness.recording import RecordWriter, Selection
    from onnx_cts_harness.registry import known_names, resolve
    from onnx_cts_harness.run import Run, run_suite, start_run
    from onnx_cts_harness.suite import Suite, open_suite
    from onnx_cts_harness.summary import print_summary
    from onnx_cts_harness.verdicts import Verdict
    from onnx_cts_harness.verify import Result

_MODULES = {
    "backend": ("Backend", "BackendSpec", "Identity"),
    "backend_tests": ("BackendTest", "backend_test"),
    "classic": ("open_folder",),
    "errors": (
        "BackendError",
        "CaseError",
        "ExpectationError",
        "HarnessError",
        "RecordError",
        "SuiteError",
    ),
    "record": ("Record", "read_record"),
    "recording": ("RecordWriter", "Selection"),
    "registry": ("known_names", "resolve"),
    "run": ("Run", "run_suite", "start_run"),
    "suite": ("Suite", "open_suite"),
    "summary": ("print_summary",),
    "verdicts": ("Verdict",),
    "verify": ("Result",),
}

__all__ = [
    "Backend",
    "BackendError",
    "BackendSpec",
    "BackendTest",
    "CaseError",
    "ExpectationError",
    "HarnessError",
    "Identity",
    "Record",
    "RecordError",
    "RecordWriter",
    "Result",
    "Run",
    "Selection",
    "Suite",
    "SuiteError",
    "Verdict",
    "backend_test",
    "known_names",
    "open_folder",
    "open_suite",
    "print_summary",
    "read_record",
    "resolve",
    "run_suite",
    "start_run",
]


def __getattr__(name: str) -> Any:
    # On demand: pytest loads this package with the plugin in projects that use nothing of it.
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
