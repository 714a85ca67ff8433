"""What the gradebook says of each submission of an assignment, and what it rests that on."""

import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    SubmittedAssignment,
    SubmittedNotebook,
)

from headway.grading.digests import text_digest


@dataclass(frozen=True)
class Recorded:
    """A submission as the gradebook has it.

    Attributes:
        score: with the bonus and with points by hand, before the penalty.
        most: the assignment's points without bonus.
        penalty: for being late.
        due: when it was due, without an extension; in UTC, and with no time zone, as nbgrader has
            all its times.
        extension: that the student was given.
        handed_in: when.
        by_hand: a digest of the points that people gave; empty if they gave none.
        comments: a digest of the comments that people wrote; empty if they wrote none.
    """

    score: float
    most: float
    penalty: float = 0.0
    due: datetime | None = None
    extension: timedelta | None = None
    handed_in: datetime | None = None
    by_hand: str = ""
    comments: str = ""

    @property
    def counts(self) -> float:
        """The points that count."""
        return max(0.0, self.score - self.penalty)

    @property
    def late(self) -> timedelta | None:
        """How long after it was due it was handed in; None if that was in time."""
        if self.due is None or self.handed_in is None:
            return None
        late = self.handed_in - self.due - (self.extension or timedelta())
        return late if late > timedelta() else None

    def on_page(self, *graded: object) -> str:
        """A digest of what a feedback page tells of it.

        Args:
            graded: what tells one grading from another, as JSON data.
        """
        points = [self.score, self.most, self.penalty]
        return text_digest(json.dumps([*graded, *points, self.by_hand, self.comments]))

    def rests_on(self) -> dict[str, str]:
        """What its score and penalty rest on in the gradebook, by a name of `history.CAUSES`.

        The comments are among it, too: they cause no change of a score, but one of its page.
        """
        times = {"due": self.due, "extension": self.extension}
        words = {"hand": self.by_hand, "comments": self.comments}
        return {**{name: str(time or "") for name, time in times.items()}, **words}


def recorded_submissions(gradebook: Gradebook, assignment: str) -> dict[str, Recorded]:
    """What the gradebook has of an assignment, by student."""
    by_hand = _of_people(gradebook, assignment, Grade, Grade.manual_score)
    comments = _of_people(gradebook, assignment, Comment, Comment.manual_comment)
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
        student: Recorded(
            *(score, most, penalty or 0.0, due, extension, handed_in),
            by_hand=by_hand.get(student, ""),
            comments=comments.get(student, ""),
        )
        for student, score, most, penalty, extension, handed_in in rows
    }


def _of_people(gradebook: Gradebook, assignment: str, table: type, column: Any) -> dict[str, str]:
    """A digest of what people entered into a column, by student; for those with any."""
    entered = defaultdict(list)
    rows = (
        gradebook.db.query(SubmittedAssignment.student_id, table.cell_id, column)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(table, table.notebook_id == SubmittedNotebook.id)
        .filter(SubmittedAssignment.name == assignment, column.is_not(None))
    )
    for student, cell, value in rows:
        if value != "":  # not asked of the database: some compare no number with a text
            entered[student].append((cell, value))
    return {student: text_digest(json.dumps(sorted(some))) for student, some in entered.items()}


def due_dates_of(gradebook: Gradebook) -> dict[str, datetime | None]:
    """When each assignment of the gradebook is due, as nbgrader has times; None for never."""
    return dict(gradebook.db.query(Assignment.name, Assignment.duedate).all())
