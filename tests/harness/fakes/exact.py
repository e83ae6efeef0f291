"""The operators of the reference in ONNX's evaluator: right at every version."""

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

from onnx_cts_reference import ops


class Adapter:
    version = "1"

    def __init__(self, variant):
        pass

    def load(self, model, folder):
        if folder is None:
            return ReferenceEvaluator(onnx.load_from_string(model), new_ops=ops())
        return ReferenceEvaluator(onnx.load(str(Path(folder, "model.onnx"))), new_ops=ops())

    def run(self, loaded, inputs):
        protos = {
            name: onnx.TensorProto(data_type=code, dims=shape, raw_data=data)
            for name, code, shape, data in inputs
        }
        feeds = {name: numpy_helper.to_array(proto) for name, proto in protos.items()}
        made = (numpy_helper.from_array(np.asarray(y)) for y in loaded.run(None, feeds))
        return [(proto.data_type, tuple(proto.dims), proto.raw_data) for proto in made]
