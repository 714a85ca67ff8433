"""A task with a right value of its own, which its check cell brings: `check("…/dot", dot, "Mi41")`.

An instructor who changes the numbers in a question changes the right answer. The released check
then holds the new one, coded so that nobody reads it by chance. It is no secret, and the package's
own values aren't either.
"""

import base64
import json
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from headway.tasks.engine.find import UnknownTaskError, find_task
from headway.tasks.engine.task import Task


class RightValueError(UnknownTaskError):
    """A check cell brings a right value that its task can't use."""


def coded(value: Any) -> str:
    """A right value as a check cell holds it.

    Args:
        value: plain data: numbers, texts, arrays, and lists or dictionaries of them.

    Raises:
        TypeError, ValueError: for anything else.
    """
    text = json.dumps(value, default=_as_list, separators=(",", ":"))
    return base64.b64encode(text.encode()).decode()


def _as_list(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} can't be written into a check")


@lru_cache(maxsize=256)  # so that what is kept for a task is found again
def find_checked(task_id: str, right: str = "") -> Task:
    """The task with this id, asking for the right value that a check cell brings, if it does.

    Its known mistakes belong to the package's own value, so they go with it.

    Args:
        right: from `coded`.

    Raises:
        UnknownTaskError: if there is no such task, or it can't use the value.
    """
    task = find_task(task_id)
    if not right:
        return task
    if not task.secret:
        raise RightValueError(f"The task {task_id!r} asks for code, so its check takes no value.")
    try:
        value = json.loads(base64.b64decode(right, validate=True))
    except (ValueError, RecursionError) as error:
        raise RightValueError(
            f"The check of {task_id!r} has a third argument that can't be read: {right!r:.40}. "
            "Take this cell from a fresh copy of the notebook."
        ) from error
    return replace(task, reference=value, misconceptions=())
