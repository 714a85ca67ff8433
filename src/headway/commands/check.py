"""`headway check`: run a notebook in a fresh kernel and show the state of every task."""

import json
from pathlib import Path

from rich.table import Table
from rich.text import Text

from headway.chapters import UnknownChapterError, find_chapter
from headway.commands.console import err, out, progress, say
from headway.errors import NOT_PASSED, PASSED, UserError, needs_extra

MARKS = {
    "passed": ("✓", "green"),
    "partial": ("◐", "yellow"),
    "failed": ("✗", "red"),
    "untouched": ("○", "dim"),
}


def run(what: str, folder: Path, as_json: bool) -> int:
    """Run the notebook, print its state, and give the exit code."""
    path = _path(what, folder)
    with needs_extra("notebook", "headway check"):
        from headway.grading.notebook import check_cells, read_notebook, task_results
        from headway.grading.run import run_notebook
    notebook = read_notebook(path)
    assignments = dict.fromkeys(task_id.split("/")[0] for task_id in check_cells(notebook))
    if not assignments:
        raise UserError(
            f'{path} holds no check of this course: no cell like check("01-one-hot/…", …). '
            "Give the number of an assignment or the notebook of one."
        )
    with progress() as bar:
        cells = bar.add_task(f"running {path.name}", total=len(notebook.cells))
        alive = run_notebook(notebook, path.parent.resolve(), lambda: bar.advance(cells))
    results = [pair for name in assignments for pair in task_results(notebook, name)]
    score = sum(r.score for task, r in results if not task.bonus)
    most = sum(task.points for task, _ in results if not task.bonus)
    bonus = sum(r.score for task, r in results if task.bonus)
    if as_json:
        tasks = {task.id: {**r.as_dict(), "bonus": task.bonus} for task, r in results}
        report = {"notebook": str(path), "score": score, "max": most, "bonus": bonus}
        say(json.dumps({**report, "tasks": tasks}, ensure_ascii=False, indent=2))
    else:
        out.print(_table(results), soft_wrap=False)
        say(f"{score:g} of {most:g} points" + (f", and {bonus:g} bonus" if bonus else ""))
    if not alive:
        err.print("The kernel died before the last cell; what came after it did not run.")
    done = all(r.status == "passed" for task, r in results if not task.bonus)
    return PASSED if done else NOT_PASSED


def _path(what: str, folder: Path) -> Path:
    if what.endswith(".ipynb") or Path(what).is_file():
        return Path(what)
    try:
        chapter = find_chapter(what)
    except UnknownChapterError as error:
        raise UserError(f"{error} Or give the path of a notebook, FILE.ipynb.") from error
    path = folder / chapter.notebook
    if not path.exists():
        raise UserError(
            f"There is no {path} yet. Start with: headway start {chapter.number:02d} "
            "(or say with --folder where your work is)."
        )
    return path


def _table(results) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "task", "kind"):
        table.add_column(name)
    table.add_column("points", justify="right")
    table.add_column("what to know", ratio=1, overflow="fold")
    for task, result in results:
        mark, style = MARKS[result.status]
        hints = {m.name: m.hint for m in task.misconceptions}
        words = [result.reason or ""]
        if result.misconception:
            words.append(f"{result.misconception}: {hints[result.misconception]}")
        table.add_row(
            Text(mark, style),
            f"{task.title}\n{task.id}",
            "bonus" if task.bonus else task.kind,
            f"{result.score:g} of {task.points:g}",
            Text("\n".join(filter(None, words)) or result.status, style),
        )
    return table
