"""What a search showed, for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from onnx_cts_generator.fuzz.faults import Fault
from onnx_cts_harness.lines import result_line
from onnx_cts_harness.shown import shown
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result


@dataclass
class Seen:
    """The results of a search as a summary needs them, one object for all that are alike.

    Attributes:
        results: The results but for failures, each of which its fault stands for; of errors one
            of each message.
        count: The number of examples.
    """

    results: list[Result] = field(default_factory=list)
    count: int = 0
    _alike: dict[str, Result] = field(default_factory=dict)
    _errors: set[str] = field(default_factory=set)

    def add(self, result: Result) -> None:
        """Note the result of an example."""
        self.count += 1
        if result.verdict.is_failure:
            return
        if result.verdict.is_error:
            if result.message not in self._errors:
                self._errors.add(result.message)
                self.results.append(result)
            return
        # What the summary counts by.
        plain = Result(
            "drawn",
            result.domain,
            result.operator,
            result.version,
            result.expectation,
            result.verdict,
            rule=result.rule,
            stage=result.stage if result.verdict is Verdict.REFUSED else "",
            refusal=result.refusal if result.verdict is Verdict.REFUSED else "",
            presented=result.presented,
            reading=result.reading,
        )
        self.results.append(self._alike.setdefault(repr(plain), plain))


def fault_lines(fault: Fault) -> Iterator[str]:
    """A fault as it is found: its case in one line, then the call that it makes."""
    yield result_line(fault.result)
    node, presentation = fault.case.node, fault.case.presentation
    for formal in node.spec.inputs:
        value = node.inputs.get(formal.name)
        yield f"  input  {formal.name}: {'absent' if value is None else shown(value.array)}"
    for name, given in node.attributes.items():
        yield f"  attribute  {name}: {given}"
    words = [f"opset {presentation.opset}", f"shapes {presentation.shapes}"]
    if node.spec.parameters:
        words.append(f"parameters {presentation.parameters}, {presentation.storage}")
    words += ["function body"] if presentation.expanded else []
    yield f"  presented  {', '.join(words)}"
    if not fault.repeats:
        yield "  the backend does not answer it the same way each time"


def counted(count: int, thing: str) -> str:
    """A number of things, in words."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def fault_notes(faults: list[Fault]) -> Iterator[str]:
    """How many examples showed each fault, and what still explains all of them."""
    for fault in faults:
        explained = ", ".join(sorted(fault.signature.diagnosis))
        by = f" explained by {explained}" if explained else ""
        yield f"fault  {fault.result.case}: shown by {counted(fault.count, 'example')}{by}"


def ordered(seen: Seen, faults: list[Fault]) -> list[Result]:
    """The results of a search, those of one operator version together."""
    results = [*seen.results, *(fault.result for fault in faults)]
    return sorted(results, key=lambda result: (result.qualified_operator, result.version))
