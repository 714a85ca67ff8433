"""A course folder that is opened for all of its assignments, and not for one."""

from pathlib import Path

from headway.chapters import ASSIGNMENTS, hidden_modules
from headway.errors import UserError
from headway.grading.course import Course
from headway.grading.platforms.roster import names_of


def open_course(folder: Path, may_be_empty: bool = False) -> Course:
    """A course folder.

    Args:
        may_be_empty: nothing needs to be in it yet.

    Raises:
        UserError: if there is no such folder, it cannot be written, or is no course's.
    """
    course = Course(folder, ASSIGNMENTS[0].name, hidden_modules(), may_be_empty=True)
    if not (may_be_empty or _holds_a_course(course)):
        raise UserError(
            f"{course.folder} is not a course folder: it has no gradebook and no folder "
            f"{course.submitted.name}/, source/ or reports/. Name yours with --course, or put what "
            f"was handed in into {course.submitted}/STUDENT/{course.assignment}/."
        )
    return course


def class_names(course: Course) -> dict[str, str]:
    """The names of a course's students, by id; none where it has no gradebook yet."""
    if not course.gradebook_file.exists():
        return {}
    with course.gradebook() as gradebook:
        return names_of(gradebook)


def _holds_a_course(course: Course) -> bool:
    folders = (course.submitted, course.folder / "source", course.folder / "reports")
    return course.gradebook_file.exists() or any(map(Path.is_dir, folders))
