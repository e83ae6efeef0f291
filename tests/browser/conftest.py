"""A report of real runs, in a headless browser; all is left out where there is none."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from onnx_cts_generator.cli import main

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")

SUITE = Path(__file__).parents[2] / "generated_tests"
NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
HOSTILE = (
    "</script><script>document.body.innerHTML='gone'</script><img src=x onerror=\"alert('x')\">"
    "<b>&amp;&#34; `a` ]]> javascript:alert(1) \u202e " + "w" * 400
)


def onnx_cts(*arguments: object) -> None:
    """Run a command that must succeed."""
    result = CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="session")
def records(folder: Path) -> list[Path]:
    """The records of three backends on the suite as it is checked in."""
    made = []
    for backend in ("onnxruntime", "onnxruntime:optimized", "onnx-reference"):
        made.append(folder / f"{backend.replace(':', '-')}.jsonl")
        onnx_cts("run", backend, "--suite", SUITE, "--exit-zero", "--record", made[-1])
    return made


@pytest.fixture(scope="session")
def report(folder: Path, records: list[Path]) -> Path:
    """The report of those."""
    onnx_cts("report", *records, "--suite", SUITE, "--html", folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="session")
def hostile_report(folder: Path, records: list[Path]) -> Path:
    """The report of a backend all of whose texts are hostile, beside one that is not."""
    rows = [json.loads(line) for line in records[0].read_text("utf-8").splitlines()]
    for row in rows:
        if row["kind"] == "header":
            row["backend"] |= {"name": HOSTILE, "version": "<i>1</i>"}
        elif row["kind"] == "case":
            row |= {"message": HOSTILE, "stderr": [HOSTILE, HOSTILE], "diagnosis": [HOSTILE]}
            row["reading"] = HOSTILE
    file = folder / "hostile.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    onnx_cts("report", file, records[1], "--suite", SUITE, "--html", folder / "hostile.html")
    return folder / "hostile.html"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    with playwright.sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


Open = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any) -> Iterator[Open]:
    """Opens a file at an address; whatever the page complains of fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    complaints: list[str] = []

    def opens(file: Path, address: str = "", **media: Any) -> Any:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on(
            "request", lambda asked: asked.url.startswith("file:") or complaints.append(asked.url)
        )
        if media:
            page.emulate_media(**media)
        page.goto(f"{file.as_uri()}{address}")
        page.wait_for_selector("h1")
        return page

    yield opens
    context.close()
    assert complaints == []
