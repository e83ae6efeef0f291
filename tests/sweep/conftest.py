from __future__ import annotations

import sys
from pathlib import Path

# The oracle, which the tests of the reference keep, and how the command line is run.
for folder in ("reference", "cli"):
    sys.path.append(str(Path(__file__).parents[1] / folder))
