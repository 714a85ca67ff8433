"""Open a course folder for all of its assignments rather than for one."""

from pathlib import Path

from headway.chapters import ASSIGNMENTS, hidden_modules
from headway.errors import UserError
from headway.grading.course import Course
from headway.grading.platforms.roster import names_of


def open_course(folder: Path, may_be_empty: bool = False, dry_run: bool = False) -> Course:
    """A course folder.

    Args:
        may_be_empty: accept a folder without any course files.
        dry_run: leave the folder's settings as they are.

    Raises:
        UserError: if the folder does not exist, is not writable, or is not a course folder.
    """
    course = Course(folder, ASSIGNMENTS[0].name, hidden_modules(), True, dry_run)
    if not (may_be_empty or _holds_a_course(course)):
        raise UserError(
            f"{course.folder} is not a course folder: it has no gradebook and no folder "
            f"{course.submitted.name}/, source/ or reports/. Name yours with --course, or put what "
            f"was handed in into {course.submitted}/STUDENT/{course.assignment}/."
        )
    return course


def class_names(course: Course) -> dict[str, str]:
    """The names of a course's students, by id; empty if there is no gradebook yet."""
    if not course.gradebook_file.exists():
        return {}
    with course.gradebook() as gradebook:
        return names_of(gradebook)


def _holds_a_course(course: Course) -> bool:
    folders = (course.submitted, course.folder / "source", course.folder / "reports")
    return course.gradebook_file.exists() or any(map(Path.is_dir, folders))
