"""The HTML report, as people use it: real clicks and keys in a headless browser."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import HOSTILE, SUITE, Open, onnx_cts

from onnx_cts_harness import open_suite

PARTS = ["", "#/matrix/QuantizeLinear", "#/cases?verdict=any+wrong", "#/rules", "#/questions"]
WRONG = "ai.onnx/QuantizeLinear/v21/test_float_float8e4m3fn_per_tensor_no_saturate"


def status(page: Any) -> str:
    return str(page.inner_text("[role=status]"))


def until(page: Any, script: str) -> None:
    """Wait until a condition holds, which the page's policy lets nobody else ask for."""
    for _ in range(100):
        if page.evaluate(script):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came: {script}")


def rows(page: Any) -> int:
    return int(page.locator("tbody tr").count())


def wrong_case(page: Any) -> None:
    """Go from the overview to the first case of which ONNX Runtime has a wrong value."""
    row = page.locator("tr", has=page.get_by_role("rowheader", name="onnxruntime 1")).first
    row.locator("td.number a[href*='wrong+value']").click()
    page.wait_for_selector(".cases")
    page.locator(".cases th a").first.click()
    page.wait_for_selector(".facts")


def test_the_file_is_small(report: Path) -> None:
    assert report.stat().st_size < 1_500_000


def test_the_overview_has_each_backend_and_version(report: Path, opened: Open) -> None:
    page = opened(report)
    entries = open_suite(SUITE).entries.values()
    assert page.locator("td a:has(.bar)").count() == 3 * len(
        {(e.operator, e.version) for e in entries}
    )
    text = page.locator("td a:has(.bar)").first.inner_text()
    assert "% right" in text


def test_the_overview_says_of_what_a_backend_was_run(
    folder: Path, records: list[Path], opened: Open
) -> None:
    part = folder / "part.jsonl"
    onnx_cts(
        "run", "onnxruntime", "--suite", SUITE, "--exit-zero", "--record", part,
        "--operator", "DynamicQuantizeLinear",
    )  # fmt: skip
    onnx_cts("report", part, records[2], "--suite", SUITE, "--html", folder / "part.html")
    said = opened(folder / "part.html").inner_text("main")
    assert said.count("Run on a part of the suite: operators DynamicQuantizeLinear") == 1


def test_a_filter_narrows_the_list_and_stays_in_the_address(report: Path, opened: Open) -> None:
    page = opened(report, "#/cases")
    every = len(open_suite(SUITE).entries)
    assert status(page) == f"{every:,} cases of {every:,}"
    page.get_by_label("Operator").select_option("DequantizeLinear")
    page.get_by_label("Version").select_option("13")
    some = sum(
        e.operator == "DequantizeLinear" and e.version == 13
        for e in open_suite(SUITE).entries.values()
    )
    assert status(page) == f"{some} cases of {every:,}"
    assert "operator=DequantizeLinear&version=13" in page.url
    page.reload()
    page.wait_for_selector(".cases")
    assert (status(page), rows(page)) == (f"{some} cases of {every:,}", some)
    page.get_by_role("button", name="Clear").click()
    assert status(page) == f"{every:,} cases of {every:,}"


def test_words_are_searched_in_ids_and_findings(report: Path, opened: Open) -> None:
    page = opened(report, "#/cases")
    page.keyboard.press("/")
    page.keyboard.type("saturate float8e5m2 wrong")
    until(page, "document.querySelector('[role=status]').textContent.split(' ')[0] < 100")
    assert page.evaluate("document.activeElement.name") == "q"
    assert 0 < rows(page) < 100
    assert all("float8e5m2" in text for text in page.locator(".cases th a").all_inner_texts())


def test_a_list_grows_while_it_is_read(report: Path, opened: Open) -> None:
    page = opened(report, "#/cases")
    first = rows(page)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    until(page, f"document.querySelectorAll('tbody tr').length > {first}")


def test_a_cell_of_the_matrix_opens_its_cases(report: Path, opened: Open) -> None:
    page = opened(report)
    page.locator("td a:has(.bar)").first.click()
    page.wait_for_selector(".cell a")
    cell = page.locator(".cell a").first
    total = int(cell.locator("[aria-hidden]").inner_text().split()[-1].split("/")[-1])
    cell.click()
    page.wait_for_selector(".cases")
    assert rows(page) == total
    page.go_back()
    page.wait_for_selector(".cell a")


def test_a_case_shows_what_was_asked_and_what_came(report: Path, opened: Open) -> None:
    page = opened(report, "#/cases?q=ulp+off")
    page.locator(".cases th a").first.click()
    page.wait_for_selector(".facts")
    text = page.inner_text("main")
    for part in ("Expected", "Got", " ULP", "Wrong elements", "Diagnosis", "onnxruntime 1"):
        assert part in text
    assert page.locator("blockquote").first.inner_text()
    assert page.locator("pre").count() >= 4


