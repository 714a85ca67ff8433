"""The gradebook's record of each submission of an assignment, and what its score depends on."""

import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from nbgrader.api import (
    Assignment,
    Grade,
    Gradebook,
    SubmittedAssignment,
    SubmittedNotebook,
)

from headway.grading.digests import text_digest


@dataclass(frozen=True)
class RecordedSubmission:
    """The gradebook's record of a submission.

    Attributes:
        score: with the bonus and manual points, before the penalty.
        most: the assignment's points without bonus.
        penalty: the late penalty.
        due: the due date without an extension, in UTC without a time zone, like all times in
            nbgrader.
        extension: the student's extension.
        handed_in: when it was handed in.
        by_hand: a digest of the manual points; empty if there are none.
    """

    score: float
    most: float
    penalty: float = 0.0
    due: datetime | None = None
    extension: timedelta | None = None
    handed_in: datetime | None = None
    by_hand: str = ""

    @property
    def final_score(self) -> float:
        """The score less the penalty, at least 0."""
        return max(0.0, self.score - self.penalty)

    @property
    def late(self) -> timedelta | None:
        """How long after the due date and extension it was handed in; None if in time."""
        if self.due is None or self.handed_in is None:
            return None
        late = self.handed_in - self.due - (self.extension or timedelta())
        return late if late > timedelta() else None

    def rests_on(self) -> dict[str, str]:
        """What decides its score and penalty in the gradebook, by the names in `history.CAUSES`."""
        times = {"due": self.due, "extension": self.extension}
        return {name: str(time or "") for name, time in times.items()} | {"hand": self.by_hand}


def recorded_submissions(gradebook: Gradebook, assignment: str) -> dict[str, RecordedSubmission]:
    """The gradebook's submissions of an assignment, by student."""
    by_hand = _by_hand(gradebook, assignment)
    due = gradebook.db.query(Assignment.duedate).filter(Assignment.name == assignment).scalar()
    rows = gradebook.db.query(
        SubmittedAssignment.student_id,
        SubmittedAssignment.score,
        SubmittedAssignment.max_score,
        SubmittedAssignment.late_submission_penalty,
        SubmittedAssignment.extension,
        SubmittedAssignment.timestamp,
    ).filter(SubmittedAssignment.name == assignment)
    return {
        student: RecordedSubmission(
            *(score, most, penalty or 0.0, due, extension, handed_in),
            by_hand=by_hand.get(student, ""),
        )
        for student, score, most, penalty, extension, handed_in in rows
    }


def _by_hand(gradebook: Gradebook, assignment: str) -> dict[str, str]:
    """A digest of the manual points, by student, for students with any."""
    entered = defaultdict(list)
    rows = (
        gradebook.db.query(SubmittedAssignment.student_id, Grade.cell_id, Grade.manual_score)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .filter(SubmittedAssignment.name == assignment, Grade.manual_score.is_not(None))
    )
    for student, cell, value in rows:
        if value != "":  # not in SQL, since some databases cannot compare numbers with text
            entered[student].append((cell, value))
    return {student: text_digest(json.dumps(sorted(some))) for student, some in entered.items()}


def due_dates_of(gradebook: Gradebook) -> dict[str, datetime | None]:
    """The due date of each assignment in the gradebook, in nbgrader's form; None without one."""
    return dict(gradebook.db.query(Assignment.name, Assignment.duedate).all())
