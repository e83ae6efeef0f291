"""What a sweep showed, for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from onnx_cts_generator.sweep.found import Fault
from onnx_cts_generator.sweep.plan import Plan

Line = Mapping[str, Any]


def plan_lines(plan: Plan) -> Iterator[str]:
    """The sweeps of a plan with their sizes, and its size."""
    sizes: Counter[str] = Counter()
    blocks: Counter[str] = Counter()
    for place in plan.blocks:
        name = place.id.partition("/")[0]
        sizes[name] += place.elements
        blocks[name] += 1
    for sweep in plan.sweeps:
        if blocks[sweep.name]:
            yield (
                f"{sweep.name}  {blocks[sweep.name]} blocks, {sizes[sweep.name]:,} elements: "
                f"{sweep.says}"
            )
    yield f"{len(plan.blocks)} blocks, {plan.elements:,} elements"


def summary_lines(plan: Plan, lines: Sequence[Line], faults: Sequence[Fault]) -> Iterator[str]:
    """The faults, one line each, the readings taken, and the elements of each sweep by verdict."""
    for fault in faults:
        yield _fault_line(fault)
    yield from _messages(lines)
    yield from _readings(lines)
    for name, counts in _by_sweep(plan, lines, "verdicts").items():
        yield f"{name}: {_listed(counts)}"
    total = sum((Counter(line["verdicts"]) for line in lines), Counter[str]())
    yield f"{plan.elements:,} elements: {_listed(total)}"


def differing_lines(plan: Plan, lines: Sequence[Line]) -> Iterator[str]:
    """How two versions differ: for each combination of types the elements by the way they do."""
    for name, counts in _by_combination(plan, lines).items():
        if set(counts) != {"same"}:
            yield f"{name}: {_listed(counts)}"
            yield from _smallest(name, plan, lines)
    total = sum((Counter(line["versions"]) for line in lines), Counter[str]())
    yield f"{plan.elements:,} elements: {_listed(total)}"


def _smallest(name: str, plan: Plan, lines: Sequence[Line]) -> Iterator[str]:
    seen: set[str] = set()
    for place, line in zip(plan.blocks, lines, strict=True):
        if place.id.rpartition("/")[0] != name:
            continue
        for way, one in line.get("smallest", {}).items():
            if way not in seen:
                seen.add(way)
                said = "; ".join(f"{version}: {text}" for version, text in one["said"].items())
                yield f"  {way}  {_inputs(one['inputs'])}  {said}"


def _fault_line(fault: Fault) -> str:
    finding = fault.smallest.finding
    inputs = _inputs(finding["inputs"]) if "inputs" in finding else _extent(finding)
    parts = (
        fault.smallest.combination,
        finding["verdict"],
        fault.name if fault.name != finding["verdict"] else "no known deviation",
        f"in {fault.blocks} blocks",
        inputs,
        finding["said"],
    )
    return "  ".join(part for part in parts if part)


def _inputs(inputs: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={text}" for name, text in inputs.items())


def _extent(finding: Line) -> str:
    rows, columns = (finding[axis][1] - finding[axis][0] for axis in ("rows", "columns"))
    return f"a call of {rows} by {columns} elements, no smaller one of which fails"


def _messages(lines: Sequence[Line]) -> Iterator[str]:
    counts = Counter(line["message"] for line in lines if "message" in line)
    for message, count in counts.most_common():
        yield f"{count} blocks  {message}"


def _readings(lines: Sequence[Line]) -> Iterator[str]:
    questions: dict[str, Counter[str]] = {}
    for line in lines:
        if "readings" in line:
            name = ", ".join(line["questions"])
            questions.setdefault(name, Counter()).update(line["readings"])
    for name, counts in questions.items():
        yield f"open  {name}: {_listed(counts)}"


def _by_sweep(plan: Plan, lines: Sequence[Line], key: str) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for place, line in zip(plan.blocks, lines, strict=True):
        found.setdefault(place.id.partition("/")[0], Counter()).update(line[key])
    return found


def _by_combination(plan: Plan, lines: Sequence[Line]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for place, line in zip(plan.blocks, lines, strict=True):
        found.setdefault(place.id.rpartition("/")[0], Counter()).update(line["versions"])
    return found


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
