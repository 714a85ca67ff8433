"""Directive `{syllabus}`: the weeks of the course as a table, with the time that each takes.

Which pages and assignments belong to a week, `headway_book.weeks` says. The minutes of reading are
those of the role `{reading-time}`, the minutes of work those of the tasks.
"""

from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

import headway_book.weeks
from headway_book.assignment import note_tasks
from headway_book.reading import pages_of, reading_minutes
from headway_book.weeks import Week, weeks

NOTHING = "–"


@dataclass(frozen=True)
class Load:
    """What a week asks for, in minutes.

    Attributes:
        week: which.
        reading: its pages.
        work: tasks that are no bonus.
        bonus: the others.
    """

    week: Week
    reading: float
    work: int
    bonus: int

    @property
    def hours(self) -> float:
        """Of reading and work, without the bonus."""
        return (self.reading + self.work) / 60


def loads(folder: Path) -> list[Load]:
    """The weeks with their times.

    Args:
        folder: of the book's pages.
    """
    from headway.tasks.engine.find import tasks_of
    from headway.tasks.engine.worth import worth

    found = []
    for week in weeks():
        texts = [(folder / f"{name}.md").read_text(encoding="utf-8") for name in week.pages]
        of = worth(task for chapter in week.assignments for task in tasks_of(chapter.name))
        found.append(Load(week, sum(map(reading_minutes, texts)), of.minutes, of.bonus_minutes))
    return found


def syllabus_lines(found: list[Load]) -> list[str]:
    """The table in MyST Markdown, and below it the sums."""
    rows = [
        f"| {load.week.number} | {', '.join(f'[]({name}.md)' for name in load.week.pages)} "
        f"| {load.reading:.0f} | {_assigned(load.week)} | {load.work or NOTHING} "
        f"| {load.bonus or NOTHING} | {load.hours:.1f} |"
        for load in found
    ]
    reading = sum(load.reading for load in found) / 60
    work, bonus = (sum(getattr(load, name) for load in found) / 60 for name in ("work", "bonus"))
    longest = max(found, key=lambda load: load.hours)
    return [
        "| Week | Read | Minutes | Assign | Minutes | Bonus | Hours |",
        "|--:|:--|--:|:--|--:|--:|--:|",
        *rows,
        "",
        f"In all, these are {reading:.0f} hours of reading and {work:.0f} hours of tasks, "
        f"{(reading + work) / len(found):.1f} hours a week; bonus tasks take {bonus:.0f} hours "
        f"more. The longest week is week {longest.week.number}, with {longest.hours:.1f} hours.",
    ]


def _assigned(week: Week) -> str:
    return ", ".join(f"{one.number:02d} {one.slug}" for one in week.assignments)


class SyllabusDirective(SphinxDirective):
    def run(self):
        folder = pages_of(self.env)
        found = loads(folder)
        pages = [folder / f"{name}.md" for load in found for name in load.week.pages]
        note_tasks(self.env)
        for source in (headway_book.weeks.__file__, *pages):
            self.env.note_dependency(str(source))
        parent = nodes.container(classes=["hw-syllabus"])
        self.state.nested_parse(StringList(syllabus_lines(found)), self.content_offset, parent)
        return [parent]


def setup(app):
    app.add_directive("syllabus", SyllabusDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
