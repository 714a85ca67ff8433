"""`headway release`: bring what students get up to date with the solutions, or say what is not."""

from pathlib import Path
from typing import TYPE_CHECKING

from headway.chapters import ASSIGNMENTS, find_chapter, hidden_modules
from headway.checkout import course_root
from headway.commands.console import note, progress, say
from headway.errors import NOT_PASSED, PASSED, UserError, needs_extra
from headway.interrupts import stop_if_asked

if TYPE_CHECKING:
    from headway.grading.nbgrader.release import ReleaseFolders


def run(number: str | None, check_only: bool, course: Path | None = None) -> int:
    """Release one assignment or all; with `check_only` change nothing.

    Args:
        course: nbgrader's course folder, with solutions of its own; the checkout if left out.
    """
    with needs_extra("notebook", "headway release"):
        from headway.grading.nbgrader.release import check_release, release
        from headway.grading.notebooks.points import reweighting_warnings
    folders = _folders(course)
    chapters = [find_chapter(number)] if number else list(ASSIGNMENTS)
    if course and not number:
        chapters = [chapter for chapter in chapters if folders.solution(chapter.name).is_file()]
    if not chapters:
        raise UserError(
            f"There is no assignment in {folders.root / folders.source}. Expected notebooks like "
            f"{folders.source}/{ASSIGNMENTS[0].notebook}."
        )
    if course and not check_only:
        _complete(course.resolve())
    found, lines, warnings = [], [], []
    with progress() as bar:
        step = bar.add_task("releasing", total=len(chapters))
        for chapter in chapters:
            if check_only:
                found += check_release(folders, chapter.name)
            else:
                changed = release(folders, chapter.name)
                state = "released" if changed else "already up to date"
                lines.append(f"{folders.released}/{chapter.notebook}: {state}")
            warnings += reweighting_warnings(
                [folders.solution(chapter.name).read_text(encoding="utf-8")], chapter.name
            )
            bar.advance(step)
            stop_if_asked()
    for warning in warnings:
        note(warning)
    for line in found:
        note(line)
    if found:
        note("Bring it up to date with: headway release")
        return NOT_PASSED
    for line in lines or [f"{folders.released}/ is up to date with {folders.source}/."]:
        say(line)
    return PASSED


def _folders(course: Path | None) -> "ReleaseFolders":
    from headway.grading.nbgrader.release import ReleaseFolders

    if course is None:
        try:
            return ReleaseFolders(course_root())
        except FileNotFoundError as error:
            raise UserError(
                f"{error} Or release from the source/ of a course folder, with --course DIR."
            ) from error
    with needs_extra("grade", "headway release --course"):
        from nbgrader.coursedir import CourseDirectory

        from headway.grading.nbgrader.course_config import PlugIns, load_config
    with PlugIns(course).on_path():
        config = load_config(course.resolve(), {})
    directory = CourseDirectory(config=config)
    return ReleaseFolders(course, directory.source_directory, directory.release_directory, config)


def _complete(course: Path) -> None:
    """See to it that the settings of a course folder are there from the first command on."""
    from headway.grading.nbgrader.config_file import complete_config
    from headway.grading.nbgrader.course_config import PlugIns

    with PlugIns(course).on_path():
        complete_config(course, hidden_modules())
