"""Feedback pages of a class, written at the end of a run: they tell what the gradebook has then."""

from collections.abc import Sequence

from headway.errors import MachineError
from headway.grading.course import Course
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.nbgrader.feedback import generate_page, grades_of, is_ours, write_pages

# Such as a graded notebook that somebody took away; other errors of the system are of the machine.
OF_FILES = (FileNotFoundError, NotADirectoryError, IsADirectoryError)


def write_feedback(course: Course, students: Sequence[str]) -> dict[str, ConversionError]:
    """Write the pages of students, who are all in the gradebook.

    Where they cannot be written together, each is written alone: one that fails stops no other.

    Returns:
        whose page could not be made, and why.

    Raises:
        MachineError: if there is no room for it.
    """
    if not students:
        return {}
    if not is_ours(course.config):
        return _one_by_one(course, dict.fromkeys(students))
    with course.gradebook() as gradebook:
        grades = {one: grades_of(gradebook, course.assignment, one) for one in students}
    try:
        write_pages(grades, course.directory, course.config)
    except ConversionError:
        return _one_by_one(course, grades)
    return {}


def _one_by_one(course: Course, grades: dict[str, dict | None]) -> dict[str, ConversionError]:
    failed = {}
    for student, own in grades.items():
        try:
            if own is None:
                generate_page(student, course.directory, course.config)
            else:
                write_pages({student: own}, course.directory, course.config)
        except ConversionError as error:
            cause = error.__cause__
            if isinstance(cause, OSError) and not isinstance(cause, OF_FILES):
                raise MachineError(
                    f"The feedback of {student} cannot be written: {error} What was done is kept; "
                    "when there is room, the same command goes on."
                ) from error
            failed[student] = error
    return failed
