"""Run the command line in this process, and read back what is on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from onnx_cts_generator.cli import main

FAKES = Path(__file__).parent / "fakes"
REFUSES = str(FAKES / "refuses.py")
RETURNS_ITS_INPUT = str(FAKES / "returns_its_input.py")


@dataclass(frozen=True)
class Finished:
    """What a command left: its exit status and what it wrote to its two streams."""

    status: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line that a command at a loss writes, and nothing else."""
        assert (self.status, self.out) == (2, "")
        (line,) = self.err.splitlines()
        assert line.startswith("onnx-cts: ")
        return line.removeprefix("onnx-cts: ")


def onnx_cts(*arguments: object, **environment: str) -> Finished:
    """Run a command; an exception that gets out of it fails the test."""
    result = CliRunner(env=environment).invoke(
        main, [str(a) for a in arguments], catch_exceptions=False
    )
    return Finished(result.exit_code, result.stdout, result.stderr)


@dataclass(frozen=True)
class Cache:
    """A cache of suites, and the first run that found it empty."""

    folder: Path
    first: Finished

    @property
    def suite(self) -> Path:
        """The one suite that is in it."""
        (manifest,) = self.folder.rglob("manifest.json")
        return manifest.parent

    @property
    def environment(self) -> dict[str, str]:
        return {"XDG_CACHE_HOME": str(self.folder)}


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
