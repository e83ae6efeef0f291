from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The oracle and the legal types, which the tests of the reference keep.
sys.path.append(str(Path(__file__).parents[1] / "reference"))

from emitted import EmittedSuite

from onnx_cts_generator.cases import Chapter
from onnx_cts_generator.emit import SuiteFiles
from onnx_cts_generator.writing import write_suite
from onnx_cts_specs import all_specs


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> EmittedSuite:
    """The core suite of every operator version, generated once, to be read and never changed."""
    folder = tmp_path_factory.mktemp("core") / "suite"
    write_suite(SuiteFiles([Chapter(spec, "core") for spec in all_specs()]), folder)
    return EmittedSuite(folder)
