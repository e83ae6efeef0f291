"""The composite action: its steps, run by the shell as a runner of GitHub does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import REFUSES, RETURNS_ITS_INPUT, onnx_cts
from html_pages import data_of

ACTION = yaml.safe_load((Path(__file__).parents[2] / "action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
DEFAULTS = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()}


class Job:
    """A job of one step after another in a folder, with the files that a runner gives it."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self.folder = folder
        self.inputs = DEFAULTS | inputs
        self.files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}

    def step(self, name: str) -> subprocess.CompletedProcess[str]:
        environment = {key: self._value(text) for key, text in STEPS[name]["env"].items()}
        files = {name: str(file) for name, file in self.files.items()}
        command = Path(sys.executable).parent
        path = {"PATH": f"{command}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", STEPS[name]["run"]],
            cwd=self.folder, env=os.environ | environment | files | path,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def _value(self, text: str) -> str:
        def value(match: re.Match[str]) -> str:
            source, name = match[1].rsplit(".", 1)
            return self.inputs[name] if source == "inputs" else self.outputs[name]

        return re.sub(r"\$\{\{ (\S+) \}\}", value, text)

    @property
    def outputs(self) -> dict[str, str]:
        rows = self.files["GITHUB_OUTPUT"].read_text("utf-8").splitlines()
        return dict(row.split("=", 1) for row in rows)

    @property
    def summary(self) -> str:
        return self.files["GITHUB_STEP_SUMMARY"].read_text("utf-8")


@pytest.fixture(autouse=True)
def needs_bash() -> None:
    if shutil.which("bash") is None:
        pytest.skip("needs bash")


@pytest.fixture(scope="module")
def cached(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A cache in which the suite that is run is already."""
    folder = tmp_path_factory.mktemp("cache")
    environment = {"XDG_CACHE_HOME": str(folder)}
    assert onnx_cts("run", REFUSES, "--version", 10, **environment).status == 0
    return environment


@pytest.fixture
def job(tmp_path: Path, cached: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Any:
    for name, value in cached.items():
        monkeypatch.setenv(name, value)
    return lambda **inputs: Job(tmp_path, shard="1/40", **inputs)


def test_each_input_that_a_step_reads_is_declared() -> None:
    text = str(ACTION["runs"])
    assert set(re.findall(r"inputs\.(\w+)", text)) == set(ACTION["inputs"])
    assert all("${{" not in step["run"] for step in STEPS.values())


def test_a_backend_that_does_nothing_wrong_passes_and_is_reported(job: Any) -> None:
    ran = job(backend=REFUSES)
    assert ran.step("Run").returncode == 0
    assert ran.outputs["record"] == "conformance/record-1-of-40.jsonl"
    assert ran.step("Report").returncode == 0
    assert "# ONNX conformance" in ran.summary
    folder = ran.folder / "conformance"
    page = (folder / "report.html").read_text("utf-8")
    assert data_of(page).index["backends"][0]["lacks"] != []
    assert (folder / "junit.xml").is_file()
    assert list((folder / "badges").rglob("*.json"))


def test_what_is_new_fails_the_job_and_is_annotated(job: Any) -> None:
    ran = job(backend=RETURNS_ITS_INPUT)
    done = ran.step("Run")
    assert done.returncode == 1
    assert "\n::error title=" in done.stdout
    assert ran.step("Report").returncode == 0
    assert "### Failures" in ran.summary


def test_what_is_expected_passes(job: Any) -> None:
    ran = job(backend=RETURNS_ITS_INPUT, expect="my expectations.yaml")
    ran.inputs["expect"] = ""
    ran.step("Run")
    ran.inputs["expect"] = "my expectations.yaml"
    record = ran.folder / ran.outputs["record"]
    out = ran.folder / "my expectations.yaml"
    assert onnx_cts("expect", record, "--out", out).status == 0
    done = ran.step("Run")
    assert (done.returncode, "::error" in done.stdout) == (0, False)


def test_a_case_that_became_worse_fails_the_comparison(job: Any) -> None:
    ran = job(backend=REFUSES, base="base.jsonl")
    ran.step("Run")
    (ran.folder / ran.outputs["record"]).rename(ran.folder / "base.jsonl")
    assert ran.step("Run").returncode == 0
    assert ran.step("Compare").returncode == 0
    ran.inputs["backend"] = RETURNS_ITS_INPUT
    ran.step("Run")
    done = ran.step("Compare")
    assert done.returncode == 1
    assert "::error title=" in done.stdout
    assert "## Worse" in ran.summary
