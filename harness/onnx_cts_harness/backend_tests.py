"""Our suite, or any folder of cases, as unittest classes, in the way of ONNX's own ``BackendTest``.

Who has ``backend_test = onnx.backend.test.BackendTest(Backend, __name__)`` writes instead::

    backend_test = onnx_cts_harness.backend_test(Backend, __name__)
    backend_test.exclude("float8")
    globals().update(backend_test.test_cases)
"""

from __future__ import annotations

import re
import sys
import unittest
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

from onnx_cts_harness import layout
from onnx_cts_harness.backend import DEFAULT_TIMEOUT, Backend, BackendSpec
from onnx_cts_harness.case import LoadedCase
from onnx_cts_harness.classic import open_folder
from onnx_cts_harness.errors import CaseError
from onnx_cts_harness.lines import finding, result_line
from onnx_cts_harness.registry import backend_api, resolve
from onnx_cts_harness.run import Run
from onnx_cts_harness.suite import CaseEntry, Suite
from onnx_cts_harness.verify import Result

if TYPE_CHECKING:
    import onnx

#: The device is part of the names, since patterns that users have may end with it.
DEVICE = "cpu"
SPELLED = {"pytorch": "PyTorch"}

Method = Callable[[unittest.TestCase], None]


@dataclass
class _Item:
    """One test: the cases of one folder, and the model that a coverage report asks for."""

    entries: list[CaseEntry] = field(default_factory=list)
    model: list[onnx.ModelProto | None] = field(default_factory=lambda: [None])


