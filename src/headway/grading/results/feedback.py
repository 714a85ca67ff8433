"""A student's feedback page: the notebook as text and pictures, and the judge's cards.

A student's code, Markdown, outputs and comments are shown as plain text and never interpreted. Only
the judge's cards are HTML. So the page needs no other host and runs no script. The list at the top
names the tasks and the bonus, and says what was repaired and which scores the student's own process
decided.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup
from nbconvert.exporters import Exporter
from nbformat import NotebookNode

from headway.grading.execution.pictures import PICTURES, drawn_again
from headway.grading.execution.plain import shown, text_in
from headway.grading.notebooks.check_calls import checked_task
from headway.grading.notebooks.points import on_top
from headway.grading.notebooks.verdicts import result_of
from headway.grading.results.code import colored, colors
from headway.grading.results.graded_notebook import card_of, record_of, renamed_page
from headway.grading.results.pages import render
from headway.grading.safe_text import one_line
from headway.tasks.engine.card import STYLE
from headway.tasks.engine.task import Task

PROCESS = "decided in the student's process"
LONG = 3  # lines; longer texts are folded
FOLDED = "<details><summary>"  # how an explanation in a notebook begins
ANSWERS = {"code": "Coding free-response", "markdown": "Written response"}


class FeedbackExporter(Exporter):
    """Exports the page for nbgrader. For `GenerateFeedback.exporter_class`."""

    file_extension = ".html"
    output_mimetype = "text/html"

    def from_notebook_node(self, nb, resources=None, **kw):
        nb, resources = super().from_notebook_node(nb, resources, **kw)
        html = feedback_page(nb, grades_in(nb, resources))
        if renamed := renamed_page(nb, Path(resources["metadata"].get("path", ""))):
            resources["outputs"] = {renamed: html.encode()}
        return html, resources


def grades_in(nb: NotebookNode, resources: Mapping) -> dict[str, Any]:
    """The data that nbgrader's `GetGrades` put into a notebook, in the form of `grades_of`."""
    told = resources["nbgrader"]
    cells, comments = {}, {}
    for metadata in map(_metadata, nb.cells):
        name = metadata.get("grade_id")
        if metadata.get("grade") or metadata.get("task"):
            cells[name] = {key: metadata.get(key) or 0.0 for key in ("score", "points")}
        comments[name] = metadata.get("comment")
    sums = {key: told.get(key) or 0.0 for key in ("score", "max_score", "late_penalty")}
    more = {"cells": cells, "comments": comments, "changes": ()}
    return {"assignment": told["notebook"], **sums, **more}


def feedback_page(nb: NotebookNode, grades: Mapping[str, Any]) -> str:
    """The HTML of a graded notebook.

    Args:
        grades: from `headway.grading.nbgrader.feedback.grades_of`.
    """
    parts = [_part(nb, cell, grades) for cell in nb.cells]
    return render(
        "feedback.html",
        {},
        grades=grades,
        parts=parts,
        notes=notes_of(nb),
        process=PROCESS,
        some_own=any(part.own for part in parts),
        styles=Markup(f"{colors()}\n{STYLE.removeprefix('<style>').removesuffix('</style>')}"),
    )


def notes_of(nb: NotebookNode) -> list[str]:
    """Sentences on what was put right before the notebook was graded."""
    return [note for note in record_of(nb, "notes", list) if isinstance(note, str)]


@dataclass(frozen=True)
class Part:
    """A cell as the page shows it.

    Attributes:
        code: colored code; None for a text cell.
        text: the text of a text cell.
        begins: the first words of a long text that is not an answer; it is folded.
        address: anchor of its heading; empty for a cell without one.
        heading: the heading.
        entry: its entry in the list at the top; empty if it is not listed.
        points: (earned, maximum); None if it has no points.
        bonus: (earned, maximum) of a bonus that is added on top.
        own: whether its tests ran in the student's process.
        comment: the grader's comment.
        outputs: (kind, content) of each: a text, a picture's address, or a card.
    """

    code: Markup | None = None
    text: Markup | None = None
    begins: str = ""
    address: str = ""
    heading: str = ""
    entry: str = ""
    points: tuple[float, float] | None = None
    bonus: tuple[float, float] | None = None
    own: bool = False
    comment: Markup | str = ""
    outputs: list[tuple[str, Markup]] = field(default_factory=list)


