"""Cannot be fed bfloat16, nor be fed or read in int4, has no float16, and does not declare it."""

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator


class NotRunnable(Exception):  # noqa: N818
    pass


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        pass

    def load(self, model, folder):
        proto = onnx.load_from_string(model)
        return ReferenceEvaluator(proto)

    def run(self, loaded, inputs):
        feeds = {}
        for name, code, shape, data in inputs:
            if code in {16, 22}:
                raise NotRunnable("no bfloat16" if code == 16 else "no int4")
            proto = onnx.TensorProto(data_type=code, dims=shape, raw_data=data)
            feeds[name] = numpy_helper.to_array(proto)
        outputs = loaded.run(None, feeds)
        if any(output.dtype.name == "int4" for output in outputs):
            raise NotRunnable("no int4")
        outputs = [o.astype(np.float32) if o.dtype == np.float16 else o for o in outputs]
        protos = [numpy_helper.from_array(output) for output in outputs]
        return [(p.data_type, tuple(p.dims), p.raw_data) for p in protos]
