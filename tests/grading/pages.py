"""Feedback pages without a course: a notebook with its scores."""

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output

from headway.grading.results.feedback import FeedbackExporter
from headway.tasks.check import MIME
from headway.tasks.engine.card import card_html, card_text
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge

DOT = "01-one-hot/dot"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)


def rendered(notebook: NotebookNode) -> str:
    """The feedback page of a notebook whose cells have their scores."""
    scores = {"notebook": "01-one-hot", "score": 0.0, "max_score": 1.0, "late_penalty": 0}
    html, _ = FeedbackExporter().from_notebook_node(notebook, {"nbgrader": scores})
    return html


def graded(source: str, name: str, outputs=(), solution=False) -> NotebookNode:
    """A cell that nbgrader scored."""
    marks = {"grade_id": name, "grade": True, "solution": solution, "locked": True}
    marks |= {"score": 0.0, "points": 1.0, "schema_version": 3}
    return new_code_cell(source, metadata={"nbgrader": marks}, outputs=list(outputs))


def card(answer) -> NotebookNode:
    """The card that the grading puts into a check's cell."""
    verdict = judge(find_task(DOT), answer)
    data = {"text/html": card_html(verdict), "text/plain": card_text(verdict)}
    data[MIME] = verdict.as_dict()
    return new_output("display_data", data=data, metadata={"headway": "card"})


def check_cell(answer, name: str = "check-dot") -> NotebookNode:
    """A check's cell, with its card."""
    return graded(f'check("{DOT}", dot)', name, [card(answer)])


def shown(html: str, **metadata) -> NotebookNode:
    """A cell of a student that shows HTML."""
    output = new_output("display_data", data={"text/html": html}, metadata=metadata)
    return new_code_cell("show()", outputs=[output])


def page_of(*cells: NotebookNode, **metadata) -> str:
    """The feedback page of some cells."""
    return rendered(new_notebook(cells=list(cells), metadata=metadata))
