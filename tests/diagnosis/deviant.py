"""A backend that goes wrong in one known way, the name of which is its variant.

Beside the deviations of the catalogue there are ``right``, ``one-too-many``, which adds one to each
output, and ``moody``, which does so where parameters are constants.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx

from onnx_cts_harness.diagnosis import outcome_of, tensor_of
from onnx_cts_harness.outcome import Outputs
from onnx_cts_harness.tensor import Tensor
from onnx_cts_reference.deviations.catalog import catalogue, right
from onnx_cts_reference.deviations.steps import situation
from onnx_cts_reference.formats import array_of
from onnx_cts_reference.model_calls import call_of


class Adapter:
    version = "1"

    def __init__(self, variant):
        self.variant = variant

    def load(self, model, folder):
        files = {p.name: p.read_bytes() for p in Path(folder).iterdir()} if folder else {}
        return onnx.ModelProto.FromString(model), files

    def run(self, loaded, inputs):
        model, files = loaded
        tensors = {name: Tensor(code, tuple(shape), data) for name, code, shape, data in inputs}
        feeds = {name: array_of(t.codes, t.format) for name, t in tensors.items()}
        call = call_of(model, feeds, files)
        makes = {d.name: d.make for d in catalogue(call.spec.operator)}
        at = situation(call.spec, call.inputs, call.attributes)
        outcome = outcome_of(makes.get(self.variant, right(call.spec)), at)
        if not isinstance(outcome, Outputs):
            raise RuntimeError(outcome.message)
        is_constant = any(node.op_type == "Constant" for node in model.graph.node)
        if self.variant == "one-too-many" or (self.variant == "moody" and is_constant):
            outcome = Outputs(tuple(map(_one_more, outcome.tensors)))
        return [(t.code, t.shape, t.data) for t in outcome.tensors]


def _one_more(tensor):
    with np.errstate(all="ignore"):
        array = array_of(tensor.codes, tensor.format)
        return replace(tensor, data=tensor_of(array + array.dtype.type(1)).data)
