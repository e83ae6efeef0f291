"""Refuses every model."""


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        pass

    def load(self, model, folder):
        raise ValueError("not one of mine")

    def run(self, loaded, inputs):
        raise AssertionError("nothing was loaded")
