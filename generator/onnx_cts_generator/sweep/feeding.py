"""Calls of a grid as cases that a backend can run."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from onnx_cts_generator.case import Node, Presentation, Value
from onnx_cts_generator.models import build_model
from onnx_cts_generator.sweep.grids import Grid
from onnx_cts_harness.case import Case, Expected, LoadedCase
from onnx_cts_harness.diagnosis import tensor_of
from onnx_cts_harness.suite import CaseEntry
from onnx_cts_reference.model_calls import ModelCall


def node_of(grid: Grid, call: ModelCall) -> Node:
    """The node that makes a call."""
    given = zip(grid.spec.inputs, call.inputs, strict=True)
    inputs = {formal.name: Value.of(a) for formal, a in given if a is not None}
    shape = inputs[grid.data].shape
    named = zip(grid.spec.outputs, grid.said.outputs, strict=True)
    outputs = {formal.name: (dtype, shape) for formal, dtype in named}
    return Node(grid.spec, inputs, call.attributes, outputs)


def loaded_call(grid: Grid, call: ModelCall, expected: tuple[Expected, ...] = ()) -> LoadedCase:
    """A call as a case; its model is made once for all calls of a grid of one shape."""
    tensors = {
        formal.name: tensor_of(array)
        for formal, array in zip(grid.spec.inputs, call.inputs, strict=True)
        if array is not None
    }
    model = _model(grid, tensors[grid.data].shape)
    return LoadedCase(_case(grid), model, {}, tuple(tensors.values()), expected, {})


def entry_of(grid: Grid) -> CaseEntry:
    """What a suite would say of a case of a grid."""
    spec = grid.spec
    return CaseEntry(
        grid.combination.id,
        spec.domain,
        spec.operator,
        spec.since_version,
        "open" if grid.said.questions else "value",
        hashes={},
    )


@lru_cache(maxsize=4)
def _model(grid: Grid, shape: tuple[int, ...]) -> bytes:
    rows, columns = (np.zeros(length, np.intp) for length in shape)
    arrays = tuple(grid.arrays(rows, columns))
    node = node_of(grid, ModelCall(grid.spec, arrays, grid.combination.attributes))
    return build_model(node, Presentation(grid.spec.since_version))[0]


@lru_cache(maxsize=4)
def _case(grid: Grid) -> Case:
    spec, said = grid.spec, grid.said
    outputs = tuple(output.name for output in spec.outputs)
    return Case(
        id=grid.combination.id,
        domain=spec.domain,
        operator=spec.operator,
        version=spec.since_version,
        opset=spec.since_version,
        expectation="open" if said.questions else "value",
        dtypes=dict(grid.combination.types) | dict(zip(outputs, said.outputs, strict=True)),
        inputs=tuple(grid.combination.types),
        outputs=outputs,
        granularity=said.granularity or None,
        features=(),
        rules=said.questions,
        stage=(),
        reading=said.readings,
    )
