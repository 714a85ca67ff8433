"""The graded notebook: what a submission's cells gave, and what the judge says, in one file.

The judge's own words stand where nothing of a student can: in the notebook's metadata, under
"headway", and in outputs of check cells that are marked as cards. Repair has removed all metadata
that a submission brought, and the outputs of its cells carry none.

    {"tasks": {task_id: what `TaskResult.as_dict` tells of it},
     "order": [task_id, ...], "notes": [sentence, ...], "own": [grade_id, ...], "seed",
     "renamed"}

"order" is that of the notebook. "own" names the graded cells that check no task, such as an
instructor's asserts: what they say was decided beside the student's code. "seed" draws the hidden
cases again. "renamed" is the name under which the notebook was handed in, if not its own.
"""

from nbformat import NotebookNode, from_dict

from headway.grading.execution.executor import Graded
from headway.grading.execution.steps import steps_of
from headway.grading.notebooks.leaderboard_name import chosen_name
from headway.grading.notebooks.nodes import new_output
from headway.grading.notebooks.verdicts import TaskResult, checked_task
from headway.tasks.check import bundle
from headway.tasks.engine.card import with_points
from headway.tasks.engine.verdict import Verdict

METADATA_KEY = "headway"
CARD = {METADATA_KEY: "card"}


def add_results(
    notebook: NotebookNode, graded: Graded, notes: tuple[str, ...], renamed: str
) -> NotebookNode:
    """Put outputs, cards and results into a repaired notebook, in place; nothing is written yet."""
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
    """A part of what the grading wrote into a notebook; an empty one if there is none."""
    record = notebook.metadata.get(METADATA_KEY)
    part = record.get(key) if isinstance(record, dict) else None
    return part if isinstance(part, kind) else kind()


def renamed_page(notebook: NotebookNode) -> str:
    """The file that holds the feedback page a second time; empty if there is none.

    nbgrader's exchange releases every page, and looks for a student's under the name that was
    handed in.
    """
    name = f"{record_of(notebook, 'renamed', str)}.html"
    return "" if name.startswith(".") or "/" in name else name


def card_of(output: NotebookNode, cell: NotebookNode) -> str:
    """The HTML of a card that the grading put into a check's cell; empty for other outputs.

    What a student's process puts out has no metadata.
    """
    metadata = output.get("metadata")
    if not isinstance(metadata, dict) or metadata.get(METADATA_KEY) != CARD[METADATA_KEY]:
        return ""
    html = output.data.get("text/html") if output.output_type == "display_data" else None
    return html if isinstance(html, str) and checked_task(cell) else ""


def on_card(cell: NotebookNode, score: float, most: float, bonus: bool) -> None:
    """Let a check's card say these points, which count where an instructor gave it others."""
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
