"""What one case can show on one backend."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The verdicts, in the order in which tables show them."""

    EXACT = "exact"
    PERMITTED = "permitted"
    REJECTED = "rejected"
    OPEN = "open"
    REFUSED = "refused"
    NOT_RUNNABLE = "not_runnable"
    WRONG_VALUE = "wrong_value"
    WRONG_SHAPE = "wrong_shape"
    WRONG_TYPE = "wrong_type"
    ACCEPTED_INVALID = "accepted_invalid"
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    HARNESS_ERROR = "harness_error"

    @property
    def is_failure(self) -> bool:
        """Whether the backend is at fault."""
        return self in _FAILURES

    @property
    def is_error(self) -> bool:
        """Whether the suite, the harness or an adapter is at fault."""
        return self is Verdict.HARNESS_ERROR

    @property
    def is_unsupported(self) -> bool:
        """Whether a valid model was not run: neither passed nor failed."""
        return self in {Verdict.REFUSED, Verdict.NOT_RUNNABLE}


_FAILURES = frozenset(
    {
        Verdict.WRONG_VALUE,
        Verdict.WRONG_SHAPE,
        Verdict.WRONG_TYPE,
        Verdict.ACCEPTED_INVALID,
        Verdict.CRASHED,
        Verdict.TIMED_OUT,
    }
)
