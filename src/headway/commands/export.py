"""`headway class export`: grades for a learning platform, as a file or sent to it.

The exit code is 1 if some of the grades are from before something changed, or were not sent.
"""

import logging
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.chapters import ASSIGNMENTS, find_chapter
from headway.commands.console import Notes, note, say
from headway.commands.options import CourseFolder
from headway.errors import NOT_PASSED, PASSED, UserError, needs_extra
from headway.grading.slow_imports import skip_slow_imports

if TYPE_CHECKING:
    from headway.grading.course import Course

Platform = StrEnum("Platform", ["canvas", "moodle", "lti"])


def export(
    platform: Annotated[Platform, typer.Argument(help="lti sends, the others write a file.")],
    numbers: Annotated[
        list[str] | None, typer.Argument(metavar="[NN]", help="These assignments; all if left out.")
    ] = None,
    folder: CourseFolder = None,
    students: Annotated[
        list[str] | None,
        typer.Option("--student", metavar="STUDENT", help="Only this student's grades."),
    ] = None,
    to: Annotated[Path | None, typer.Option(metavar="FILE.csv", help="Where to write.")] = None,
    gradebook: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="The file that Canvas's gradebook exported, for its ids."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be sent, but send nothing.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Send again what was sent before, too.")
    ] = False,
) -> int:
    """Write grades for Canvas or Moodle to import, or send them to a platform by LTI."""
    skip_slow_imports()
    with needs_extra("grade", "headway class export"):
        from headway.grading.desk.course import open_course
        from headway.grading.exports import CanvasExport, MoodleExport
    students, sends = students or [], platform is Platform.lti
    for given, option, fits in (
        (to, "--to", not sends),
        (gradebook, "--gradebook", platform is Platform.canvas),
        (dry_run, "--dry-run", sends),
        (force, "--force", sends),
    ):
        if given and not fits:
            raise UserError(f"{option} is not for {platform}. See: headway class export --help")
    course = open_course(folder, dry_run=dry_run)
    config = course.config.copy()
    config.ExportPlugin.assignment = [assignment_name(number) for number in numbers or ()]
    config.ExportPlugin.student = students
    if sends:
        with needs_extra("lti", "headway class export lti"):
            from headway.grading.lti.sending import LtiExport

        with course.at_work(), course.gradebook.opened() as book:
            plug_in = LtiExport(config=config, folder=course.files.folder, log=log_of("export"))
            sent = plug_in.send(book, say, dry_run=dry_run, force=force)
            names = [it.name for it in plug_in.chosen_assignments(book)]
            return max([sent, *(tell_outdated(course, name, students) for name in names)])
    kind = {"canvas": CanvasExport, "moodle": MoodleExport}[platform]
    config.ExportPlugin.to = str(to or kind.default_name)
    if gradebook:
        config.CanvasExport.gradebook = str(gradebook)
    with course.plug_ins.on_path(), course.gradebook.opened() as book:
        plug_in = kind(config=config, folder=course.files.folder, log=log_of("export"))
        plug_in.export(book)
        say(f"Wrote {config.ExportPlugin.to}: {plug_in.counts(book)}")
        if plug_in.next_step:
            say(plug_in.next_step)
        names = [it.name for it in plug_in.chosen_assignments(book)]
        return max([tell_outdated(course, name, students) for name in names], default=PASSED)


def tell_outdated(course: "Course", assignment: str, students: list[str]) -> int:
    """Say whose grades are from before something changed; return 1 if anybody's are."""
    from headway.grading.outdated import outdated_grades

    for_now, by_hand = outdated_grades(course, assignment, students)
    for sentence in filter(None, (for_now, by_hand)):
        note(f"{assignment}: {sentence}")
    return NOT_PASSED if for_now else PASSED


def assignment_name(number: str) -> str:
    """The assignment's name; one of the instructor's own has no number."""
    known = {chapter.name for chapter in ASSIGNMENTS}
    return find_chapter(number).name if number.isdecimal() or number in known else number


def log_of(command: str) -> logging.Logger:
    """A command's log, whose warnings are shown beside the result."""
    log = logging.Logger(f"headway class {command}", logging.WARNING)
    log.addHandler(Notes())
    return log
