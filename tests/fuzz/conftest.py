from __future__ import annotations

import sys
from pathlib import Path

# The right implementations, the oracle behind them, and how the command line is run.
for folder in ("generator", "reference", "cli"):
    sys.path.append(str(Path(__file__).parents[1] / folder))
