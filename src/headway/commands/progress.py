"""`headway progress`: what is passed so far, by what the checks in saved notebooks said."""

from pathlib import Path

from rich.table import Table
from rich.text import Text

from headway.chapters import ASSIGNMENTS, Chapter
from headway.commands.console import note, out, say, say_json
from headway.commands.options import Json, Work
from headway.commands.results import MARKS, Results, as_data, in_words, is_done
from headway.commands.work import WORK, work_on
from headway.errors import BAD_INPUT, UserError, needs_extra


def progress(folder: Work = WORK, as_json: Json = False) -> int:
    """Show what you have passed so far in your saved notebooks."""
    places = {chapter: work_on(chapter, folder) for chapter in ASSIGNMENTS}
    if not folder.is_dir() and not any(path.exists() for path in places.values()):
        raise UserError(
            f"There is no folder {folder}. Start with: headway start {ASSIGNMENTS[0].number:02d} "
            "(or say with --folder where your work is)."
        )
    found: dict[str, Results | None] = {}
    unread: dict[str, str] = {}
    for chapter, path in places.items():
        try:
            found[chapter.name] = _saved(path, chapter)
        except (UserError, PermissionError) as error:
            found[chapter.name], unread[chapter.name] = None, str(error)
    if as_json:
        chapters = {name: as_data(results) if results else None for name, results in found.items()}
        report = {"folder": str(folder), "chapters": chapters, "unread": unread}
        say_json(report)
    else:
        _show(found, unread)
    for sentence in unread.values():
        note(sentence)
    return BAD_INPUT if unread else 0


def _saved(path: Path, chapter: Chapter) -> Results | None:
    """How an assignment's tasks stand by its notebook's outputs; None if it was not begun."""
    if not path.exists() and not path.is_symlink():
        return None
    with needs_extra("notebook", "headway progress"):
        from headway.grading.notebooks.assignment import read_notebook, saved_results
    return saved_results(read_notebook(path), chapter.name)


def _show(found: dict[str, Results | None], unread: dict[str, str]) -> None:
    for chapter in ASSIGNMENTS:
        results = found[chapter.name]
        state = "cannot be read" if chapter.name in unread else "not begun"
        say(f"{chapter.number:02d} · {chapter.title}: {in_words(results) if results else state}")
        if results:
            out.print(_table(results), soft_wrap=False)
            say("")
    begun = [pair for results in found.values() for pair in results or ()]
    left = [name for name, results in found.items() if not (results and is_done(results))]
    say(f"{len(found) - len(left)} of {len(found)} assignments done.")
    if begun:
        say(f"{in_words(begun)} in what you have begun, by the checks you saved.")
        say("A check counts here once its notebook is saved; headway check NN saves nothing.")
    if left and left[0] not in unread:
        say(f"Go on with: headway start {left[0][:2]}")


def _table(results: Results) -> Table:
    """A line for each task; what there is to know of it, its check has said."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for task, result in results:
        mark, style = MARKS[result.status]
        bonus = " bonus" if task.bonus else ""
        state = "not checked yet" if result.status == "untouched" else result.misconception or ""
        table.add_row(
            Text(mark, style),
            task.title,
            f"{result.score:g} of {task.points:g}{bonus}",
            Text(state, style),
        )
    return table
