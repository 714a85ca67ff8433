"""The `headway` app, and options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

from headway.errors import DISTRIBUTION, UserError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Number = Annotated[str, typer.Argument(metavar="NN", help="Number or name of an assignment.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")]
Work = Annotated[Path, typer.Option("--folder", help="Where your work is.", file_okay=False)]


def _of_a_course(context: typer.Context, folder: Path | None) -> Path:
    """The folder; where one is, if nobody named any and that looks like a course folder."""
    from headway.grading.settings import HELD, holds_a_course

    folder = folder or context.obj  # named to `headway class`, before its own command
    if folder:
        return folder
    folder = Path()
    if not holds_a_course(folder):
        raise UserError(
            f"{folder.resolve()} is not a course folder: it has no {', '.join(HELD[:-1])} or "
            f"{HELD[-1]}. Go to yours or name it with --course; to begin one here, make the "
            f"folder {HELD[0]}."
        )
    return folder


Course = Annotated[
    Path | None,
    typer.Option(
        "--course",
        metavar="DIR",
        help="Your course folder, if you are not in it.",
        callback=_of_a_course,
    ),
]


def _version(asked: bool) -> None:
    """Print the course's version and exit, if it is asked for."""
    if asked:
        from headway.commands.console import say
        from headway.extras import course_version

        say(f"{DISTRIBUTION} {course_version()}")
        raise typer.Exit


@app.callback()
def headway(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_version, is_eager=True
        ),
    ] = False,
) -> None:
    """From one-hot to the KV cache: a course whose exercises grade themselves."""
