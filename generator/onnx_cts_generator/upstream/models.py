"""In what two models differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from onnx_cts_generator.upstream.finding import Finding
from onnx_cts_specs.locations import domain_name

if TYPE_CHECKING:
    import onnx

_STAMPS = ("ir_version", "producer_name", "producer_version", "opset_import")
_MOST_PLACES = 6


def model_findings(first: onnx.ModelProto, second: onnx.ModelProto) -> Iterator[Finding]:
    """In what two models differ that are not the same bytes."""
    stamps = list(_stamps(first, second))
    if stamps:
        yield Finding("stamps", ", ".join(stamps))
    places = list(_places(first, second, ""))
    if places:
        shown = list(islice(places, _MOST_PLACES))
        more = f" and {len(places) - len(shown)} more" if len(places) > len(shown) else ""
        yield Finding("model", ", ".join(shown) + more)
    if not stamps and not places:
        yield Finding("stored", "the same model in other bytes")


def _stamps(first: onnx.ModelProto, second: onnx.ModelProto) -> Iterator[str]:
    for name in _STAMPS[:-1]:
        before, after = getattr(first, name), getattr(second, name)
        if before != after:
            yield f"{name} {before!r}, then {after!r}"
    before, after = _opsets(first), _opsets(second)
    for domain in sorted({*before, *after}):
        if before.get(domain) != after.get(domain):
            yield f"opset {domain_name(domain)} {before.get(domain)}, then {after.get(domain)}"


def _opsets(model: onnx.ModelProto) -> dict[str, int]:
    return {entry.domain: entry.version for entry in model.opset_import}


def _places(first: Any, second: Any, path: str) -> Iterator[str]:
    """The innermost fields that differ, down to the elements of lists of messages.

    Bytes are compared, not messages: a message that holds NaN is not equal to itself.
    """
    for field in first.DESCRIPTOR.fields:
        if not path and field.name in _STAMPS:
            continue
        one, two = getattr(first, field.name), getattr(second, field.name)
        place = f"{path}{field.name}"
        if field.message_type is None:
            if repr(one) != repr(two):
                yield place
        elif not hasattr(one, "SerializeToString"):
            if len(one) != len(two):
                yield f"{place} ({len(one)}, then {len(two)})"
                continue
            for i, (a, b) in enumerate(zip(one, two, strict=True)):
                if _bytes(a) != _bytes(b):
                    yield from _element(a, b, f"{place}[{i}]")
        elif _bytes(one) != _bytes(two):
            yield from _element(one, two, place)


def _element(first: Any, second: Any, place: str) -> Iterator[str]:
    # Below a node or a value it is enough to name the field.
    if place.count(".") >= 2:
        yield place
        return
    yield from list(_places(first, second, f"{place}.")) or [place]


def _bytes(message: Any) -> bytes:
    content: bytes = message.SerializeToString(deterministic=True)
    return content
