"""Wants more memory than there may be, and returns its first input as it is if it gets it."""


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        pass

    def load(self, model, folder):
        return bytearray(1 << 33)

    def run(self, loaded, inputs):
        return [inputs[0][1:]]
