"""Right, and slow enough to be stopped in the middle."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "diagnosis"))

import deviant


class Adapter(deviant.Adapter):
    def __init__(self, variant):
        super().__init__(variant or "ties-away")

    def run(self, loaded, inputs):
        time.sleep(0.02)
        return super().run(loaded, inputs)
