"""Putting graded submissions into the gradebook, several in one transaction.

Opening the gradebook, finding the assignment in it and writing it to the disk takes the same time
for one submission as for many. What waits here stands in the journal already, so that a run that
is killed loses nothing of it. Where several cannot be recorded together, each is recorded alone:
one that nbgrader does not take is set aside, and takes no other with it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from headway.grading.intake.submission import Snapshot
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.convert import ConversionError
from headway.interrupts import held

MOST, LONGEST = 8, 2.0  # submissions that wait for a transaction, and seconds that one waits
PLAIN_REASONS = {
    "SchemaTooOldError": "The assignment's nbgrader data is of an old version.",
    "SchemaTooNewError": "The assignment's nbgrader data is of a newer version of nbgrader.",
}


@dataclass(frozen=True)
class GradedSubmission:
    """A submission that is graded and not recorded yet.

    Attributes:
        student: who handed it in.
        snapshot: what was handed in.
        entry: what the journal says of it.
        notebook: the graded one, as JSON.
    """

    student: str
    snapshot: Snapshot
    entry: Entry
    notebook: str


class RecordingQueue:
    """The way of graded submissions into the gradebook.

    Args:
        record: puts graded notebooks into the gradebook, all of them or none, as `Course.record`.
        journal: which holds them already, and learns that they are recorded.
    """

    def __init__(
        self, record: Callable[[Mapping[str, tuple[Snapshot, str]]], None], journal: Journal
    ):
        self._put, self._journal = record, journal
        self._waiting: list[GradedSubmission] = []
        self._since = 0.0

    def add(self, submission: GradedSubmission) -> list[str]:
        """Let one more wait; who is recorded by that, of whomever waited.

        Raises:
            UserError, MachineError: if the gradebook cannot be written.
        """
        self._since = self._since if self._waiting else time.monotonic()
        self._waiting.append(submission)
        is_due = len(self._waiting) >= MOST or time.monotonic() - self._since > LONGEST
        return self.flush() if is_due else []

    def flush(self) -> list[str]:
        """Record all that wait; who is recorded. Raises what `add` raises."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return []
        try:
            self._record(waiting)
            return [one.student for one in waiting]
        except ConversionError:
            return [one.student for one in waiting if self._is_recorded_alone(one)]

    def _is_recorded_alone(self, one: GradedSubmission) -> bool:
        try:
            self._record([one])
        except ConversionError as error:
            kind = type(error.__cause__).__name__
            reason = PLAIN_REASONS.get(kind, f"nbgrader could not record it. {error}")
            aside = replace(one.entry, status="set-aside", key={}, reason=reason, tasks={})
            self._journal.write(one.student, aside)
            return False
        return True

    @held()
    def _record(self, waiting: Sequence[GradedSubmission]) -> None:
        """Record some, all of them or none. Raises what `record` raises."""
        self._put({one.student: (one.snapshot, one.notebook) for one in waiting})
        for one in waiting:
            self._journal.mark_recorded(one.student, one.entry)
