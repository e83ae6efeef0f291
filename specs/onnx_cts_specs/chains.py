"""Models of two nodes: an operator and one that follows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from onnx_cts_specs import source
from onnx_cts_specs.catalog import spec_for, versions
from onnx_cts_specs.locations import chains_schema_path, domain_name, specs_folder
from onnx_cts_specs.model import Spec
from onnx_cts_specs.schema import check_schema, made


@dataclass(frozen=True)
class Chain:
    """Two nodes, the second of which takes what the first takes or gives.

    Attributes:
        name: What the two do together.
        since: The first version of the first operator that is followed.
        then: The second operator.
        inputs: For each input of the second node the input or output of the first that it is.
        for_each: What has a case of its own; of a version the granularities take turns.
        attributes: Attributes that both nodes have alike, where both versions have them.
    """

    name: str
    since: int
    then: str
    inputs: Mapping[str, str]
    for_each: Literal["granularity", "version"]
    attributes: tuple[str, ...] = ()

    def second(self, opset: int, domain: str) -> Spec:
        """The spec of the second operator that is current at an opset."""
        known = versions(self.then, domain)
        return spec_for(self.then, max(v for v in known if v <= opset), domain)


@cache
def chains_of(operator: str, domain: str = "") -> tuple[Chain, ...]:
    """The chains that begin with an operator, in the order of their file; none without a file.

    Raises:
        SpecError: The file is at fault.
    """
    path = specs_folder() / domain_name(domain) / operator / "chains.yaml"
    return load_chains(path) if path.is_file() else ()


def load_chains(path: Path) -> tuple[Chain, ...]:
    """Read a file of chains.

    Raises:
        SpecError: It does not follow the schema.
    """
    origin = source.read(path)
    check_schema(origin, chains_schema_path())
    return tuple(made(Chain, entry) for entry in origin.data["chains"])
