"""Write what the tasks say of themselves into the course's own notebook of an assignment.

A task's title, points and minutes are said once, in the package. Students and nbgrader need them in
the notebook: at the head of the question, `ask-NAME`, and as the points of `check-NAME`. In a
course folder the points are the instructor's (`points.py`), so its source is left as it is.
"""

import re

from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.notebooks.points import check_name
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.task import Task

# The title, its worth and the space that follows; each may be missing in a new question.
HEAD = re.compile(r"\A(?:### .*)?\s*(?:\*[^*\n]+ points?, about \d+ minutes?\*)?(\s*)")


def write_tasks(notebook: NotebookNode, assignment: str) -> list[str]:
    """Bring the cells of an assignment's tasks up to date, in place.

    Returns:
        the names of the cells that changed.

    Raises:
        UserError: if a task lacks a cell.
    """
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    changed = []
    for task in tasks_of(assignment):
        ask, check = f"ask-{task.id.partition('/')[2]}", check_name(task.id)
        for name in (ask, check):
            if name not in cells:
                raise UserError(
                    f"The notebook of {assignment} has no cell {name}. The task {task.id} needs "
                    f"{ask} for its question and {check} for its check."
                )
        head = _head(task)
        source = HEAD.sub(lambda old, head=head: head + (old[1] or "\n\n"), cells[ask].source)
        if source != cells[ask].source:
            cells[ask].source = source
            changed.append(ask)
        points, marks = 0 if task.bonus else task.points, cells[check].metadata.nbgrader
        if marks.get("points") != points:
            marks.points = points
            changed.append(check)
    return changed


def _head(task: Task) -> str:
    points = f"{task.points:g} {'bonus ' if task.bonus else ''}point{'s'[task.points == 1 :]}"
    worth = f"{'up to ' if task.bonus else ''}{points}, about {task.minutes} minute"
    return f"### {task.title}\n\n*{worth}{'s'[task.minutes == 1 :]}*"
