"""The errors that a user of the harness can meet; each message is one that helps."""

from __future__ import annotations


class HarnessError(Exception):
    """Something other than a verdict stopped the work; the message says what and what to do."""


class SuiteError(HarnessError):
    """A suite cannot be used at all."""


class CaseError(HarnessError):
    """One case of a suite cannot be used; the others can."""


class NotCrossingError(CaseError):
    """A case whose inputs or outputs have no way to a backend and back; no fault of anyone."""


class BackendError(HarnessError):
    """A backend is unknown, cannot be started, or keeps dying.

    Attributes:
        why: The reason alone, where the message says more.
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why or message


class RecordError(HarnessError):
    """A run record is incomplete or is none."""


class ExpectationError(HarnessError):
    """A file of expectations cannot be used, or is not about the suite."""


class ProfileError(HarnessError):
    """A profile cannot be used, or there is none of a name."""
