"""Whether a spec agrees with the standard: with the schema and the page that onnx.defs holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onnx_cts_specs import prose, source
from onnx_cts_specs.errors import SpecError
from onnx_cts_specs.model import Spec, element_type

_ATTRIBUTE_FIELDS = {"int": "i", "float": "f", "string": "s"}


def disagreements(spec: Spec) -> Iterator[SpecError]:
    """Every place where a spec says other than onnx.defs of the installed onnx.

    Compared are the version, the description, names, types, options, defaults and texts of the
    formal inputs, outputs and attributes, the type constraints, and every quote; and each
    sentence of the page must be quoted by some entry.
    """
    from onnx import defs

    origin = source.read(spec.path)
    try:
        schema = defs.get_schema(spec.operator, spec.since_version, spec.domain)
    except defs.SchemaError:
        schema = None
    if schema is None or schema.since_version != spec.since_version:
        yield origin.error(
            ("since_version",),
            f"onnx.defs has no version {spec.since_version} of {spec.operator}",
            "correct operator, domain or since_version, or install a newer onnx",
        )
        return
    found = [
        *_formal_parts(origin, spec, schema),
        *_type_constraints(origin, spec, schema),
        *_description(origin, spec, schema),
    ]
    yield from found
    # Quotes are looked up in these texts: where one is at fault, its quotes would be too.
    if not found:
        yield from _quotes(origin, spec)


def _differs(
    origin: source.Source, place: tuple[str | int, ...], ours: object, theirs: object
) -> Iterator[SpecError]:
    if ours != theirs:
        yield origin.error(
            place, f"the spec says {ours!r}, onnx.defs says {theirs!r}", "correct the spec"
        )


def _formal_parts(origin: source.Source, spec: Spec, schema: Any) -> Iterator[SpecError]:
    for part in ("inputs", "outputs", "attributes"):
        ours = [entry.name for entry in getattr(spec, part)]
        theirs = [getattr(entry, "name", entry) for entry in getattr(schema, part)]
        if part == "attributes":
            ours, theirs = sorted(ours), sorted(theirs)
        yield from _differs(origin, (part,), ours, theirs)
        if ours != theirs:
            return
    for part in ("inputs", "outputs"):
        pairs = zip(getattr(spec, part), getattr(schema, part), strict=True)
        for index, (our, their) in enumerate(pairs):
            optional = their.option.name == "Optional"
            yield from _differs(origin, (part, index, "type"), our.type, their.type_str)
            yield from _differs(
                origin, (part, index, "optional"), getattr(our, "optional", False), optional
            )
            yield from _differs(
                origin, (part, index, "says"), prose.flat(our.says), prose.flat(their.description)
            )
    for index, attribute in enumerate(spec.attributes):
        their = schema.attributes[attribute.name]
        kind = their.type.name.lower()
        default = getattr(their.default_value, _ATTRIBUTE_FIELDS.get(kind, "i"), None)
        place = ("attributes", index)
        yield from _differs(origin, (*place, "type"), attribute.type, kind)
        yield from _differs(origin, (*place, "default"), attribute.default, default)
        yield from _differs(
            origin, (*place, "says"), prose.flat(attribute.says), prose.flat(their.description)
        )


def _type_constraints(origin: source.Source, spec: Spec, schema: Any) -> Iterator[SpecError]:
    theirs = {c.type_param_str: c for c in schema.type_constraints}
    ours = [c.name for c in spec.type_constraints]
    yield from _differs(origin, ("type_constraints",), sorted(ours), sorted(theirs))
    for index, constraint in enumerate(spec.type_constraints):
        their = theirs.get(constraint.name)
        if their is None:
            continue
        place = ("type_constraints", index)
        allowed = set(map(element_type, their.allowed_type_strs))
        missing = sorted(allowed - set(constraint.types))
        extra = sorted(set(constraint.types) - allowed)
        if missing or extra:
            yield origin.error(
                (*place, "types"),
                f"types missing: {', '.join(missing) or 'none'}; "
                f"types that onnx.defs does not admit: {', '.join(extra) or 'none'}",
                "correct the list",
            )
        yield from _differs(
            origin, (*place, "says"), prose.flat(constraint.says), prose.flat(their.description)
        )


def _description(origin: source.Source, spec: Spec, schema: Any) -> Iterator[SpecError]:
    if spec.description.strip() != schema.doc.strip():
        yield origin.error(
            ("description",),
            "this is not the description in onnx.defs, line by line",
            f"copy onnx.defs.get_schema({spec.operator!r}, {spec.since_version}).doc",
        )


def _quotes(origin: source.Source, spec: Spec) -> Iterator[SpecError]:
    from onnx import defs

    page = [prose.flat(text) for text in prose.page_texts(origin.data)]
    for place, quote in prose.quotes(origin.data):
        if not any(prose.flat(quote) in text for text in page):
            yield origin.error(place, "this sentence is not on the page", "quote it word for word")
    for index, rule in enumerate(spec.rules):
        if rule.page:
            other = defs.get_schema(rule.page, spec.since_version, spec.domain).doc or ""
            if prose.flat(rule.says) not in prose.flat(other):
                yield origin.error(
                    ("rules", index, "says"),
                    f"this sentence is not in the description of {rule.page}",
                    "quote it word for word",
                )
    for sentence in prose.unquoted(origin.data):
        yield origin.error(
            ("rules",),
            f"no entry stands for the sentence: {sentence}",
            "write the rule that it states, or list it under `informative`",
        )
