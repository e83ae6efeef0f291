"""The pytest plugin: runs the modules that come with a suite on the backend of ``--backend``.

pytest loads this module in every project whose environment has it, so it imports the rest of the
package only where a test asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onnx_cts_harness import layout

if TYPE_CHECKING:
    from onnx_cts_harness.backend import Backend, BackendSpec
    from onnx_cts_harness.run import Run
    from onnx_cts_harness.suite import Suite
    from onnx_cts_harness.verify import Result

MARKERS = (
    "operator(name): the operator under test",
    "version(since): the opset that introduced the operator's version",
    "dtype(**by_name): element type of each input and output",
    "granularity(name): such as per-tensor",
    "expectation(name): value, reject or open",
    "feature(name): such as version-difference",
)
FIXTURE = "conformance"
CASES = tuple(layout.PREFIXES.values())
PLAN = pytest.StashKey["Plan"]()


@dataclass(frozen=True)
class Plan:
    """What the selected tests need: the backend to start, and each suite by its folder."""

    spec: BackendSpec
    suites: Mapping[Path, Suite]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("onnx-cts", "ONNX conformance")
    group.addoption("--backend", metavar="NAME", help="the backend to run the suite on")
    group.addoption(
        "--backend-python",
        metavar="PATH",
        type=Path,
        help="the Python of the environment that has the backend's runtime",
    )
    group.addoption(
        "--backend-timeout",
        metavar="SECONDS",
        type=float,
        help="what one case may take (default: 30)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the folders of cases: there are thousands, and no tests in them."""
    if not collection_path.name.startswith(CASES):
        return None
    # Both, since a folder of somebody's tests may have a file of that name.
    of_case = (layout.CASE, layout.MODEL)
    return all((collection_path / name).is_file() for name in of_case) or None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Stop with one error, not one a test, if the tests cannot run as they were asked to."""
    folders = {_suite_folder(item.path) for item in session.items if FIXTURE in _fixtures(item)}
    if not folders or session.config.option.collectonly:
        return
    name = session.config.option.backend
    if name is None:
        raise pytest.UsageError(
            "these tests need a backend: pytest --backend NAME, such as --backend onnxruntime"
        )
    from onnx_cts_harness.errors import HarnessError
    from onnx_cts_harness.registry import resolve
    from onnx_cts_harness.suite import open_suite

    try:
        suites = {folder: open_suite(folder) for folder in folders}
        session.config.stash[PLAN] = Plan(resolve(name), suites)
    except HarnessError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.fixture(scope="session")
def conformance_backend(pytestconfig: pytest.Config) -> Iterator[Backend]:
    """The backend, started; one for the whole session."""
    from onnx_cts_harness.backend import DEFAULT_TIMEOUT, Backend
    from onnx_cts_harness.errors import BackendError

    option = pytestconfig.option
    spec = pytestconfig.stash[PLAN].spec
    timeout = option.backend_timeout or DEFAULT_TIMEOUT
    try:
        backend = Backend(spec, python=option.backend_python, timeout=timeout)
    except BackendError as error:
        pytest.exit(str(error), pytest.ExitCode.USAGE_ERROR)
    with backend:
        yield backend


@pytest.fixture
def conformance(
    request: pytest.FixtureRequest, conformance_backend: Backend
) -> Callable[[str], None]:
    """A function that runs a case of the suite around the test module, by the case's id."""
    from onnx_cts_harness.run import Run

    suite = request.config.stash[PLAN].suites[_suite_folder(request.path)]
    run = Run(suite, conformance_backend)
    return lambda case: _check(run, case)


def _check(run: Run, case: str) -> None:
    __tracebackhide__ = True
    from onnx_cts_harness.errors import BackendError, CaseError
    from onnx_cts_harness.lines import finding, result_line

    entry = run.suite.entries.get(case)
    if entry is None:
        raise CaseError(f"the suite has no case {case}; generate the suite again")
    try:
        result = run.result(entry)
    except BackendError as error:
        pytest.exit(str(error), pytest.ExitCode.TESTS_FAILED)
    if result.verdict.is_error:
        raise CaseError(result.message)
    if result.verdict.is_unsupported:
        pytest.skip(f"{result.verdict}: {finding(result)}")
    if result.verdict.is_failure:
        pytest.fail("\n".join([result_line(result), *_stderr(result)]), pytrace=False)


def _stderr(result: Result) -> list[str]:
    return [f"  stderr: {line}" for line in result.stderr]


def _fixtures(item: pytest.Item) -> list[str]:
    names: list[str] = getattr(item, "fixturenames", [])
    return names


@cache
def _suite_folder(module: Path) -> Path:
    for folder in module.parents:
        if (folder / layout.MANIFEST).is_file():
            return folder
    name = layout.MANIFEST
    raise pytest.UsageError(f"{module}: no folder above it is a suite (none has a {name})")
