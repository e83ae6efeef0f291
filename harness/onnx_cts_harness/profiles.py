"""Levels of conformance: what a named profile demands, and whether a backend has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx_cts_harness.errors import ProfileError
from onnx_cts_harness.report.gathered import Gathered, Ran
from onnx_cts_harness.verdicts import Verdict
from onnx_cts_harness.verify import Result
from onnx_cts_specs import SpecError, UnknownOperatorError, versions
from onnx_cts_specs.locations import profile_schema_path, profiles_folder
from onnx_cts_specs.schema import check_schema
from onnx_cts_specs.source import read


@dataclass(frozen=True)
class Demand:
    """Some cases, and what each of them must show.

    Attributes:
        versions: The version of each operator, by domain and operator.
        expectation: Which cases of them: value or reject.
        types: Only cases all of whose tensors are of these element types; empty for all.
        verdicts: What each case must show: one of these.
    """

    versions: Mapping[tuple[str, str], int]
    expectation: str
    types: frozenset[str]
    verdicts: frozenset[Verdict]

    def is_about(self, result: Result) -> bool:
        """Whether a result is of one of the cases."""
        return (
            self.versions.get((result.domain, result.operator)) == result.version
            and result.expectation == self.expectation
            and (not self.types or self.types.issuperset(result.dtypes.values()))
        )


@dataclass(frozen=True)
class Profile:
    """A named level of conformance; the published schema ``profile`` explains it."""

    name: str
    says: str
    demands: tuple[Demand, ...]


@dataclass(frozen=True)
class Standing:
    """Whether a backend has a profile.

    Attributes:
        profile: The profile.
        backend: Name, variant and version.
        cases: Number of cases that the profile demands something of.
        short: Those that do not show what they must.
        unknown: Why it cannot be said; "" if it can. Then the others mean nothing.
    """

    profile: Profile
    backend: str
    cases: int
    short: tuple[Result, ...]
    unknown: str

    @property
    def is_reached(self) -> bool:
        """Whether the backend has the profile."""
        return not self.unknown and not self.short

    @property
    def said(self) -> str:
        """The standing in a few words."""
        if self.unknown:
            return f"not known: {self.unknown}"
        if self.short:
            return f"not reached: {len(self.short)} of {self.cases} cases fall short"
        return f"reached: all of {self.cases} cases"


def published_profiles() -> tuple[Profile, ...]:
    """The profiles that come with the specs, by name."""
    return tuple(load_profile(file) for file in sorted(profiles_folder().glob("*.yaml")))


def find_profile(name: str) -> Profile:
    """A published profile by its name, or one of a file by its path.

    Raises:
        ProfileError: There is none, or the file is at fault.
    """
    published = profiles_folder() / f"{name}.yaml"
    if "/" not in name and published.is_file():
        return load_profile(published)
    if Path(name).is_file():
        return load_profile(Path(name))
    known = ", ".join(file.stem for file in sorted(profiles_folder().glob("*.yaml")))
    raise ProfileError(f"there is no profile {name}, nor such a file; there are: {known}")


def load_profile(file: Path) -> Profile:
    """Read a profile.

    Raises:
        ProfileError: It cannot be read, is no YAML, does not follow the schema, or asks for an
            operator or an opset that no spec is of.
    """
    try:
        origin = read(file)
        check_schema(origin, profile_schema_path())
    except SpecError as error:
        raise ProfileError(str(error)) from None
    demands = []
    for index, demand in enumerate(origin.data["demands"]):
        place = f"{file}:{origin.line(('demands', index))}"
        demands.append(_demand(place, demand))
    return Profile(origin.data["name"], origin.data["says"], tuple(demands))


def _demand(place: str, data: Mapping[str, Any]) -> Demand:
    domain = data.get("domain", "")
    return Demand(
        {(domain, one): _current(place, domain, one, data["opset"]) for one in data["operators"]},
        data["expectation"],
        frozenset(data.get("types", ())),
        frozenset(map(Verdict, data["verdicts"])),
    )


def _current(place: str, domain: str, operator: str, opset: int) -> int:
    try:
        known = versions(operator, domain)
    except UnknownOperatorError as error:
        raise ProfileError(f"{place}: {error}; mend the demand") from None
    current = [version for version in known if version <= opset]
    if not current:
        raise ProfileError(
            f"{place}: {operator} has no version at opset {opset}; its first is {known[0]}"
        )
    return current[-1]


def known_standings(gathered: Gathered) -> list[Standing]:
    """The standings in the published profiles, as far as the records are whole enough to tell."""
    return [one for one in standings(gathered, published_profiles()) if not one.unknown]


def standings(gathered: Gathered, profiles: tuple[Profile, ...]) -> Iterator[Standing]:
    """The standing of each backend in each profile that the records have cases for."""
    for profile in profiles:
        if all(_has_cases(gathered, demand) for demand in profile.demands):
            yield from (_standing(ran, profile, gathered) for ran in gathered.backends)


def _has_cases(gathered: Gathered, demand: Demand) -> bool:
    return any(demand.is_about(result) for ran in gathered.backends for result in ran.results)


def _standing(ran: Ran, profile: Profile, gathered: Gathered) -> Standing:
    about = [(d, r) for d in profile.demands for r in ran.results if d.is_about(r)]
    short = tuple(result for demand, result in about if result.verdict not in demand.verdicts)
    unknown = ""
    if ran.lacks:
        unknown = ran.lacks[0]
    elif len(ran.results) != gathered.suite["cases"]:
        unknown = f"{len(ran.results)} of {gathered.suite['cases']} cases are in the records"
    elif any(result.verdict.is_error for result in short):
        unknown = "some cases could not be judged"
    return Standing(profile, ran.title, len(about), short, unknown)
