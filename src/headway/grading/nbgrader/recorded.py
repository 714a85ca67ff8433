"""The gradebook's record of each submission of an assignment, and what its score depends on."""

import json
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from nbgrader.api import (
    Assignment,
    Grade,
    Gradebook,
    MissingEntry,
    SubmittedAssignment,
)

from headway.grading.digests import text_digest
from headway.grading.nbgrader.scores import stretch_checks
from headway.grading.results.cell_points import cell_points


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
        """What decides its score and penalty, by the names in `score_changes.CAUSES`."""
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
    """A digest of the points by hand, by student, for students with any."""
    entered, bonus = defaultdict(list), stretch_checks(assignment)
    columns = Grade.cell_id, Grade.manual_score, Grade.extra_credit
    for student, name, cell, manual, extra in cell_points(gradebook, assignment, *columns):
        if _number(manual) is not None:
            entered[student].append((cell, manual))
        if _number(extra) and name not in bonus:
            entered[student].append((cell, "extra", extra))
    return {
        student: text_digest(json.dumps(sorted(some, key=str))) for student, some in entered.items()
    }


@dataclass(frozen=True)
class HandPoints:
    """The points that somebody gave a cell by hand.

    Attributes:
        manual: the score in place of the automatic one; None if there is none.
        extra: extra credit.
        saved_since: whether they were saved after the notebook was recorded.
    """

    manual: float | None
    extra: float
    saved_since: bool


def points_by_hand(gradebook: Gradebook, assignment: str) -> dict[str, dict[str, HandPoints]]:
    """Points by hand, by student and by grade_id.

    Extra credit of a stretch task is its bonus, and counts as automatic.
    """
    bonus = stretch_checks(assignment)
    columns = Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade
    given = Grade.manual_score.is_not(None) | Grade.extra_credit.is_not(None)
    found: dict[str, dict[str, HandPoints]] = defaultdict(dict)
    rows = cell_points(gradebook, assignment, *columns).filter(given)
    for student, name, manual, extra, marked in rows:
        extra = 0.0 if name in bonus else _number(extra) or 0.0
        if _number(manual) is not None or extra:
            found[student][name] = HandPoints(_number(manual), extra, not marked)
    return dict(found)


def forget_time(gradebook: Gradebook, assignment: str, student: str) -> None:
    """Forget when a student handed in.

    nbgrader would keep the time of an earlier submission for one that has none.
    """
    with suppress(MissingEntry):
        gradebook.find_submission(assignment, student).timestamp = None
        gradebook.db.commit()


def is_taken_in(gradebook: Gradebook, assignment: str) -> bool:
    """Whether the gradebook has an assignment's notebook, and not just its name and due date."""
    try:
        return bool(gradebook.find_assignment(assignment).notebooks)
    except MissingEntry:
        return False


def forget_begun(gradebook: Gradebook, assignment: str) -> None:
    """Remove what `nbgrader autograde` left of submissions if the notebook was not taken in yet.

    As long as it is there, nbgrader would not take the notebook in.
    """
    if is_taken_in(gradebook, assignment):
        return
    for submission in gradebook.db.query(SubmittedAssignment).filter(
        SubmittedAssignment.name == assignment, SubmittedAssignment.extension.is_(None)
    ):
        gradebook.db.delete(submission)
    gradebook.db.commit()


def bonuses(gradebook: Gradebook, assignment: str) -> dict[tuple[str, str], float]:
    """Student and grade_id → the extra credit of a stretch task."""
    names = stretch_checks(assignment)
    rows = cell_points(gradebook, assignment, Grade.extra_credit)
    return {
        (student, name): _number(extra) or 0.0 for student, name, extra in rows if name in names
    }


def _number(value: object) -> float | None:
    # Some databases keep an empty text, which the formgrader sends for an empty field.
    return float(value) if isinstance(value, int | float) else None


def due_dates_of(gradebook: Gradebook) -> dict[str, datetime | None]:
    """The due date of each assignment in the gradebook, in nbgrader's form; None without one."""
    return dict(gradebook.db.query(Assignment.name, Assignment.duedate).all())
