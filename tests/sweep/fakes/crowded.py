"""Right but for the last element of a call, which it gives as the first where there are several.

So no single element fails, and of a call with two only the second. Where its variant is ``dies`` it
is right, but dies of an x of 7; where that is ``short`` it leaves the last byte out.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "diagnosis"))

import deviant


class Adapter(deviant.Adapter):
    def __init__(self, variant):
        super().__init__("right")
        self.way = variant

    def run(self, loaded, inputs):
        data = inputs[0][3]
        if self.way == "dies":
            if 7 in data:
                os.abort()
            return super().run(loaded, inputs)
        ((code, shape, right),) = super().run(loaded, inputs)
        if self.way == "short":
            return [(code, shape, right[:-1])]
        width = len(right) // (shape[0] * shape[1])
        return [(code, shape, right[:-width] + right[:width])]
