"""`headway class feedback`: an assignment's feedback, as one archive for Canvas or Moodle.

The exit code is 1 if a graded student's feedback is not in the archive, or is from before
something changed.
"""

from pathlib import Path
from typing import Annotated

import typer

from headway.chapters import hidden_modules
from headway.commands.console import say
from headway.commands.export import assignment_name, log_of, tell_outdated
from headway.commands.options import CourseFolder, Number
from headway.errors import NOT_PASSED, PASSED, UserError, needs_extra
from headway.grading.slow_imports import skip_slow_imports

NEXT = {
    "Canvas": "In Canvas: Grades, the menu of the assignment's column, Re-Upload Submissions.",
    "Moodle": "In Moodle: the assignment's Submissions, Actions, Upload multiple feedback files "
    "in a zip.",
}


def feedback(
    number: Number,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="What the platform offers to download: Canvas's archive of submissions, or "
            "Moodle's grading worksheet.",
        ),
    ],
    folder: CourseFolder = None,
    students: Annotated[
        list[str] | None,
        typer.Option("--student", metavar="STUDENT", help="Only this student's feedback."),
    ] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE.zip", help="Where to write. Default: feedback.zip.")
    ] = None,
) -> int:
    """Write everybody's feedback into one archive for Canvas or Moodle to take apart."""
    students = students or []
    skip_slow_imports()
    with needs_extra("grade", "headway class feedback"):
        import headway.grading.results.feedback  # noqa: F401 - nbgrader will import it by name
        from headway.grading.copies import read_collected
        from headway.grading.course import Course
        from headway.grading.exports.feedback import FeedbackExport
        from headway.grading.exports.places import NOTEBOOK, places_in
        from headway.grading.journal import Journal
        from headway.grading.nbgrader.feedback import notebook_of, write_feedback
        from headway.grading.score_changes import changes_of
    name = assignment_name(number)
    course = Course.open(folder, name, hidden_modules(), may_be_empty=True)
    files = course.files
    to = to or Path(FeedbackExport.default_name)
    if to.resolve() == file.resolve():
        raise UserError(f"{file} is the platform's file. Name another one with --to.")
    config = course.config.copy()
    config.ExportPlugin.assignment = [name]
    config.ExportPlugin.student = students
    config.ExportPlugin.to = str(to)
    export = FeedbackExport(config=config, folder=files.folder, log=log_of("feedback"))
    with course.at_work():
        with course.gradebook.opened() as book:
            places = places_in(file, name, book.students, read_collected(files.state).groups)
            graded = export.graded_students(book)
        changes = changes_of(Journal(files.state), graded)
        with course.gradebook.opened() as book:
            failed = write_feedback(files, course.config, book, graded, changes)
            for student, error in failed.items():
                places.names.pop(student, None)
                places.wrong[student] = f"their page cannot be made ({error})"

            def read(student: str, name: str) -> str:
                if name.endswith(NOTEBOOK):
                    graded_notebook, said = files.autograded(student), changes.get(student, ())
                    return notebook_of(book, files.assignment, student, graded_notebook, said)
                return files.feedback(student).read_text(encoding="utf-8")

            packed, left_out = export.pack(book, places, read)
        outdated = tell_outdated(course, name, students)
    size = to.stat().st_size
    size = f"{size / 1e6:.1f} MB" if size > 1e6 else f"{size / 1e3:.0f} kB"
    say(f"Wrote {to}: {packed} {'student' if packed == 1 else 'students'}, {size}.")
    say(NEXT[places.platform])
    return NOT_PASSED if left_out or outdated else PASSED
