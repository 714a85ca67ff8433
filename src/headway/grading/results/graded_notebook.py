"""The graded notebook: the outputs of a submission's cells and the judge's results in one file.

The judge's results are where students cannot write: in the notebook's metadata, under "headway",
and in outputs of check cells that are marked as cards by their metadata. Repair has removed all
metadata of the submission, and the outputs of its cells have none.

    {"tasks": {task_id: result of `TaskResult.as_dict`},
     "order": [task_id, ...], "notes": [sentence, ...], "own": [grade_id, ...], "seed",
     "renamed"}

"order" is the notebook's order of tasks. "own" names the graded cells that check no task, such as
an instructor's asserts, whose results come from the student's process. "seed" draws the same
hidden cases again. "renamed" is the submitted notebook's name, if it was not the right one.
"""

from pathlib import Path

from nbformat import NotebookNode, from_dict

from headway.grading.execution.executor import Graded
from headway.grading.execution.steps import steps_of
from headway.grading.notebooks.check_calls import checked_task
from headway.grading.notebooks.nodes import new_output
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.leaderboard import chosen_name
from headway.tasks.check import bundle
from headway.tasks.engine.card import with_points
from headway.tasks.engine.verdict import Verdict

METADATA_KEY = "headway"
SECRET = "submission_secret.txt"  # nbgrader's, in what was handed in through its exchange
CARD = {METADATA_KEY: "card"}


def add_results(
    notebook: NotebookNode, graded: Graded, notes: tuple[str, ...], renamed: str
) -> NotebookNode:
    """Add outputs, cards and results to a repaired notebook, in place, without writing a file."""
    tasks = {step.index: step.task for step in steps_of(notebook) if step.task}
    own = []
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        cell.outputs = graded.outputs.get(index, [])
        if index in tasks:
            verdict = graded.verdicts[tasks[index].id]
            card = new_output("display_data", data=bundle(verdict), metadata=dict(CARD))
            cell.outputs = [*cell.outputs, card]
        elif cell.metadata.get("nbgrader", {}).get("grade"):
            own.append(cell.metadata["nbgrader"]["grade_id"])
    name = chosen_name(notebook)
    results = {
        task_id: _as_result(verdict, name).as_dict() for task_id, verdict in graded.verdicts.items()
    }
    notebook.metadata[METADATA_KEY] = from_dict(
        {
            "tasks": results,
            "order": list(results),
            "notes": list(notes),
            "own": own,
            "seed": graded.seed,
            "renamed": renamed,
        }
    )
    return notebook


def record_of(notebook: NotebookNode, key: str, kind: type):
    """A part of the grader's record in a notebook; an empty `kind()` if there is none."""
    record = notebook.metadata.get(METADATA_KEY)
    part = record.get(key) if isinstance(record, dict) else None
    return part if isinstance(part, kind) else kind()


def renamed_page(notebook: NotebookNode, folder: Path) -> str:
    """The file name for a second copy of the feedback page; empty if none is needed.

    nbgrader's exchange looks for a student's page under the name of the submitted notebook. What
    came through the exchange has a secret beside it.

    Args:
        folder: where the graded notebook is.
    """
    if not (folder / SECRET).exists():
        return ""
    name = f"{record_of(notebook, 'renamed', str)}.html"
    return "" if name.startswith(".") or "/" in name else name


def card_of(output: NotebookNode, cell: NotebookNode) -> str:
    """The HTML of a card that the grader added to a check cell; empty for other outputs.

    Outputs of a student's process have no metadata.
    """
    metadata = output.get("metadata")
    if not isinstance(metadata, dict) or metadata.get(METADATA_KEY) != CARD[METADATA_KEY]:
        return ""
    html = output.data.get("text/html") if output.output_type == "display_data" else None
    return html if isinstance(html, str) and checked_task(cell) else ""


def on_card(cell: NotebookNode, score: float, most: float, bonus: bool) -> None:
    """Replace the points on a check's card, for cells with an instructor's points."""
    for output in cell.get("outputs", []):
        if card_of(output, cell):
            for form in output.data.keys() & {"text/plain", "text/html"}:
                output.data[form] = with_points(output.data[form], score, most, bonus)


def _as_result(verdict: Verdict, listed_as: str) -> TaskResult:
    """A verdict as a row of a report."""
    return TaskResult(
        verdict.status,
        verdict.score,
        verdict.task.points,
        verdict.misconception.name if verdict.misconception else None,
        verdict.reason or None,
        dict(verdict.measured),
        listed_as if verdict.measured else "",
    )