class BackendTest:
    """Tests of a backend, each in the backend's worker process.

    A case that the backend refuses, or cannot be fed, is skipped.
    """

    def __init__(
        self,
        backend: type | ModuleType | str,
        parent_module: str | None = None,
        test_kwargs: Mapping[str, Mapping[str, float]] | None = None,
        *,
        suite: Path | str | None = None,
        python: Path | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        """Open the suite; the backend is started by the first test.

        Args:
            backend: A class or module of ONNX's Backend API, or a name that ``onnx-cts run`` takes.
            parent_module: The module that the classes are to be of.
            test_kwargs: ``rtol`` and ``atol`` of tests, by the name without the device, where
                tolerance judges.
            suite: A suite, or a folder of cases in ONNX's classic layout; None for our core suite.
            python: Interpreter of the environment that has the runtime; None for this one.
            timeout: Seconds that one case may take.

        Raises:
            SuiteError: The suite cannot be used.
            BackendError: There is no backend of this name.
            TypeError: The class cannot be imported by its name, or ``test_kwargs`` is not known.
        """
        given = {key for kwargs in (test_kwargs or {}).values() for key in kwargs}
        if unknown := sorted(given - {"rtol", "atol"}):
            raise TypeError(f"test_kwargs takes rtol and atol, and nothing named {unknown[0]}")
        folder = _core_suite() if suite is None else Path(suite)
        self._session = _Session(_spec(backend), open_folder(folder), python, timeout)
        self._parent_module = parent_module
        self._kwargs = dict(test_kwargs or {})
        self._include: list[re.Pattern[str]] = []
        self._exclude: list[re.Pattern[str]] = []
        self._xfail: list[re.Pattern[str]] = []
        self._report = False
        self._items: dict[str, dict[str, _Item]] = {}
        for entry in self._session.suite.entries.values():
            category, name = _placed(entry)
            self._items.setdefault(category, {}).setdefault(name, _Item()).entries.append(entry)

    def include(self, pattern: str) -> Self:
        """Skip all tests but those whose name this, or another such pattern, is found in."""
        self._include.append(re.compile(pattern))
        return self

    def exclude(self, pattern: str) -> Self:
        """Skip the tests whose name this pattern is found in."""
        self._exclude.append(re.compile(pattern))
        return self

    def xfail(self, pattern: str) -> Self:
        """Expect the tests to fail whose name this pattern is found in."""
        self._xfail.append(re.compile(pattern))
        return self

    def enable_report(self) -> Self:
        """Mark the tests for the coverage report of ``onnx.backend.test.report``."""
        self._report = True
        return self

    @property
    def test_cases(self) -> dict[str, type[unittest.TestCase]]:
        """The classes by name, for ``globals().update(backend_test.test_cases)``."""
        found = {}
        for category, items in self._items.items():
            name = f"OnnxBackend{category}Test"
            found[name] = self._test_case(name, {category: items})
        return found

    @property
    def test_suite(self) -> unittest.TestSuite:
        """All tests, for ``unittest.TextTestRunner().run(backend_test.test_suite)``."""
        load = unittest.defaultTestLoader.loadTestsFromTestCase
        return unittest.TestSuite(load(self.test_cases[name]) for name in sorted(self.test_cases))

    @property
    def tests(self) -> type[unittest.TestCase]:
        """One class with all tests."""
        return self._test_case("OnnxBackendTest", self._items)

    def _test_case(
        self, name: str, categories: Mapping[str, Mapping[str, _Item]]
    ) -> type[unittest.TestCase]:
        members: dict[str, Any] = {"tearDownClass": classmethod(lambda _: self._session.close())}
        if self._parent_module:
            members["__module__"] = self._parent_module
        for category, items in categories.items():
            for test, item in sorted(items.items()):
                members[f"{test}_{DEVICE}"] = self._method(category, test, item)
        return type(name, (unittest.TestCase,), members)

    def _method(self, category: str, test: str, item: _Item) -> Method:
        name = f"{test}_{DEVICE}"

        def adapted(loaded: LoadedCase) -> LoadedCase:
            return _adapted(loaded, self._kwargs.get(test, {}), item)

        def method(case: unittest.TestCase) -> None:
            run = self._session.run()
            _check(case, [run.result(entry, adapted) for entry in item.entries])

        method.__name__ = method.__qualname__ = name
        if self._report:
            import pytest

            method = pytest.mark.onnx_coverage(item.model, category)(method)
        if self._include and not any(pattern.search(name) for pattern in self._include):
            method = unittest.skip("no matched include pattern")(method)
        for pattern in self._exclude:
            if pattern.search(name):
                method = unittest.skip(f'matched exclude pattern "{pattern.pattern}"')(method)
        if any(pattern.search(name) for pattern in self._xfail):
            method = unittest.expectedFailure(method)
        return method


#: The spelling that reads well where users replace ONNX's class: a call that gives tests.
backend_test = BackendTest


class _Session:
    """The suite and the backend, which runs while tests need it."""

    def __init__(
        self, spec: BackendSpec, suite: Suite, python: Path | None, timeout: float
    ) -> None:
        self.suite = suite
        self._start: Callable[[], Backend] = lambda: Backend(spec, python=python, timeout=timeout)
        self._run: Run | None = None

    def run(self) -> Run:
        if self._run is None:
            self._run = Run(self.suite, self._start())
        return self._run

    def close(self) -> None:
        if self._run is not None:
            self._run.backend.close()
            self._run = None


def _adapted(loaded: LoadedCase, kwargs: Mapping[str, float], item: _Item) -> LoadedCase:
    """A case with the tolerance that the user gives its test; its model is kept for the report."""
    import onnx

    item.model[0] = onnx.ModelProto.FromString(loaded.model)
    if loaded.tolerance is None:
        return loaded
    return replace(loaded, tolerance=replace(loaded.tolerance, **kwargs))


def _check(case: unittest.TestCase, results: list[Result]) -> None:
    """Say what the cases of one test showed, as a test does."""
    failed = [result_line(result) for result in results if result.verdict.is_failure]
    if failed:
        case.fail("\n".join(failed))
    for result in results:
        if result.verdict.is_error:
            raise CaseError(result.message)
    if all(result.verdict.is_unsupported for result in results):
        case.skipTest(f"{results[0].verdict}: {finding(results[0])}")


def _placed(entry: CaseEntry) -> tuple[str, str]:
    """The category and the name of the test that a case belongs to."""
    parts = entry.id.split("/")
    if parts[-1].startswith(layout.DATA_SETS):
        parts = parts[:-1]
    start = layout.PREFIXES["value"]
    name = parts[-1].removeprefix(start)
    if len(parts) == 4 and "/".join(parts[:3]) == layout.version_folder(
        entry.domain, entry.operator, entry.version
    ):
        return "NodeModel", f"{start}{entry.operator.lower()}_{parts[2]}_{name}"
    kind = parts[0] if len(parts) > 1 else "node"
    words = re.findall("[a-zA-Z0-9]+", kind)
    return "".join(SPELLED.get(w, w.capitalize()) for w in words) + "Model", f"{start}{name}"


def _spec(backend: type | ModuleType | str) -> BackendSpec:
    if isinstance(backend, str):
        return resolve(backend)
    name, attribute = backend.__name__, ""
    if isinstance(backend, type):
        name, attribute = backend.__module__, backend.__qualname__
        if "." in attribute:
            raise TypeError(
                f"the backend {attribute} is defined inside of something; define it at the top of "
                "a module, so that the worker process can import it"
            )
    file = Path(getattr(sys.modules[name], "__file__", None) or "<none>").absolute()
    if name == "__main__":
        # The worker is another program: it knows the module by the name of its file.
        name = file.stem
    depth = name.count(".") + (file.stem == "__init__")
    return backend_api(f"{name}:{attribute}" if attribute else name, file.parents[depth])


def _core_suite() -> Path:
    # The one thing that the harness asks of the generator, by name, so that it needs none to run.
    cache = import_module("onnx_cts_generator.cache")
    folder: Path = cache.cached_suite(lambda files, _: files)
    return folder
