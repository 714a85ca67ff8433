"""Open a course folder for all of its assignments rather than for one."""

from pathlib import Path

from headway.chapters import ASSIGNMENTS, hidden_modules
from headway.errors import UserError
from headway.grading.course import Course
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.platforms.roster import names_of


def open_course(folder: Path, may_be_empty: bool = False, dry_run: bool = False) -> Course:
    """A course folder.

    Args:
        may_be_empty: accept a folder without any course files.
        dry_run: leave the folder's settings as they are.

    Raises:
        UserError: if the folder does not exist, is not writable, or is not a course folder.
    """
    course = Course.open(folder, ASSIGNMENTS[0].name, hidden_modules(), True, dry_run)
    if not (may_be_empty or _holds_a_course(course)):
        files = course.files
        raise UserError(
            f"{files.folder} is not a course folder: it has no gradebook and no folder "
            f"{files.submitted.name}/, source/ or reports/. Name yours with --course, or put what "
            f"was handed in into {files.submitted}/STUDENT/{files.assignment}/."
        )
    return course


def class_names(file: GradebookFile) -> dict[str, str]:
    """The names of a course's students, by id; empty if there is no gradebook yet."""
    if not file.exists():
        return {}
    with file.opened() as gradebook:
        return names_of(gradebook)


def _holds_a_course(course: Course) -> bool:
    files = course.files
    folders = (files.submitted, files.folder / "source", files.folder / "reports")
    return course.gradebook.exists() or any(map(Path.is_dir, folders))
