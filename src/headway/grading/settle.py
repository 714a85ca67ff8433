"""The end of a run: what rests on more than a submission, brought up to date and told.

Due dates, extensions, the plug-in of penalties and points by hand change without any submission
that would be graded again. So after each run whose score or penalty is another than before has it
in the journal, with its cause, and on the page.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from headway.grading.course import Course
from headway.grading.history import Standing, brought_up_to_date, standing_of
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.standings import Recorded

AGAIN = "it was graded again"
OTHERWISE = "nbgrader graded it, or somebody changed the gradebook"


def with_other_pages(course: Course, journal: Journal, students: Iterable[str]) -> list[str]:
    """Whose page tells another penalty, points by hand or comments than the gradebook has now."""
    return [
        student
        for student, entry, now in _graded(course, journal, students)
        if (earlier := standing_of(entry))
        and _on_page(earlier.penalty, earlier.rests_on) != _on_page(now.penalty, now.rests_on())
    ]


def _on_page(penalty: float, rests_on: Mapping[str, str]) -> tuple[float, str, str]:
    return penalty, rests_on.get("hand", ""), rests_on.get("comments", "")


def tell_histories(
    course: Course, journal: Journal, students: Iterable[str], recorded: Collection[str]
) -> None:
    """Write into the journal whose score or penalty changed, and why.

    Args:
        students: who has handed in.
        recorded: who was recorded in this run.
    """
    plug_in = {"penalty": course.penalties_rest_on()}
    for student, entry, now in _graded(course, journal, students):
        rests_on = {**entry.key, **now.rests_on(), **plug_in}
        standing = Standing(now.counts, now.penalty, rests_on)
        brought = brought_up_to_date(entry, standing, AGAIN if student in recorded else OTHERWISE)
        if brought != entry:
            journal.write(student, brought)


def _graded(
    course: Course, journal: Journal, students: Iterable[str]
) -> Iterator[tuple[str, Entry, Recorded]]:
    """Those who are graded and recorded, with what journal and gradebook have of them."""
    in_gradebook = course.in_gradebook()
    for student in students:
        entry, now = journal.read(student), in_gradebook.get(student)
        if entry and entry.status == "graded" and entry.recorded and now:
            yield student, entry, now
