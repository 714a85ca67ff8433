"""`headway class collect`: submissions, taken from what Canvas or Moodle gave for download.

The exit code is 1 if something was handed in that cannot be graded as it is.
"""

from collections.abc import Iterable
from datetime import UTC
from pathlib import Path
from typing import Annotated

import typer

from headway.chapters import find_chapter, hidden_modules
from headway.commands.console import note, say
from headway.commands.options import CourseFolder, Number
from headway.errors import NOT_PASSED, PASSED, UserError, needs_extra
from headway.grading.slow_imports import skip_slow_imports

MOST_NAMES = 20


def collect(
    number: Number,
    archives: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[ARCHIVE.zip]",
            help=(
                "What Canvas or Moodle gave for download, or a folder with it; the newest last. "
                "Without one, it is only decided again which of the collected copies count."
            ),
        ),
    ] = None,
    folder: CourseFolder = None,
    worksheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE.csv", help="Moodle's grading worksheet of the assignment."),
    ] = None,
    zone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="Time zone of the worksheet's times.")
    ] = None,
    late_at: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN",
            help=(
                'When late work was handed in, as "2026-04-01 12:00 Europe/Berlin", since Canvas '
                "does not say."
            ),
        ),
    ] = None,
    groups: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv",
            help="A table with the columns group and student: one submission for all of a group.",
        ),
    ] = None,
) -> int:
    """Collect submissions from what Canvas or Moodle gave for download."""
    chapter = find_chapter(number)
    skip_slow_imports()
    with needs_extra("grade", "headway class collect"):
        from headway.grading.collecting.collect import Given
        from headway.grading.collecting.collect import collect as collect_from
        from headway.grading.course import Course
        from headway.grading.desk.course import class_names
        from headway.grading.due_dates import zone_of
        from headway.grading.safe_text import listed, visible, with_name
        from headway.grading.times import TimeError, read_moment
    if not archives and (worksheet or late_at or groups):
        raise UserError(
            "Name the archive that Canvas or Moodle gave you; without one, it is only decided "
            "again which of the collected copies count."
        )
    if zone and not worksheet:
        raise UserError(
            "--zone is the zone of the worksheet's times. Name the worksheet: --worksheet FILE.csv."
        )
    zoned = zone_of(zone) if zone else None
    try:
        moment = read_moment(late_at) if late_at else None
    except TimeError as error:
        raise UserError(f"--late-at: {error}") from error
    course = Course.open(folder, chapter.name, hidden_modules(), may_be_empty=True)
    with course.at_work():
        told = collect_from(course, Given(archives or [], worksheet, zoned, moment, groups))
        names = class_names(course.gradebook)

    def who(students: Iterable[str]) -> str:
        return listed([with_name(student, names) for student in students], MOST_NAMES)

    def shown(path: Path) -> str:
        return str(path.relative_to(course.files.folder))

    for source, platform in told.platforms.items():
        say(f"{source}: {platform}'s archive.")
    if archives:
        say(f"{len(told.first)} new, {len(told.newer)} newer, {told.known} as they were.")
    else:
        students = "student" if told.students == 1 else "students"
        say(f"Chose which copy counts, for {told.students} {students}.")
    if worksheet and not zone:
        note(
            "When they were handed in was not read. Name the zone of the worksheet's times: --zone"
        )
    for sentence in told.unread[:MOST_NAMES]:
        note(f"A time of the worksheet was not read. {visible(sentence)}")
    if told.late:
        counts = (
            f"counts from {told.late_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
            if told.late_at
            else "counts as in time, because the assignment has no due date here"
        )
        note(f"Late, as Canvas says, without saying by how much, so it {counts}: {who(told.late)}")
    if told.test_student:
        note("Left out: Canvas's Test Student.")
    if told.strangers:
        note(f"Not in the class list: {who(told.strangers)}")
    for student in told.kept:
        note(
            f"You changed {shown(course.files.submission(student))} since it was collected. It "
            "stays as it is."
        )
    for student, place in told.moved.items():
        note(
            f"{shown(course.files.submission(student))} was not what had been collected. It is in "
            f"{shown(place)} now, because another copy of {with_name(student, names)} counts."
        )
    for student, place in told.restored.items():
        note(
            f"{with_name(student, names)}: the copy that counts now is the one that you had "
            f"changed, so your version from {shown(place)} is in "
            f"{shown(course.files.submission(student))} again."
        )
    for student, place in told.late_instead.items():
        note(
            f"{with_name(student, names)} handed in again after the due date, and that late copy "
            f"counts. The last punctual one is in {shown(place)}."
        )
    if told.late_instead:
        note(
            "To let the last punctual copy count for everybody: c.Collecting.last_punctual = True "
            f"in nbgrader_config.py, then: headway class collect {number}"
        )
    if told.punctual:
        note(
            "The last punctual copy counts, and the later one is kept in "
            f"{shown(course.files.folder / 'collected' / chapter.name)}: {who(told.punctual)}"
        )
    for student, place in told.passed_over.items():
        note(
            f"The last punctual copy of {with_name(student, names)}, in {shown(place)}, can't be "
            "graded, so another one counts."
        )
    for student, reason in told.aside.items():
        say(f"{with_name(student, names)}: {visible(reason)}")
    for student, lost in told.lost.items():
        for file in lost:
            say(f"{with_name(student, names)}: Handed in {visible(file)}. Not collected.")
    for one in told.unclear:
        say(f"Nobody's for certain: {visible(one.path)}, because {one.why}.")
    if told.unclear:
        say(
            "Put such a file into "
            f"{shown(course.files.submitted)}/STUDENT/{chapter.name}/ if you know whose it is."
        )
    return NOT_PASSED if told.aside or told.lost or told.unclear else PASSED
