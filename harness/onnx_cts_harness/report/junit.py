"""A report as JUnit XML, which GitLab, Jenkins and other CI systems read.

GitLab tells tests apart by class name and name, and Jenkins takes what is before the last dot of a
class name as a package: so ``<backend>.<Operator>.v<version>``, which names no version of the
backend, and the history of a test goes on when the backend gets a new one.
"""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree as ET

from onnx_cts_harness.lines import finding
from onnx_cts_harness.report.counting import tally
from onnx_cts_harness.report.gathered import Gathered, Ran
from onnx_cts_harness.verify import Result


def junit(gathered: Gathered) -> str:
    """One suite for each backend; a case that fails, is refused or could not be judged says why.

    What is not whole in the records is a test of its own, which is in error.
    """
    root = ET.Element("testsuites", name="onnx-cts")
    labels = Counter(ran.label for ran in gathered.backends)
    for ran in gathered.backends:
        # Two versions of one backend would be one to the readers.
        name = ran.label if labels[ran.label] == 1 else ran.title
        _add(root, ran, name.replace(".", "_"))
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, "unicode")}\n'


def _add(root: ET.Element, ran: Ran, name: str) -> None:
    suite = ET.SubElement(root, "testsuite", {"name": ran.title} | _counts(ran))
    for lack in ran.lacks:
        test = ET.SubElement(suite, "testcase", classname=f"{name}.record", name=lack)
        ET.SubElement(test, "error", message=f"{lack}; run it again", type="incomplete")
    for result in ran.results:
        about = f"{name}.{result.qualified_operator.replace('.', '_')}.v{result.version}"
        _said(ET.SubElement(suite, "testcase", classname=about, name=result.case), result)


def _counts(ran: Ran) -> dict[str, str]:
    counts = tally(ran.results)
    return {
        "tests": str(counts.total + len(ran.lacks)),
        "failures": str(counts.failed),
        "errors": str(counts.errors + len(ran.lacks)),
        "skipped": str(counts.unsupported),
    }


def _said(test: ET.Element, result: Result) -> None:
    verdict = result.verdict
    tag = ""
    if verdict.is_failure:
        tag = "failure"
    elif verdict.is_error:
        tag = "error"
    elif verdict.is_unsupported:
        tag = "skipped"
    if not tag:
        return
    said = f"{verdict}: {finding(result)}" if finding(result) else str(verdict)
    rule = f" (rule {result.rule})" if result.expectation == "reject" and result.rule else ""
    element = ET.SubElement(test, tag, message=said + rule, type=str(verdict))
    if tag != "skipped":
        # GitLab shows the text, Jenkins both.
        element.text = "\n".join([result.case, said + rule, *result.stderr])
