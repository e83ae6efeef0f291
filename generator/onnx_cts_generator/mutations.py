"""Small changes of a valid call, each with a label that says what was changed and how.

They know nothing of rules: judging what a changed call breaks is the spec's part.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace

from onnx_cts_generator.filling import planned
from onnx_cts_generator.patterns import FORBIDDEN, PATTERNS, UnfitError, check_fit
from onnx_cts_reference.formats import Format, formats
from onnx_cts_specs import Call, Spec, Tensor, spec_for, versions
from onnx_cts_specs.model import AttributeValue, Input

Labelled = tuple[str, Call]


def mutations(spec: Spec, call: Call) -> Iterator[Labelled]:
    """Every call that differs from a valid one in a single respect, with its label."""
    yield from _missing(spec, call)
    yield from _unknown_attributes(spec, call)
    yield from _mistyped_attributes(spec, call)
    yield from _types(spec, call)
    yield from _shapes(spec, call)
    yield from _contents(spec, call)
    for attribute in spec.attributes:
        if attribute.role == "axis":
            yield from _axes(spec, call, attribute.name)
        elif attribute.role == "block-size":
            yield from _blocks(call, attribute.name)
        elif attribute.role != "switch":
            yield from _element_types(call, attribute.name)


def _with_attribute(call: Call, name: str, value: AttributeValue) -> Call:
    return replace(call, attributes={**call.attributes, name: value})


def _with_inputs(call: Call, changed: dict[str, Tensor | None]) -> Call:
    return replace(call, inputs={**call.inputs, **changed})


def required(spec: Spec) -> Iterator[Input]:
    """The inputs that are left out by turns: parameters or, where there are none, the data."""
    return (i for i in spec.parameters or spec.inputs if not i.optional)


def missing(name: str) -> str:
    """The label of a call that lacks a required input."""
    return f"no_{name}"


def _missing(spec: Spec, call: Call) -> Iterator[Labelled]:
    for formal in required(spec):
        if call.inputs.get(formal.name):
            yield missing(formal.name), _with_inputs(call, {formal.name: None})


def _other_versions(spec: Spec) -> Iterator[Spec]:
    for version in versions(spec.operator, spec.domain):
        if version != spec.since_version:
            yield spec_for(spec.operator, version, spec.domain)


def _following(spec: Spec) -> Spec | None:
    """The next version."""
    later = [o for o in _other_versions(spec) if o.since_version > spec.since_version]
    return later[0] if later else None


def _unknown_attributes(spec: Spec, call: Call) -> Iterator[Labelled]:
    """The attributes that the next version adds or, where it adds none, one that others have."""
    own = {a.name for a in spec.attributes}

    def foreign(others: Iterable[Spec]) -> dict[str, AttributeValue]:
        every = (a for other in others for a in other.attributes if a.name not in own)
        return {a.name: a.default for a in every if a.default is not None}

    following = _following(spec)
    added = foreign([following] if following else [])
    for name, default in (added or dict([*foreign(_other_versions(spec)).items()][:1])).items():
        yield f"{name}_of_another_version", _with_attribute(call, name, default)
    if not foreign(_other_versions(spec)):
        yield "no_such_attribute", _with_attribute(call, "no_such_attribute", 1)


def _mistyped_attributes(spec: Spec, call: Call) -> Iterator[Labelled]:
    wrong: dict[str, tuple[tuple[str, AttributeValue], ...]] = {
        "int": (("float", 1.0),),
    }
    for attribute in spec.attributes:
        for kind, value in wrong.get(attribute.type, ()):
            label = f"{attribute.name}_as_{kind}"
            yield label, _with_attribute(call, attribute.name, value)


def _types(spec: Spec, call: Call) -> Iterator[Labelled]:
    """Other types for each type variable, and for each input that shares one with another.

    Of the version's own types one of each kind and width; of those that it lacks all that the next
    version adds, one of each kind that others have, and one that none has.
    """
    sharing: dict[str, list[str]] = {}
    for formal in spec.inputs:
        if call.inputs.get(formal.name):
            sharing.setdefault(formal.type, []).append(formal.name)
    for first, *others in sharing.values():
        own = _admitted(spec, first)
        later = _following(spec)
        following = _admitted(later, first) if later else ()
        ever = {t for o in (spec, *_other_versions(spec)) for t in _admitted(o, first)}
        never = next(name for name in formats() if name not in ever)
        added = [name for name in following if name not in own]
        foreign = _representatives(ever - {*own, *following}, lambda form: form.kind)
        ours = _representatives(own, lambda form: (form.kind, form.bits))
        for name in dict.fromkeys((*ours, *added, *foreign, never)):
            yield f"{first}_{name}", _retyped(call, (first, *others), name)
        for other in others:
            rest = ever - {call.present()[other].dtype}
            for name in _representatives(rest, lambda form: form.kind):
                yield f"{other}_{name}", _retyped(call, (other,), name)


def _retyped(call: Call, names: Iterable[str], dtype: str) -> Call:
    tensors = {name: call.inputs[name] for name in names}
    return _with_inputs(call, {n: t and planned(t, dtype=dtype) for n, t in tensors.items()})


def _representatives(names: Container[str], class_of: Callable[[Format], object]) -> Iterator[str]:
    """The first of these types of each class."""
    seen = set()
    for form in formats().values():
        if form.name in names and class_of(form) not in seen:
            seen.add(class_of(form))
            yield form.name


def _admitted(spec: Spec, name: str) -> tuple[str, ...]:
    return next((spec.types(i.type) for i in spec.inputs if i.name == name), ())


def _shapes(spec: Spec, call: Call) -> Iterator[Labelled]:
    parameters = [i.name for i in spec.parameters if call.inputs.get(i.name)]
    data = call.present()[spec.data.name]
    if not parameters:
        yield f"{spec.data.name}_empty", _reshaped(call, [spec.data.name], (0, *data.shape[1:]))
    higher = (2,) * (len(data.shape) + 1)
    if len(parameters) > 1:
        for way, shape in (*_reshapes(call, parameters[0]), ("of_higher_rank", higher)):
            yield f"parameters_{way}", _reshaped(call, parameters, shape)
    for name in parameters:
        for way, shape in (*_reshapes(call, name), ("two_elements", (2,))):
            yield f"{name}_{way}", _reshaped(call, [name], shape)


def _reshaped(call: Call, names: Iterable[str], shape: tuple[int, ...]) -> Call:
    tensors = {name: call.inputs[name] for name in names}
    return _with_inputs(call, {n: t and replace(t, shape=shape) for n, t in tensors.items()})


def _reshapes(call: Call, name: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    tensor = call.inputs[name]
    shape = tensor.shape if tensor else ()
    for axis, size in enumerate(shape):
        before, after = shape[:axis], shape[axis + 1 :]
        yield "too_long", (*before, size + 1, *after)
        if size:
            yield "too_short", (*before, size - 1, *after)
    yield "one_element", (1,)
    yield "scalar", ()


def _contents(spec: Spec, call: Call) -> Iterator[Labelled]:
    """Other patterns for each input: its own, and those that a rule may forbid."""
    for formal in spec.inputs:
        tensor = call.inputs.get(formal.name)
        if tensor is None:
            continue
        own = formal.patterns or PATTERNS[formal.role]
        for pattern in dict.fromkeys((*own, *FORBIDDEN[formal.role])):
            try:
                check_fit(pattern, formats()[tensor.dtype])
            except UnfitError:
                continue
            yield (
                f"{formal.name}_{pattern}",
                _with_inputs(call, {formal.name: planned(tensor, pattern)}),
            )


def _axes(spec: Spec, call: Call, name: str) -> Iterator[Labelled]:
    ranks = {i.role: len(t.shape) for i in spec.inputs for t in [call.inputs[i.name]] if t}
    rank = ranks["data"]
    places = {"past_the_last": rank, "past_the_first": -rank - 1, "0": 0, "1": 1}
    if rank == 1 and ranks["scale"]:
        # The first past the last may be the default, which is judged by itself.
        places["well_past_the_last"] = 2
    for label, axis in places.items():
        yield f"{name}_{label}", _with_attribute(call, name, axis)


def _blocks(call: Call, name: str) -> Iterator[Labelled]:
    size = int(call.attributes.get(name, 0))  # type: ignore[arg-type] # an INT of a valid call
    yield f"{name}_negative", _with_attribute(call, name, -(size or 1))
    yield f"{name}_0", _with_attribute(call, name, 0)
    if not size:
        yield f"{name}_given", _with_attribute(call, name, 1)
        return
    # The nearest sizes come first, so that the first that breaks the rule lies at its boundary.
    for step in range(1, 9):
        yield f"{name}_too_large", _with_attribute(call, name, size + step)
        if size > step:
            yield f"{name}_too_small", _with_attribute(call, name, size - step)


def _element_types(call: Call, name: str) -> Iterator[Labelled]:
    for label, code in {"float8e4m3fn": formats()["float8e4m3fn"].code, "no_type": 1000}.items():
        yield f"{name}_{label}", _with_attribute(call, name, code)
