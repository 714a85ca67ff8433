"""Submissions that a busy machine did not grade to their end, and what ended a session."""

from headway.grading.allowance import Allowance
from headway.grading.execution.conversation import SessionLost
from headway.grading.intake.submitted_cells import SetAside
from headway.grading.sandbox.session import Session, SessionError


class NotDone(SetAside):
    """A submission is not done after the wall time that it may take; the next run tries again."""

    def __init__(self, seconds: float):
        super().__init__(
            f"It was not judged to its end in {seconds / 60:g} minutes, and for most of them it "
            "waited for a busy machine. The next run tries again."
        )


def ended_by(session: Session, lost: SessionLost, allowance: Allowance) -> str | None:
    """The limit that ended a session, "memory_bytes" or "cpu_seconds"; None if none did.

    Raises:
        NotDone, SessionError: if the machine is to blame.
    """
    limit = session.ended_by_limit()
    if limit == "wall_seconds":
        raise NotDone(allowance.wall_seconds) from lost
    if limit is None and session.ended_by_machine():
        raise SessionError("this machine ran out of memory, and ended processes") from lost
    return limit
