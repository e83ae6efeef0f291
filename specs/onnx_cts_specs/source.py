"""YAML files read safely, with the line of every entry kept for error messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from onnx_cts_specs.errors import SpecError

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Source:
    """The content of a YAML file and the tree of nodes that it came from."""

    path: Path
    data: Any
    root: Any

    def line(self, place: Sequence[str | int]) -> int:
        """The line, from 1, of the entry at a path of keys and indices.

        Where the path leaves the file (a missing key, say) it is the line of the nearest entry.
        """
        node = self.root
        mark = node.start_mark
        for step in place:
            if isinstance(node, yaml.MappingNode):
                found = [(k, v) for k, v in node.value if k.value == str(step)]
                if not found:
                    break
                mark, node = found[0][0].start_mark, found[0][1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
                node = node.value[step]
                mark = node.start_mark
            else:
                break
        return int(mark.line) + 1

    def error(self, place: Sequence[str | int], problem: str, remedy: str) -> SpecError:
        """A SpecError at an entry of this file."""
        return SpecError(self.path, problem, remedy, line=self.line(place), key=dotted(place))


def dotted(place: Sequence[str | int]) -> str:
    """A path of keys and indices as people write it: ``rules[3].require``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return text.removeprefix(".")


def read(path: Path) -> Source:
    """Read one YAML document.

    Raises:
        SpecError: The file cannot be read, is no YAML, is empty, or gives a key twice.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SpecError(path, f"cannot be read: {reason}", "check the path and the file") from None
    loader = None
    try:
        loader = _Loader(text)
        root = loader.get_single_node()
        if root is None:
            raise SpecError(path, "the file is empty", "write something in it, or delete it")
        _check_keys(path, root, ())
        return Source(path, loader.construct_document(root), root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = " ".join(str(getattr(error, "problem", None) or error).split())
        raise SpecError(
            path,
            f"this is no valid YAML: {problem}",
            "mend the syntax at this line or just above it; is the file cut off?",
            line=mark.line + 1 if mark else None,
        ) from None
    finally:
        if loader is not None:
            loader.dispose()


def _check_keys(path: Path, node: Any, above: tuple[Any, ...]) -> None:
    """Refuse what YAML allows and a spec does not: keys given twice or of many parts, and rings."""
    line = node.start_mark.line + 1
    if any(node is other for other in above):
        raise SpecError(path, "an entry holds itself", "write it out without aliases", line=line)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            at = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise SpecError(path, "a key is a list or a mapping", "use plain text", line=at)
            if key.value in seen:
                problem = f"the key `{key.value}` is given twice"
                raise SpecError(path, problem, "keep one of the two", line=at, key=key.value)
            seen.add(key.value)
            _check_keys(path, value, (*above, node))
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _check_keys(path, item, (*above, node))
