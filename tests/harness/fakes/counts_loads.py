"""Says how many models it has loaded, as a uint8. Needs the standard library alone."""


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        self.loads = 0

    def load(self, model, folder):
        self.loads += 1
        return self.loads

    def run(self, loaded, inputs):
        return [(2, (1,), bytes([loaded]))]