def _part(nb: NotebookNode, cell: NotebookNode, grades: Mapping[str, Any]) -> Part:
    code = cell.cell_type == "code"
    source = {"code": colored(cell.source)} if code else {"text": written(cell.source)}
    told = heading_of(nb, cell, grades)
    if not (code or told):
        source["begins"] = begins(cell.source)
    return Part(
        **source,
        **told,
        outputs=[*(shown_outputs(cell) if code else attached(cell))],
    )


def heading_of(nb: NotebookNode, cell: NotebookNode, grades: Mapping[str, Any]) -> dict[str, Any]:
    """The page's fields for a cell with nbgrader metadata."""
    metadata = _metadata(cell)
    name, answer = metadata.get("grade_id"), bool(metadata.get("solution"))
    scored = bool(metadata.get("grade") or metadata.get("task"))
    if not (isinstance(name, str) and (scored or answer)):
        return {}
    # Cells that a student added are never checks, and may take long to parse.
    task = checked_task(cell) if metadata.get("grade") else None
    own = bool(cell.cell_type == "code" and metadata.get("grade") and not answer and not task)
    if task:
        heading = entry = task.title
    elif own:
        heading = entry = f"Test cell {name}"
    else:
        heading = "Student's task" if metadata.get("task") else "Student's answer"
        entry = "Task" if metadata.get("task") else ANSWERS.get(cell.cell_type, "")
    given = grades["cells"].get(name, {"score": 0.0, "points": 0.0})
    on_top_of = task and on_top(task, metadata.get("points") or 0)
    return {
        "address": name,
        "heading": heading,
        "entry": entry if scored else "",
        "points": (given["score"], given["points"]) if scored else None,
        "bonus": (bonus_of(nb, cell, task), task.points) if on_top_of else None,
        "own": own,
        "comment": written(grades["comments"].get(name)),
    }


def _metadata(cell: NotebookNode) -> Mapping[str, Any]:
    metadata = cell.metadata.get("nbgrader")
    return metadata if isinstance(metadata, dict) else {}


def written(text: object) -> Markup:
    """Any text, escaped for a page, with its line breaks."""
    return Markup("{}").format(shown(text) if isinstance(text, str) else "")


def begins(text: object) -> str:
    """The first line of a long text, or of one with a heading, without #; empty for others."""
    lines = [line for line in text.splitlines() if line.strip()] if isinstance(text, str) else []
    if len(lines) <= (1 if lines and lines[0].startswith(("#", FOLDED)) else LONG):
        return ""
    return one_line(lines[0].lstrip("# ").removeprefix(FOLDED).removesuffix("</summary>"), 100)


def attached(cell: NotebookNode) -> Iterator[tuple[str, Markup]]:
    """The pictures attached to a text cell."""
    attachments = cell.get("attachments")
    for forms in attachments.values() if isinstance(attachments, dict) else ():
        yield from _pictures(forms)


def shown_outputs(cell: NotebookNode) -> Iterator[tuple[str, Markup]]:
    """A cell's outputs for a page: (kind, content), with kind "text", "picture" or "card"."""
    for output in cell.get("outputs", []):
        if html := card_of(output, cell):
            yield "card", Markup(html.removeprefix(STYLE))
        elif output.output_type == "stream":
            yield "text", written(output.text)
        elif output.output_type == "error":
            yield "text", written("\n".join(map(str, output.traceback)))
        else:
            pictures = [*_pictures(output.data)]
            yield from pictures
            if not pictures and (text := text_in(output.data)):
                yield "text", written(text)


def _pictures(forms: object) -> Iterator[tuple[str, Markup]]:
    for kind in PICTURES:
        data = forms.get(kind) if isinstance(forms, dict) else None
        if picture := drawn_again(data, kind):
            yield "picture", Markup("data:{};base64,{}").format(kind, picture.data)


def bonus_of(nb: NotebookNode, cell: NotebookNode, task: Task) -> float:
    """The score of a bonus task, from the grader's record, or else from the cell's output."""
    record = record_of(nb, "tasks", dict).get(task.id)
    score = record.get("score") if isinstance(record, dict) else None
    return score if type(score) in (int, float) else result_of(cell, task).score
