"""Where the specs are, and which there are."""

from __future__ import annotations

from functools import cache

from onnx_cts_specs.errors import SpecError, UnknownOperatorError
from onnx_cts_specs.load import load
from onnx_cts_specs.locations import domain_name, domain_of, specs_folder
from onnx_cts_specs.model import Spec


def operators(domain: str = "") -> tuple[str, ...]:
    """The operators of a domain that have specs, in alphabetical order."""
    folder = specs_folder() / domain_name(domain)
    return tuple(sorted(path.name for path in folder.glob("*") if path.is_dir()))


def domains() -> tuple[str, ...]:
    """The domains that have specs, ONNX's own as the empty string."""
    folders = (p for p in specs_folder().iterdir() if p.is_dir() and any(p.glob("*/[0-9]*.yaml")))
    return tuple(sorted(domain_of(p.name) for p in folders))


@cache
def versions(operator: str, domain: str = "") -> tuple[int, ...]:
    """The versions of an operator that have specs, in order.

    Raises:
        UnknownOperatorError: The operator has none.
    """
    folder = specs_folder() / domain_name(domain) / operator
    found = (int(path.stem) for path in folder.glob("*.yaml") if path.stem.isdigit())
    if not folder.is_dir():
        known = ", ".join(operators(domain)) or "none"
        of_domain = f" of the domain {domain}" if domain else ""
        raise UnknownOperatorError(
            f"there is no spec for {operator}{of_domain}; there are: {known}"
        )
    return tuple(sorted(found))


@cache
def spec_for(operator: str, version: int, domain: str = "") -> Spec:
    """The spec of one version of an operator (its since_version, not any later opset).

    Raises:
        UnknownOperatorError: There is none.
        SpecError: Its file is at fault.
    """
    known = versions(operator, domain)
    if version not in known:
        listed = ", ".join(map(str, known))
        raise UnknownOperatorError(
            f"there is no spec for version {version} of {operator}; there are: {listed}"
        )
    spec = load(specs_folder() / domain_name(domain) / operator / f"{version}.yaml")
    if (spec.operator, spec.since_version, spec.domain) != (operator, version, domain):
        raise SpecError(
            spec.path,
            f"the file says {spec.operator} {spec.since_version} of domain {spec.domain!r}",
            "correct the file, or move it to where its domain, operator and version belong",
        )
    return spec


def all_specs() -> tuple[Spec, ...]:
    """Every spec there is, by domain, operator and version."""
    return tuple(
        spec_for(operator, version, domain)
        for domain in domains()
        for operator in operators(domain)
        for version in versions(operator, domain)
    )
