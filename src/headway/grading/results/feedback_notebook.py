"""A student's feedback as a notebook, for platforms that return files under the submitted name.

It is the graded notebook with the points on top, the judge's cards and the grader's comments. The
seed of the hidden cases and all else that the grader recorded is left out. nbgrader's metadata
stay, so that a student can go on in this notebook and hand it in again.
"""

import json
from collections.abc import Iterator, Mapping
from html import escape
from itertools import count
from typing import Any

from nbformat import NotebookNode

from headway.grading.notebooks.nodes import new_cell
from headway.grading.results.feedback import heading_of, notes_of
from headway.grading.results.formgrader import leave_plain
from headway.grading.results.graded_notebook import card_of
from headway.tasks.check import MIME

KEPT = ("kernelspec", "language_info")


def feedback_notebook(nb: NotebookNode, grades: Mapping[str, Any]) -> str:
    """The text of the notebook.

    Args:
        nb: the graded notebook.
        grades: from `headway.grading.nbgrader.feedback.grades_of`.
    """
    told = [heading_of(nb, cell, grades) for cell in nb.cells]
    cells = [new_cell(False, _summary(nb, grades, told))]
    for cell, about in zip(nb.cells, told, strict=True):
        cells.append(_returned(cell))
        if comment := grades["comments"].get(about.get("address")):
            cells.append(new_cell(False, f"**Comment**\n\n{_plain(comment)}"))
    taken = {cell.id for cell in cells}
    for cell in cells:
        if not cell.id:  # one of ours
            cell.id = next(name for at in count(1) if (name := f"feedback-{at}") not in taken)
            taken.add(cell.id)
    metadata = {key: nb.metadata[key] for key in KEPT if key in nb.metadata}
    version = {"nbformat": nb.nbformat, "nbformat_minor": nb.nbformat_minor}
    return json.dumps({"cells": cells, "metadata": metadata, **version})


def _summary(nb: NotebookNode, grades: Mapping[str, Any], told: list[dict[str, Any]]) -> str:
    lines = [
        f"# Feedback: {grades['assignment']}",
        "",
        f"**Score: {grades['score']:g} of {grades['max_score']:g}**",
        "",
        *_listed(told),
    ]
    if grades["late_penalty"]:
        lines.append(f"- Taken off for being late: {grades['late_penalty']:g}")
    if grades["changes"]:
        lines += ["", "Your score has changed:", "", *(f"- {one}" for one in grades["changes"])]
    if notes := notes_of(nb):
        lines += ["", "Before it was graded:", "", *(f"- {_plain(note)}" for note in notes)]
    return "\n".join(lines)


def _listed(told: list[dict[str, Any]]) -> Iterator[str]:
    for about in told:
        if about.get("entry") and about["bonus"]:
            yield f"- {about['entry']}: {about['bonus'][0]:g} of {about['bonus'][1]:g} bonus"
        elif about.get("entry"):
            yield f"- {about['entry']}: {about['points'][0]:g} of {about['points'][1]:g}"


def _returned(cell: NotebookNode) -> NotebookNode:
    metadata = cell.metadata.get("nbgrader")
    cell = NotebookNode(cell, metadata={"nbgrader": metadata} if metadata else {})
    for output in cell.get("outputs", []):
        if card_of(output, cell):
            output.data.pop(MIME, None)
            output.metadata = {}
        else:
            leave_plain(output, cell)
    return cell


def _plain(text: object) -> str:
    """Text as Markdown without HTML, with its line breaks."""
    return escape(str(text), quote=False).replace("\n", "  \n")
