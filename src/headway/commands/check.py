"""`headway check`: run a notebook in a fresh kernel and show the state of every task."""

from pathlib import Path
from typing import Annotated

import typer

from headway.chapters import UnknownChapterError, find_chapter
from headway.commands.console import err, note, out, progress, say, say_json
from headway.commands.options import Json, Work
from headway.commands.results import as_data, in_words, is_done, task_table
from headway.commands.work import WORK, work_on
from headway.errors import NOT_PASSED, PASSED, UserError, needs_extra
from headway.interrupts import stop_if_asked


def check(
    what: Annotated[str, typer.Argument(metavar="NN|FILE.ipynb", help="What to run.")],
    folder: Work = WORK,
    as_json: Json = False,
) -> int:
    """Run a notebook in a fresh kernel and show the state of every task."""
    path = _path(what, folder)
    with needs_extra("notebook", "headway check"):
        from headway.grading.notebooks.assignment import check_cells, read_notebook, task_results
        from headway.grading.notebooks.run import run_notebook
        from headway.grading.notebooks.verdicts import details_in
        from headway.tasks.engine.tries import FILE, are_recorded
    notebook = read_notebook(path)
    assignments = dict.fromkeys(task_id.split("/")[0] for task_id in check_cells(notebook))
    if not assignments:
        raise UserError(
            f'{path} has no check of this course, that is, no cell like check("01-one-hot/…", …). '
            "Give the number of an assignment or the notebook of one."
        )
    with progress() as bar:
        cells = bar.add_task(f"running {path.name}", total=len(notebook.cells))

        def advance() -> None:
            bar.advance(cells)
            stop_if_asked()

        alive = run_notebook(notebook, path.parent.resolve(), advance)
    results = [pair for name in assignments for pair in task_results(notebook, name)]
    if as_json:
        report = {"notebook": str(path), **as_data(results)}
        say_json(report)
    else:
        out.print(task_table(results, out.width), soft_wrap=False)
        checks = check_cells(notebook)
        for task, _ in results:
            if task.id in checks and (details := details_in(checks[task.id])):
                say(f"\n{task.title} ({task.id})\n{details}\n")
        say(in_words(results))
        if are_recorded(path.parent):
            note(f"Your checks are recorded in {path.parent / FILE}. See: headway tries")
    if not alive:
        err.print("The kernel died before the last cell; what came after it did not run.")
    return PASSED if is_done(results) else NOT_PASSED


def _path(what: str, folder: Path) -> Path:
    if what.endswith(".ipynb") or Path(what).is_file():
        return Path(what)
    try:
        chapter = find_chapter(what)
    except UnknownChapterError as error:
        raise UserError(f"{error} Or give the path of a notebook, FILE.ipynb.") from error
    path = work_on(chapter, folder)
    if not path.exists():
        raise UserError(
            f"There is no {path} yet. Start with: headway start {chapter.number:02d} "
            "(or say with --folder where your work is)."
        )
    return path
