"""The end of a run: what rests on more than a submission, brought up to date and told.

Due dates, extensions, the plug-in of penalties and points by hand change without any submission
that would be graded again. So after each run whose score or penalty is another than before has it
in the journal, with its cause, and on the page.
"""

from collections.abc import Collection, Iterable, Iterator

from headway.grading.course import Course
from headway.grading.history import Standing, brought_up_to_date
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.standings import Recorded

AGAIN = "it was graded again"
OTHERWISE = "nbgrader graded it, or somebody changed the gradebook"


def tell_histories(
    course: Course,
    journal: Journal,
    students: Iterable[str],
    recorded: Collection[str],
) -> list[str]:
    """Write into the journal whose score or penalty changed, and why.

    Args:
        students: who has handed in.
        recorded: who was recorded in this run.

    Returns:
        whose score is one that they had before, for no reason that is known here: so it is where an
        older gradebook was put in the place of the last one.
    """
    older = []
    plug_in = {"penalty": course.penalties_rest_on()}
    for student, entry, now in _graded(course, journal, students):
        rests_on = {**entry.key, **now.rests_on(), **plug_in}
        standing = Standing(now.counts, now.penalty, rests_on)
        brought = brought_up_to_date(entry, standing, AGAIN if student in recorded else OTHERWISE)
        if brought != entry:
            journal.write(student, brought)
        if len(brought.history) > len(entry.history) and brought.history[-1]["why"] == OTHERWISE:
            older += [student] * any(step["score"] == now.counts for step in entry.history)
    return older


def _graded(
    course: Course, journal: Journal, students: Iterable[str]
) -> Iterator[tuple[str, Entry, Recorded]]:
    """Those who are graded and recorded, with what journal and gradebook have of them."""
    in_gradebook = course.in_gradebook()
    for student in students:
        entry, now = journal.read(student), in_gradebook.get(student)
        if entry and entry.status == "graded" and entry.recorded and now:
            yield student, entry, now
