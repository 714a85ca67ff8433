"""Find a task by its id, or all tasks of an assignment.

The tasks of the assignment "01-one-hot" are in the module `headway.tasks.chapters.one_hot`, in a
tuple `TASKS`, in the order of the notebook. Only the module of the assignment is imported, unless
the name is wrong: then all are, to suggest the nearest right name.
"""

import pkgutil
import re
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from headway.tasks.engine.task import Task

CHAPTERS = "headway.tasks.chapters"
ASSIGNMENT = re.compile(r"\d\d-([a-z0-9]+(?:-[a-z0-9]+)*)")


class UnknownTaskError(LookupError):
    """There is no task with the given id, or no assignment with the given name."""


def tasks_of(assignment: str) -> tuple[Task, ...]:
    """The tasks of an assignment, "01-one-hot", in the order of its notebook.

    Raises:
        UnknownTaskError: if there is no such assignment.
    """
    if tasks := _tasks(assignment):
        return tasks
    names = _assignments()
    raise UnknownTaskError(
        f"There is no assignment {assignment!r}.{_guess(assignment, names)} "
        f"The assignments are: {', '.join(names)}."
    )


def find_task(task_id: str) -> Task:
    """The task with this id.

    Raises:
        UnknownTaskError: if there is none; the message names the nearest.
    """
    assignment = task_id.partition("/")[0] if isinstance(task_id, str) else ""
    for task in _tasks(assignment):
        if task.id == task_id:
            return task
    ids = [task.id for name in _assignments() for task in _tasks(name)]
    raise UnknownTaskError(
        f"There is no task {task_id!r}.{_guess(task_id, ids)} "
        'A task id is the assignment and a name, like "01-one-hot/lookup".'
    )


def module_of(assignment: object) -> ModuleType | None:
    """The module with an assignment's tasks; None if there is no such assignment."""
    parts = ASSIGNMENT.fullmatch(assignment) if isinstance(assignment, str) else None
    name = f"{CHAPTERS}.{parts[1].replace('-', '_')}" if parts else None
    return import_module(name) if name and find_spec(name) else None


def _tasks(assignment: object) -> tuple[Task, ...]:
    tasks = getattr(module_of(assignment), "TASKS", ())
    return tasks if tasks and tasks[0].id.startswith(f"{assignment}/") else ()


def _assignments() -> list[str]:
    modules = (
        import_module(f"{CHAPTERS}.{module.name}")
        for module in pkgutil.iter_modules(import_module(CHAPTERS).__path__)
    )
    return sorted({task.id.split("/")[0] for m in modules for task in getattr(m, "TASKS", ())})


def _guess(given: object, names: list[str]) -> str:
    close = get_close_matches(str(given), names, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
