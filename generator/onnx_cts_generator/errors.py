"""What goes wrong in writing a suite through no fault of the specs."""

from __future__ import annotations


class GenerateError(Exception):
    """A suite that cannot be written or compared: one line that says where, what and what to do."""
