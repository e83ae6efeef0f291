"""A module such as users have: a backend of ONNX's Backend API, and its tests."""

import sys
import unittest

from onnx.backend.base import Backend, BackendRep
from onnx.reference import ReferenceEvaluator

from onnx_cts_harness import backend_test


class Rep(BackendRep):
    def __init__(self, model):
        self.evaluator = ReferenceEvaluator(model)

    def run(self, inputs, **kwargs):
        return self.evaluator.run(None, dict(zip(self.evaluator.input_names, inputs, strict=True)))


class UserBackend(Backend):
    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        return Rep(model)

    @classmethod
    def is_compatible(cls, model, device="CPU", **kwargs):
        return model.producer_name != "foreign"


if __name__ == "__main__":
    suite = sys.argv.pop(1)
    globals().update(backend_test(UserBackend, __name__, suite=suite).test_cases)

    unittest.main()
