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

import headway.tasks
from headway.chapters import Chapter, UnknownChapterError, find_chapter
from headway_book.launch import places
from headway_book.reading import in_words


def card_lines(
    chapter: Chapter, tasks, introduction: list[str], opened: list[dict[str, str]] = ()
) -> list[str]:
    """The card in MyST Markdown.

    Args:
        opened: where the assignment can be opened with a click, as `places` gives it.
    """
    from headway.tasks.engine.worth import worth

    elsewhere = ", ".join(f"[{place['text']}]({place['url']})" for place in opened)
    of = worth(tasks)
    rows = [
        f"| {task.title} | {task.kind} | {'+' if task.bonus else ''}{task.points:g} "
        f"| {task.minutes} |"
        for task in tasks
    ]
    told = [f"{of.points:g} points, about {in_words(of.minutes)}"] if of.points else []
    if of.bonus_points:
        more = " more" if of.points else ""
        told.append(f"{of.bonus_points:g} bonus points, about {in_words(of.bonus_minutes)}{more}")
    return [
        f"{'; '.join(told)}.",
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
        *([f"Or open it elsewhere, with nothing to install: {elsewhere}."] if elsewhere else []),
    ]


def note_tasks(env) -> None:
    """A page is read again when a task has changed."""
    for source in sorted(Path(headway.tasks.__file__).parent.rglob("*.py")):
        env.note_dependency(str(source))


class AssignmentDirective(SphinxDirective):
    has_content = True

    def run(self):
        from headway.tasks.engine.find import tasks_of

        name = self.env.docname.rsplit("/", 1)[-1]
        try:
            chapter = find_chapter(name)
        except UnknownChapterError as error:
            raise self.error(f"{{assignment}} belongs on the page of a chapter. {error}") from error
        note_tasks(self.env)
        title = f"Assignment {chapter.number:02d}: {chapter.title}"
        card = nodes.container(classes=["hw-assignment"])
        card += nodes.rubric("", title, classes=["hw-card-title"])
        opened = places(self.config.headway_launch, f"exercises/{chapter.notebook}")
        lines = card_lines(chapter, tasks_of(chapter.name), list(self.content), opened)
        self.state.nested_parse(StringList(lines), self.content_offset, card)
        return [card]


def setup(app):
    app.add_directive("assignment", AssignmentDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
