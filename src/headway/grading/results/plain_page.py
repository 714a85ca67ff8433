"""A feedback page that shows no notebook: for one whose texts could not be rendered in time."""

from typing import Any

from nbformat import NotebookNode

from headway.grading.notebooks.verdicts import checked_task
from headway.grading.results.graded_notebook import METADATA_KEY
from headway.grading.results.pages import render


def plain_page(notebook: NotebookNode, assignment: str, grades: dict[str, Any]) -> str:
    """The HTML: scores, reasons and comments, everything escaped.

    Args:
        notebook: the graded one.
        assignment: its name.
        grades: as `headway.grading.nbgrader.feedback.grades_of` gives them.
    """
    results = notebook.metadata.get(METADATA_KEY, {}).get("tasks", {})
    rows = []
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        name = marks.get("grade_id")
        task = checked_task(cell) if marks.get("grade") else None
        comment = grades["comments"].get(name)
        if name in grades["cells"] or comment:
            rows.append(
                {
                    "title": task.title if task else name,
                    "grade": grades["cells"].get(name),
                    "reason": results.get(task.id, {}).get("reason") if task else None,
                    "comment": comment,
                }
            )
    return render("plain_page.html", {}, assignment=assignment, grades=grades, rows=rows)
