"""Take the pictures of the HTML report: ``tox run -e images``, with Chromium on the system.

The suite is run on ONNX Runtime, optimised and not, and on ONNX's reference.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner
from playwright.sync_api import Browser, sync_playwright

from onnx_cts_generator.cli import main

HERE = Path(__file__).parent
SUITE = HERE.parents[1] / "generated_tests"
BACKENDS = ("onnxruntime", "onnxruntime:optimized", "onnx-reference")
MATRIX = "#/matrix/DequantizeLinear?backend=onnxruntime+1.32.0"
CASE = "#/cases?q=ulp+off"


def command(*arguments: object) -> None:
    """Run a command that must succeed."""
    result = CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)
    if result.exit_code:
        raise SystemExit(result.output)


def report(folder: Path) -> Path:
    """A report of real runs."""
    records = []
    for backend in BACKENDS:
        records.append(folder / f"{backend.replace(':', '-')}.jsonl")
        command("run", backend, "--suite", SUITE, "--exit-zero", "--record", records[-1])
    command("report", *records, "--suite", SUITE, "--html", folder / "report.html")
    return folder / "report.html"


def take(browser: Browser, file: Path, name: str, theme: str, address: str, *, first: bool) -> None:
    """Take one picture; ``first`` opens the first case of a list."""
    size = {"width": 1180, "height": 820}
    page = browser.new_page(viewport=size, color_scheme=theme)
    page.goto(f"{file.as_uri()}{address}")
    page.wait_for_selector("table")
    if first:
        page.locator(".cases th a").first.click()
        page.wait_for_selector(".facts")
    page.screenshot(path=HERE / f"{name}-{theme}.png")
    page.close()


if __name__ == "__main__":
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        raise SystemExit("Chromium is not installed; name it in the variable CHROMIUM")
    with TemporaryDirectory() as folder, sync_playwright() as tools:
        file = report(Path(folder))
        browser = tools.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for theme in ("light", "dark"):
            take(browser, file, "overview", theme, "", first=False)
            take(browser, file, "matrix", theme, MATRIX, first=False)
            take(browser, file, "case", theme, CASE, first=True)
        browser.close()
