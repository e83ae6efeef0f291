"""The command line.

Heavy imports happen inside the commands, so that help and errors come at once.
"""

from __future__ import annotations

import signal
import threading
from typing import NoReturn

import click

from onnx_cts_generator.commands.adjudicate import adjudicate
from onnx_cts_generator.commands.backends import backends, check_adapter, new_adapter
from onnx_cts_generator.commands.compare import compare
from onnx_cts_generator.commands.expect import expect
from onnx_cts_generator.commands.findings import findings
from onnx_cts_generator.commands.fuzz import fuzz
from onnx_cts_generator.commands.levels import levels
from onnx_cts_generator.commands.mutation import mutation
from onnx_cts_generator.commands.report import report
from onnx_cts_generator.commands.run import run
from onnx_cts_generator.commands.spec import spec
from onnx_cts_generator.commands.suite import generate
from onnx_cts_generator.commands.sweep import sweep
from onnx_cts_generator.commands.upstream import upstream


@click.group()
@click.version_option(package_name="onnx-cts")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Conformance tests of ONNX operators, for any runtime."""
    if threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGTERM, _end)
        # What was not installed from Python is not known.
        ctx.call_on_close(lambda: signal.signal(signal.SIGTERM, before or signal.SIG_DFL))


def _end(number: int, _frame: object) -> NoReturn:
    """End as by Ctrl-C when a job is cancelled: nothing is left half-written, and no worker."""
    raise SystemExit(128 + number)


for command in (
    spec,
    generate,
    run,
    backends,
    new_adapter,
    check_adapter,
    report,
    levels,
    compare,
    expect,
    findings,
    adjudicate,
    mutation,
    sweep,
    fuzz,
    upstream,
):
    main.add_command(command)
