"""Commands for instructors: releasing, grading, a hub."""

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import Course, Number, app
from headway.errors import require_linux


@app.command()
def release(
    number: Annotated[
        str | None, typer.Argument(metavar="[NN]", help="One assignment; all if left out.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing, report what is out of date.")
    ] = False,
    course: Annotated[
        Path | None,
        typer.Option(
            "--course",
            metavar="DIR",
            help="Release from this course folder's source/ to its release/.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Give the course folder's source numbers and faults of its own first.",
            min=0,
        ),
    ] = None,
) -> int:
    """Make the students' notebooks in exercises/ from solutions/."""
    from headway.commands import release as command

    return command.run(number, check, course, seed)


@app.command()
def grade(
    number: Number,
    course: Course = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="STUDENT", help="Grade this student only.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also grade again what has not changed.")
    ] = False,
    no_feedback: Annotated[
        bool, typer.Option("--no-feedback", help="Write no pages for the students.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many to grade at a time. Default: one a core.", min=1),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Grade on the Dask cluster at this address."),
    ] = None,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Let submissions use this machine's GPUs.")
    ] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust-submissions", help="Grade without a sandbox. They can do whatever you can."
        ),
    ] = False,
) -> int:
    """Grade the submissions of an assignment."""
    require_linux("headway grade")
    from headway.commands import grade as command

    return command.run(
        number, course, only, force, not no_feedback, workers, scheduler, gpu=gpu, trust=trust
    )


@app.command()
def hub(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The classroom's folder; made the first time.")
    ],
    demo: Annotated[
        bool, typer.Option("--demo", help="Make accounts for a teacher and two students.")
    ] = False,
    teacher: Annotated[
        str | None, typer.Option(metavar="ACCOUNT", help="Who teaches; needed for a new classroom.")
    ] = None,
    address: Annotated[
        str, typer.Option(metavar="URL", help="Address in browsers, for a new classroom.")
    ] = "http://127.0.0.1:8000",
) -> int:
    """Run a JupyterHub with the assignments, nbgrader's exchange, the formgrader and the book."""
    require_linux("headway hub")
    from headway.commands import hub as command

    return command.run(folder, demo, teacher, address)
