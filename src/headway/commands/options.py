"""Options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

from headway.errors import UserError

Number = Annotated[str, typer.Argument(metavar="NN", help="Number or name of an assignment.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")]
Work = Annotated[Path, typer.Option("--folder", help="Where your work is.", file_okay=False)]
Type = Annotated[str | None, typer.Option(metavar="TYPE", help="float32, bfloat16 or float16.")]
Device = Annotated[str | None, typer.Option(help="cpu or cuda; a GPU if there is one.")]


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


CourseFolder = Annotated[
    Path | None,
    typer.Option(
        "--course",
        metavar="DIR",
        help="Your course folder, if you are not in it.",
        callback=_of_a_course,
    ),
]