@pytest.mark.parametrize("backend", ["onnxruntime 1", "onnx-reference 1"])
def test_the_reproduction_that_is_copied_shows_the_case_again(
    report: Path, opened: Open, backend: str, tmp_path: Path
) -> None:
    page = opened(report)
    wrong_case(page)
    choice = page.get_by_label("Backend")
    choice.select_option(
        next(t for t in choice.locator("option").all_inner_texts() if t.startswith(backend))
    )
    page.get_by_role("button", name="Copy").click()
    until(page, "document.querySelector('[role=status]').textContent === 'Copied'")
    program = page.evaluate("navigator.clipboard.readText()")
    assert program == page.get_by_role("region", name="Reproduction").inner_text()
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_every_reproduction_of_a_version_runs(report: Path, opened: Open, tmp_path: Path) -> None:
    page = opened(report, "#/cases")
    programs = page.evaluate(
        """async () => {
          location.hash = "#/cases?operator=DequantizeLinear&version=25&expectation=value";
          await new Promise((done) => setTimeout(done, 500));
          const found = [];
          const links = [...document.querySelectorAll(".cases th a")].map((a) => a.hash);
          for (const hash of links.slice(0, 60)) {
            location.hash = hash;
            const name = decodeURIComponent(hash.split("/").pop());
            while (!document.querySelector(".copy") || !document.title.startsWith(`${name} `)) {
              await new Promise((done) => setTimeout(done, 5));
            }
            const choice = document.querySelector("[name=reproduction]");
            const values = [...choice.options].map((option) => option.value);
            choice.value = values.find((value) => value.startsWith("onnx-reference"));
            choice.dispatchEvent(new Event("change"));
            found.push([...document.querySelectorAll("pre")].pop().textContent);
          }
          return found;
        }"""
    )
    assert len(programs) == 60
    for number, program in enumerate(programs):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "program.py").write_text(program, "utf-8")
    runner = (
        "import contextlib, io, os, pathlib, runpy\n"
        f"for i in range({len(programs)}):\n"
        "    os.chdir(pathlib.Path(r'%s') / str(i))\n"
        "    runpy.run_path('program.py')\n" % tmp_path
    )
    done = subprocess.run(
        [sys.executable, "-c", runner], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= len(programs)


def test_colours_follow_the_system_until_they_are_chosen(report: Path, opened: Open) -> None:
    def ground(page: Any) -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    page = opened(report, color_scheme="dark")
    dark = ground(page)
    page.emulate_media(color_scheme="light")
    light = ground(page)
    assert light != dark
    button = page.get_by_role("button", name="Colours")
    button.click()
    button.click()
    assert (button.inner_text(), ground(page)) == ("Colours: dark", dark)
    page.reload()
    page.wait_for_selector("table")
    assert ground(page) == dark


def test_the_keyboard_is_enough(report: Path, opened: Open) -> None:
    page = opened(report)

    def tab_to(script: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate(f"(() => {{ const e = document.activeElement; return {script}; }})()"):
                return
        raise AssertionError(f"no tab leads to {script}")

    tab_to("e.id === 'skip'")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    tab_to("e.matches('td.number a')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cases")
    tab_to("e.name === 'operator'")
    page.keyboard.type("Quant")
    until(page, "document.querySelector('[name=operator]').value === 'QuantizeLinear'")
    assert page.evaluate("document.activeElement.name") == "operator"
    tab_to("e.matches('.cases th a')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".copy")
    tab_to("e.matches('.copy')")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('[role=status]').textContent === 'Copied'")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
@pytest.mark.parametrize("address", [*PARTS, f"#/case/{WRONG}"])
def test_axe_finds_no_violation(
    report: Path, opened: Open, address: str, theme: str, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(report, case_address(address), color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 800})
    results = axe.Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def case_address(address: str) -> str:
    """The address, with the first case that there is of a version for one that there is not."""
    if not address.startswith("#/case/"):
        return address
    folder = address.removeprefix("#/case/").rpartition("/")[0]
    entries = open_suite(SUITE).entries
    return f"#/case/{next(name for name in entries if name.startswith(folder + '/test_'))}"


@pytest.mark.parametrize("address", PARTS)
def test_hostile_text_of_a_backend_is_text(
    hostile_report: Path, opened: Open, address: str
) -> None:
    page = opened(hostile_report, address)
    assert page.locator("img, main script, main b, main i").count() == 0
    assert page.locator("nav a").count() == 5
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380


def test_the_page_of_a_case_shows_hostile_text_whole(hostile_report: Path, opened: Open) -> None:
    page = opened(hostile_report, "#/cases")
    page.locator(".cases th a").first.click()
    page.wait_for_selector(".said")
    assert HOSTILE[:80] in page.inner_text("main")
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380


def test_an_address_that_there_is_not_says_so(report: Path, opened: Open) -> None:
    for address in ("#/case/no/such", "#/nothing", "#/matrix/Nothing"):
        page = opened(report, address)
        assert page.inner_text("h1") == "Not here"
