"""Returns the bytes of the file weights.bin beside the model, then spoils what it was given.

Without such a file it refuses, with the path of the model.
"""

from pathlib import Path


class Adapter:
    version = "1.0"

    def __init__(self, variant):
        pass

    def load(self, model, folder):
        assert Path(folder, "model.onnx").read_bytes() == model
        weights = Path(folder, "weights.bin")
        if not weights.is_file():
            raise OSError(f"no weights beside {folder}/model.onnx")
        data = weights.read_bytes()
        weights.write_bytes(b"")
        return data

    def run(self, loaded, inputs):
        return [(2, (len(loaded),), loaded)]
