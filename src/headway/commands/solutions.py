"""`headway class solutions`: the assignments with their solutions, as pages for whoever teaches."""

from pathlib import Path

from headway.chapters import ASSIGNMENTS, Chapter, find_chapter, solution_notebook
from headway.commands.console import note, say
from headway.errors import PASSED, UserError, needs_extra


def run(folder: Path, number: str | None, course: Path | None) -> int:
    """Write the pages, and say where they are."""
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
