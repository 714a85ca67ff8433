"""Directive `{assignment}`: the card that leads from a chapter to its assignment.

    :::{assignment}
    A sentence or two that say what awaits the reader (optional).
    :::

Which assignment is meant follows from the page's name; its tasks come from `headway.tasks`.
"""

from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from headway.chapters import Chapter, UnknownChapterError, find_chapter
from headway_book.reading import in_words


def card_lines(chapter: Chapter, tasks, introduction: list[str]) -> list[str]:
    """The card in MyST Markdown."""
    points = sum(task.points for task in tasks if not task.bonus)
    bonus = sum(task.points for task in tasks if task.bonus)
    minutes = sum(task.minutes for task in tasks if not task.bonus)
    more = sum(task.minutes for task in tasks if task.bonus)
    rows = [
        f"| {task.title} | {task.kind} | {'+' if task.bonus else ''}{task.points:g} "
        f"| {task.minutes} |"
        for task in tasks
    ]
    worth = [f"{points:g} points, about {in_words(minutes)}"] if points else []
    if bonus:
        worth.append(f"{bonus:g} bonus points, about {in_words(more)}{' more' if points else ''}")
    return [
        f"{'; '.join(worth)}.",
        "",
        *introduction,
        "",
        "| Task | Kind | Points | Minutes |",
        "|:--|:--|--:|--:|",
        *rows,
        "",
        f"[Download the notebook](path:/exercises/{chapter.notebook}), or open it in JupyterLab:",
        "",
        "```console",
        f"$ headway start {chapter.number:02d}",
        "```",
    ]


class AssignmentDirective(SphinxDirective):
    has_content = True

    def run(self):
        from headway.tasks.engine.find import tasks_of

        name = self.env.docname.rsplit("/", 1)[-1]
        try:
            chapter = find_chapter(name)
        except UnknownChapterError as error:
            raise self.error(f"{{assignment}} belongs on the page of a chapter. {error}") from error
        for source in sorted(Path(tasks_of.__code__.co_filename).parent.rglob("*.py")):
            self.env.note_dependency(str(source))
        title = f"Assignment {chapter.number:02d}: {chapter.title}"
        card = nodes.container(classes=["hw-assignment"])
        card += nodes.rubric("", title, classes=["hw-card-title"])
        lines = StringList(card_lines(chapter, tasks_of(chapter.name), list(self.content)))
        self.state.nested_parse(lines, self.content_offset, card)
        return [card]


def setup(app):
    app.add_directive("assignment", AssignmentDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
