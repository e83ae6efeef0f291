"""Named examples of an operator, ONNX's own node tests among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from onnx_cts_specs import source
from onnx_cts_specs.catalog import versions
from onnx_cts_specs.locations import domain_name, examples_schema_path, specs_folder
from onnx_cts_specs.model import AttributeValue
from onnx_cts_specs.schema import check_schema, made


@dataclass(frozen=True)
class ExampleTensor:
    """A tensor of an example: ``values`` are its elements in storage order."""

    type: str
    shape: tuple[int, ...]
    values: tuple[float, ...]
    named: str = ""
    storage: str = "raw"


@dataclass(frozen=True)
class Correction:
    """What an example would be if it kept to the page: new shapes, and names as the formal ones."""

    why: str
    reshape: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """A named call; ``examples.schema.json`` explains each field."""

    name: str
    since: int
    inputs: Mapping[str, ExampleTensor]
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    typed_outputs: tuple[str, ...] = ()
    reading: str = ""
    corrected: Correction | None = None


@cache
def examples_of(operator: str, domain: str = "") -> tuple[Example, ...]:
    """The named examples of an operator, in the order of their file; none if it has no such file.

    Raises:
        UnknownOperatorError: The operator has no specs.
        SpecError: The file is at fault.
    """
    versions(operator, domain)
    path = specs_folder() / domain_name(domain) / operator / "examples.yaml"
    return load_examples(path) if path.is_file() else ()


def load_examples(path: Path) -> tuple[Example, ...]:
    """Read a file of examples.

    Raises:
        SpecError: It does not follow the schema, or a tensor has not as many values as its shape.
    """
    origin = source.read(path)
    check_schema(origin, examples_schema_path())
    found = []
    for index, entry in enumerate(origin.data["examples"]):
        inputs = {name: made(ExampleTensor, t) for name, t in entry["inputs"].items()}
        for name, tensor in inputs.items():
            _check_count(origin, ("examples", index, "inputs", name, "values"), tensor)
        corrected = entry.get("corrected")
        parts = {
            "inputs": inputs,
            "corrected": made(Correction, corrected) if corrected else None,
        }
        found.append(made(Example, entry | parts))
    return tuple(found)


def _check_count(
    origin: source.Source, place: tuple[str | int, ...], tensor: ExampleTensor
) -> None:
    count = 1
    for size in tensor.shape:
        count *= size
    if len(tensor.values) != count:
        raise origin.error(
            place,
            f"{len(tensor.values)} values for shape {list(tensor.shape)}",
            f"give {count}",
        )
