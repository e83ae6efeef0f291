"""Says whether its model file is the model, then rewrites that file and all beside it."""

from pathlib import Path


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        pass

    def load(self, model, folder):
        same = Path(folder, "model.onnx").read_bytes() == model
        for file in Path(folder).iterdir():
            file.write_bytes(b"rewritten")
        return same

    def run(self, loaded, inputs):
        return [(2, (1,), b"\1" if loaded else b"\0")]
