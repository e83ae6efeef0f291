"""A search for models that a backend gets wrong, by the strategies of specs."""
