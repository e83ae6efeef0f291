from __future__ import annotations

from pathlib import Path

import pytest
from harness_suites import SuiteBuilder


@pytest.fixture
def builder(tmp_path: Path) -> SuiteBuilder:
    return SuiteBuilder(tmp_path / "suite")
