"""`headway class`: a class over all assignments, and what belongs to it."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import Course, Json, Number, app
from headway.errors import PASSED

group = typer.Typer(add_completion=False)
app.add_typer(group, name="class")
Platform = StrEnum("Platform", ["canvas", "moodle", "lti"])


@group.callback(invoke_without_command=True)
def class_(
    context: typer.Context,
    course: Annotated[
        Path | None,
        typer.Option("--course", metavar="DIR", help="Your course folder, if you are not in it."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Show a class over all assignments: who is behind, which mistakes recur, what is too hard."""
    if context.invoked_subcommand:
        context.obj = course
        return PASSED
    from headway.commands import class_ as command

    return command.run(course or Path(), as_json)


@group.command()
def due(
    number: Number,
    moment: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHEN]",
            help=(
                'The due date, as "2026-03-31 23:59 Europe/Berlin". The word none removes it. '
                "Without WHEN, it is shown."
            ),
        ),
    ] = None,
    course: Course = None,
    student: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="STUDENT", help="Only for this student; WHEN may be +1d12h, too."
        ),
    ] = None,
    zone: Annotated[
        list[str] | None,
        typer.Option(
            "--zone", metavar="ZONE", help="Time zone of WHEN, or one in which to show the dates."
        ),
    ] = None,
) -> int:
    """Show or set when an assignment is due, for all or for one student."""
    from headway.commands import due as command

    return command.run(number, course, moment, student, zone or [])


@group.command()
def similar(
    number: Number,
    course: Course = None,
) -> int:
    """Show answers to an assignment that resemble each other, side by side."""
    from headway.commands import similar as command

    return command.run(number, course)


@group.command()
def solutions(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Where the pages go: a folder that only you can read."),
    ],
    number: Annotated[
        str | None, typer.Argument(metavar="[NN]", help="One assignment; all if left out.")
    ] = None,
    course: Annotated[
        Path | None,
        typer.Option(
            "--course", metavar="DIR", help="Take them from this course folder's source/."
        ),
    ] = None,
) -> int:
    """Make pages of the assignments with their solutions, for those who teach."""
    from headway.commands import solutions as command

    return command.run(folder, number, course)


@group.command()
def roster(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="What the platform exported.")],
    course: Course = None,
    id_column: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="The column with the students' ids."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, but change nothing.")
    ] = False,
) -> int:
    """Import the class list from a file of Canvas or Moodle."""
    from headway.commands import roster as command

    return command.run(file, course, id_column, dry_run)


@group.command()
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
    course: Course = None,
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
    from headway.commands import collect as command

    return command.run(number, archives or [], course, worksheet, zone, late_at, groups)


@group.command()
def export(
    platform: Annotated[Platform, typer.Argument(help="lti sends, the others write a file.")],
    number: Annotated[
        list[str] | None, typer.Argument(metavar="[NN]", help="These assignments; all if left out.")
    ] = None,
    course: Course = None,
    student: Annotated[
        list[str] | None, typer.Option(metavar="STUDENT", help="Only this student's grades.")
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
    from headway.commands import export as command

    numbers, students = number or [], student or []
    return command.run(
        platform.value, numbers, course, students, to, gradebook, dry_run=dry_run, force=force
    )


@group.command()
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
    course: Course = None,
    student: Annotated[
        list[str] | None, typer.Option(metavar="STUDENT", help="Only this student's feedback.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE.zip", help="Where to write. Default: feedback.zip.")
    ] = None,
) -> int:
    """Write everybody's feedback into one archive for Canvas or Moodle to take apart."""
    from headway.commands import feedback as command

    return command.run(number, file, course, student or [], to)


@group.command()
def lti(
    course: Course = None,
    issuer: Annotated[
        str | None, typer.Option(metavar="URL", help="The platform's name for itself.")
    ] = None,
    client_id: Annotated[
        str | None, typer.Option(metavar="ID", help="The platform's name for this tool.")
    ] = None,
    token_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it gives access tokens.")
    ] = None,
    lineitems: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the course's grade items are.")
    ] = None,
    members: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the course's class list is.")
    ] = None,
    audience: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Audience of the token request. Default: --token-url."),
    ] = None,
) -> int:
    """Register this course folder with a learning platform, to send scores there (LTI 1.3)."""
    from headway.commands import lti as command

    given = {"issuer": issuer, "client_id": client_id, "token_url": token_url}
    given |= {"lineitems": lineitems, "members": members, "audience": audience}
    return command.run(course, given)
