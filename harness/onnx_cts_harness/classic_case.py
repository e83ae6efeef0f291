"""Read one case of a folder in ONNX's classic layout, and settle what judges it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from onnx_cts_harness import layout
from onnx_cts_harness.arrays import parse_any_tensor
from onnx_cts_harness.by_reference import Ruling, ruling
from onnx_cts_harness.case import Case, Expected, LoadedCase, Tolerance
from onnx_cts_harness.errors import CaseError, NotCrossingError
from onnx_cts_harness.external_data import external_files
from onnx_cts_harness.lines import finding
from onnx_cts_harness.outcome import Outputs
from onnx_cts_harness.protos import parse_proto
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_harness.tensor import Tensor, type_name
from onnx_cts_harness.verify import OTHER, verify

if TYPE_CHECKING:
    from onnx import ModelProto, ValueInfoProto


@dataclass(frozen=True)
class Source:
    """Where a case is.

    Attributes:
        name: The case's id.
        folder: The folder with the model.
        data: The folder with inputs and outputs; None if there is none.
    """

    name: str
    folder: Path
    data: Path | None


def read_model(source: Source) -> ModelProto:
    """Read the model of a case.

    Raises:
        CaseError: There is no model, or it cannot be read.
    """
    import onnx

    file = source.folder / layout.MODEL
    try:
        model = parse_proto(onnx.ModelProto, _read(source, file))
        if not all(isinstance(text, str) for text in _texts(model)):
            raise ValueError("names that are no text")
    except ValueError as error:
        raise CaseError(f"{source.name}/{layout.MODEL}: {error}, perhaps cut short") from None
    if not model.graph.output:
        raise CaseError(f"{source.name}/{layout.MODEL}: a model without outputs, perhaps cut short")
    return model


def _texts(model: ModelProto) -> Iterator[str]:
    """The names that are worked with; protobuf gives bytes for one that is no UTF-8."""
    yield from (opset.domain for opset in model.opset_import)
    yield from (info.name for info in (*model.graph.input, *model.graph.output))
    yield from (tensor.name for tensor in model.graph.initializer)
    for node in model.graph.node:
        yield from (node.domain, node.op_type, *node.input, *node.output)
        yield from (attribute.name for attribute in node.attribute)


def load_source(source: Source, entry: CaseEntry) -> LoadedCase:
    """Read a case. The reference judges it if it knows the model's call, tolerance otherwise.

    Raises:
        NotCrossingError: An input or an output is no tensor of numbers.
        CaseError: The case cannot be used.
    """
    model = read_model(source)
    try:
        files = external_files(model, source.folder)
    except ValueError as error:
        raise CaseError(f"{source.name}/{layout.MODEL}: {error}") from None
    fed = _fed(source, model)
    _check_crossing([*fed, *model.graph.output])
    inputs = _tensors(source, [layout.input_name(i) for i in range(len(fed))])
    outputs = _outputs(source, len(model.graph.output))
    feeds = {info.name: tensor for info, tensor in zip(fed, inputs, strict=True)}
    found = ruling(model, feeds, files)
    loaded = LoadedCase(
        _case(entry, model, feeds, found),
        _read(source, source.folder / layout.MODEL),
        files,
        inputs,
        found.expected if found else tuple(Expected(t, None, None) for t in outputs),
        found.readings if found else {},
        "reference" if found else "tolerance",
        None if found else Tolerance(),
    )
    if found is None:
        if not outputs:
            raise CaseError(f"{source.name}: no expected outputs, and no reference to give them")
        return loaded
    return replace(loaded, disagreement=_disagreement(entry, loaded, outputs))


def _case(
    entry: CaseEntry, model: ModelProto, feeds: Mapping[str, Tensor], found: Ruling | None
) -> Case:
    declared = {o.name: type_name(o.type.tensor_type.elem_type) for o in model.graph.output}
    return Case(
        id=entry.id,
        domain=entry.domain,
        operator=entry.operator,
        version=entry.version,
        opset=entry.version,
        expectation=found.expectation if found else "value",
        dtypes={name: type_name(tensor.code) for name, tensor in feeds.items()} | declared,
        inputs=tuple(feeds),
        outputs=tuple(output.name for output in model.graph.output),
        granularity=found.judgement.granularity or None if found else None,
        features=(),
        rules=found.rules if found else (),
        stage=(),
        reading=tuple(found.readings) if found else (),
    )


def _disagreement(entry: CaseEntry, loaded: LoadedCase, outputs: tuple[Tensor, ...]) -> str:
    """How the folder's own outputs, taken for those of a backend, fall short of the reference."""
    if not outputs:
        return ""
    result = verify(entry, loaded, Outputs(outputs))
    if result.verdict.is_failure or result.verdict.is_error:
        return f"the folder's outputs: {result.verdict}, {finding(result)}"
    if result.reading == OTHER:
        return "the folder's outputs are those of no reading of the text"
    return ""


def _fed(source: Source, model: ModelProto) -> list[ValueInfoProto]:
    """The graph inputs that the files are for: those without an initializer, or else the first."""
    stored = {tensor.name for tensor in model.graph.initializer}
    stored |= {tensor.values.name for tensor in model.graph.sparse_initializer}
    needed = [info for info in model.graph.input if info.name not in stored]
    if source.data is None:
        raise CaseError(f"{source.name}: no folder {layout.DATA_SET} with inputs and outputs")
    count = _count(source, "input_")
    if count == len(needed):
        return needed
    if count == len(model.graph.input):
        return list(model.graph.input)
    raise CaseError(
        f"{source.name}/{source.data.name}: {count} inputs (input_0.pb and so on), "
        f"and the model takes {len(needed)}"
    )


def _outputs(source: Source, wanted: int) -> tuple[Tensor, ...]:
    count = _count(source, "output_")
    if count not in {0, wanted}:
        raise CaseError(f"{source.name}: {count} expected outputs, and the model gives {wanted}")
    return _tensors(source, [layout.output_name(i) for i in range(count)])


def _count(source: Source, start: str) -> int:
    return len(list(source.data.glob(f"{start}*.pb"))) if source.data else 0


def _check_crossing(infos: Sequence[ValueInfoProto]) -> None:
    from onnx import TensorProto

    for info in infos:
        kind = info.type.WhichOneof("value")
        if kind == "tensor_type" and info.type.tensor_type.elem_type == TensorProto.STRING:
            kind = "string tensor"
        if kind not in {"tensor_type", None}:
            what = kind.removesuffix("_type")
            raise NotCrossingError(
                f"{info.name} is of the kind {what.replace('_', ' ')}; only tensors of numbers "
                "are passed to backends"
            )


def _tensors(source: Source, names: Sequence[str]) -> tuple[Tensor, ...]:
    if source.data is None:
        return ()
    found = []
    for name in names:
        try:
            found.append(parse_any_tensor(_read(source, source.data / name)))
        except ValueError as error:
            raise CaseError(
                f"{source.name}/{source.data.name}/{name}: {error}, perhaps cut short"
            ) from None
    return tuple(found)


def _read(source: Source, file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        place = file.relative_to(source.folder).as_posix()
        raise CaseError(f"{source.name}/{place}: {error.strerror}") from None
