"""Named, plausible wrong implementations: the suite must catch each, and diagnosis names them."""
