"""Declares what its variant, a JSON object, says; runs ONNX's reference on what that allows."""

import json

import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        for name, value in json.loads(variant).items():
            setattr(self, name, value)

    def load(self, model, folder):
        proto = onnx.load_from_string(model)
        self.initializers = [t.name for t in proto.graph.initializer]
        if hasattr(self, "message"):
            raise RuntimeError(self.message)
        return ReferenceEvaluator(proto)

    def run(self, loaded, inputs):
        assert [name for name, *_ in inputs] == loaded.input_names
        allowed = getattr(self, "feeds", {}).get("inputs")
        assert allowed is None or all(code in allowed for _, code, _, _ in inputs)
        feeds = {
            name: numpy_helper.to_array(onnx.TensorProto(data_type=code, dims=shape, raw_data=data))
            for name, code, shape, data in inputs
        }
        protos = [numpy_helper.from_array(output) for output in loaded.run(None, feeds)]
        return [(p.data_type, tuple(p.dims), p.raw_data) for p in protos]
