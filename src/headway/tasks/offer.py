"""The check in the student's package: it decides nothing.

In the sandbox of grading this module stands in the place of `headway.tasks.check`. Tasks, right
answers and cases are elsewhere, with the judge, who asks for each answer by its name.
"""

from typing import Any


def check(task_id: str, answer: Any) -> None:
    """Do nothing: a check that a student added is not the one that counts."""
