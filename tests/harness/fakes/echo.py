"""Returns its inputs. Needs the standard library alone."""


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        self.variant = variant

    def load(self, model, folder):
        return model

    def run(self, loaded, inputs):
        return [tensor[1:] for tensor in inputs]
