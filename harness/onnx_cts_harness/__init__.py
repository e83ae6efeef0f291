"""Suite x backend -> verdicts: suite reader, adapters, worker, run record and summary."""
