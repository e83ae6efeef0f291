"""Time the HTML report of 10,000 cases on 8 backends: making it, opening it, filtering, scrolling.

Run as ``python benchmarks/time_html.py [ROUNDS]`` with playwright, and Chromium on the system. The
cases are those of the checked-in suite several times over, and the verdicts those of ONNX Runtime
and of ONNX's reference, each under four names. The figures are the worst of the rounds.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, sync_playwright

from onnx_cts_harness import RecordWriter, Selection, open_suite, start_run
from onnx_cts_harness.report.gathered import gather
from onnx_cts_harness.report.html.document import html_page

SUITE = Path(__file__).parents[1] / "generated_tests"
CASES = 10_000
BACKENDS = {"onnxruntime": 4, "onnx-reference": 4}
#: Frames of a scroll through the list, a screen each: their times in milliseconds.
FRAMES = """async () => {
  const times = [];
  let last = performance.now();
  for (let y = 0; y < 200; y++) {
    scrollBy(0, innerHeight);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times.sort((a, b) => a - b);
}"""


def enlarged(folder: Path) -> Path:
    """The suite with more copies of its cases, each with a name of its own."""
    manifest = json.loads((SUITE / "manifest.json").read_text("utf-8"))
    files: dict[str, Any] = {}
    copy = 0
    while sum("case.json" in hashes for hashes in files.values()) < CASES:
        copy += 1
        for name, hashes in manifest["files"].items():
            if "case.json" not in hashes or len(files) >= CASES:
                continue
            target = f"{name}_{copy}"
            shutil.copytree(SUITE / name, folder / target)
            case = json.loads((folder / target / "case.json").read_text("utf-8"))
            text = json.dumps(case | {"id": target})
            (folder / target / "case.json").write_text(text, "utf-8")
            files[target] = hashes | {"case.json": hashlib.sha256(text.encode()).hexdigest()}
    manifest["files"] = dict(sorted(files.items()))
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return folder


def records(suite: Path, folder: Path) -> list[Path]:
    """A record of each backend, and copies of it under other names."""
    made = []
    for backend, copies in BACKENDS.items():
        file = folder / f"{backend}.jsonl"
        with start_run(suite, backend) as run, RecordWriter(file, run, Selection()) as writer:
            for result in run.results():
                writer.add(result)
        head, *rows = file.read_text("utf-8").splitlines(keepends=True)
        for number in range(copies):
            header = json.loads(head)
            header["backend"]["variant"] = f"copy {number}"
            made.append(folder / f"{backend}-{number}.jsonl")
            made[-1].write_text("".join([json.dumps(header) + "\n", *rows]), "utf-8")
    return made


def opened(page: Page, file: Path) -> dict[str, float]:
    """Seconds of what a reader waits for."""
    times = {}
    start = time.perf_counter()
    page.goto(file.as_uri())
    page.wait_for_selector("td a .bar")
    times["open the overview"] = time.perf_counter() - start
    start = time.perf_counter()
    page.goto(f"{file.as_uri()}#/cases")
    page.wait_for_selector(".cases")
    times["list all cases"] = time.perf_counter() - start
    start = time.perf_counter()
    page.get_by_label("Verdict").select_option("any wrong")
    page.wait_for_selector("[role=status]:not(:text-matches('^10,000'))")
    times["filter them"] = time.perf_counter() - start
    page.get_by_label("Verdict").select_option("")
    frames = page.evaluate(FRAMES)
    times["a frame while scrolling, median"] = frames[len(frames) // 2] / 1000
    times["a frame while scrolling, slowest"] = frames[-1] / 1000
    return times


def main(rounds: int) -> None:
    """Print the size of the file and the worst times."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        suite = enlarged(folder / "suite")
        gathered = gather(records(suite, folder))
        start = time.perf_counter()
        text = html_page(gathered, open_suite(suite))
        made = time.perf_counter() - start
        file = folder / "report.html"
        file.write_text(text, "utf-8")
        count = len(open_suite(suite).entries)
        print(f"{count} cases, {len(gathered.backends)} backends, {len(text) / 1e6:.2f} MB")
        print(f"make the file  {made:.1f} s")
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        times = []
        with sync_playwright() as tools:
            browser = tools.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for _ in range(rounds):
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                times.append(opened(page, file))
                page.close()
            browser.close()
    for what in times[0]:
        print(f"{what}  {max(one[what] for one in times):.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
