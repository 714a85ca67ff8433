"""`headway tries`: the record of a student's own checks, which nobody keeps but the student."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from headway.chapters import ASSIGNMENTS, Chapter, find_chapter
from headway.commands.console import note, out, say
from headway.commands.options import Work
from headway.commands.work import WORK, work_on
from headway.errors import PASSED, UserError

Switch = StrEnum("Switch", ["on", "off", "show"])
WHAT_IT_IS = (
    "From now on each check you run adds a line to {} next to the notebook: when, which "
    "task, the result, and a code that changes when your answer does, but never the answer. "
    "The file is handed in only if you hand in the whole folder, as nbgrader's exchange does. "
    "To stop and delete it: headway tries off"
)


def tries(
    switch: Annotated[
        Switch,
        typer.Argument(
            metavar="[on|off|show]",
            help="on: record from now on; off: stop and delete the record; show: print it.",
        ),
    ] = Switch.show,
    number: Annotated[
        str | None,
        typer.Argument(
            metavar="[NN]",
            help="One assignment. Default: all you have begun.",
        ),
    ] = None,
    folder: Work = WORK,
) -> int:
    """Keep a record of the checks you run, if you want one."""
    from headway.tasks.engine.tries import FILE, begin, end

    chosen = [find_chapter(number)] if number else list(ASSIGNMENTS)
    places = {chapter: work_on(chapter, folder) for chapter in chosen}
    begun = {chapter: path.parent for chapter, path in places.items() if path.exists()}
    if not begun:
        missing = f"{places[chosen[0]]} yet" if number else f"assignment in {folder}"
        raise UserError(
            f"There is no {missing}. Start with: headway start {chosen[0].number:02d} "
            "(or say with --folder where your work is)."
        )
    if switch is Switch.on:
        for place in filter(begin, begun.values()):
            say(f"Recording in {place / FILE}")
        note(WHAT_IT_IS.format(FILE))
    elif switch is Switch.off:
        ended = [place for place in begun.values() if end(place)]
        for place in ended:
            say(f"Deleted: {place / FILE}")
        if not ended:
            say("Nothing was recorded.")
    else:
        _show(begun)
        if not any((place / FILE).exists() for place in begun.values()):
            note("To record your checks from now on: headway tries on")
    return PASSED


def _show(begun: dict[Chapter, Path]) -> None:
    from headway.tasks.engine.find import tasks_of
    from headway.tasks.engine.tries import FILE, count_tries

    for chapter, place in begun.items():
        state = f"recorded in {place / FILE}" if (place / FILE).exists() else "not recorded"
        say(f"{chapter.number:02d} · {chapter.title}: {state}")
        if not (place / FILE).is_file():
            continue
        text = (place / FILE).read_text(encoding="utf-8", errors="replace")
        tries = count_tries(text, chapter.name)
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for task in tasks_of(chapter.name) if tries else ():
            if one := tries.get(task.id):
                passed = "passed" if one.passed else "not passed yet"
                table.add_row("  ", Text(task.title), f"{one.count}", passed)
        if table.rows:
            out.print(table, soft_wrap=False)
