"""`headway class solutions`: the assignments with their solutions, as pages for whoever teaches."""

from pathlib import Path
from typing import Annotated

import typer

from headway.chapters import ASSIGNMENTS, Chapter, find_chapter, solution_notebook
from headway.commands.console import note, say
from headway.errors import PASSED, UserError, needs_extra


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
    chosen = [find_chapter(number)] if number else list(ASSIGNMENTS)
    with needs_extra("grade", "headway class solutions"):
        from headway.grading.desk.solutions import require_private, write_solutions
    require_private(folder)
    notebooks = {chapter: _notebook(chapter, course) for chapter in chosen}
    there = {chapter: path for chapter, path in notebooks.items() if path and path.is_file()}
    if not there:
        what = f"of {chosen[0].name} " if number else ""
        where = f"in {course / 'source'}" if course else "here"
        raise UserError(
            f"There is no solution {what}{where}. They are in solutions/ of the course's "
            "checkout, or in source/ of a course folder that you name with --course."
        )
    first = write_solutions(there, folder)
    say(f"Solutions of {len(there)} {'assignment' if len(there) == 1 else 'assignments'}: {first}")
    note("Keep them where no student can read them.")
    return PASSED


def _notebook(chapter: Chapter, course: Path | None) -> Path | None:
    return course / "source" / chapter.notebook if course else solution_notebook(chapter)
