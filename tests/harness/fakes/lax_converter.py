"""A converter that changes the opset and nothing else, or does what the graph's name says."""

import os
import time

import onnx


def another_axis(model):
    model.graph.node[0].attribute[0].i = 0


def other_output(model):
    model.graph.output[0].name = "z"


def other_input(model):
    model.graph.input[0].name = "z"


def no_opset(model):
    model.opset_import[0].version = 1


ACTS = {
    "dies": lambda model: os._exit(3),
    "hangs": lambda model: time.sleep(1000),
    "another-axis": another_axis,
    "other-output": other_output,
    "other-input": other_input,
    "no-opset": no_opset,
}


class Adapter:
    version = "1"

    def __init__(self, variant):
        self.opset = int(variant)

    def load(self, model, folder):
        return onnx.load_from_string(model)

    def run(self, loaded, inputs):
        assert inputs == []
        loaded.opset_import[0].version = self.opset
        ACTS.get(loaded.graph.name, lambda model: None)(loaded)
        texts = [loaded.SerializeToString(), b"", b""]
        return [(onnx.TensorProto.UINT8, (len(text),), text) for text in texts]
