"""The total points and minutes of an assignment's tasks, and those of its bonus tasks."""

from collections.abc import Iterable
from dataclasses import dataclass

from headway.tasks.engine.task import Task


@dataclass(frozen=True)
class Worth:
    """Sums over tasks.

    Attributes:
        points, minutes: totals of the tasks that are not bonus.
        bonus_points, bonus_minutes: totals of the bonus tasks.
    """

    points: float
    minutes: int
    bonus_points: float
    bonus_minutes: int


def worth(tasks: Iterable[Task]) -> Worth:
    """The totals of some tasks."""
    tasks = list(tasks)
    own, bonus = ([task for task in tasks if task.bonus == kind] for kind in (False, True))
    return Worth(
        points=sum(task.points for task in own),
        minutes=sum(task.minutes for task in own),
        bonus_points=sum(task.points for task in bonus),
        bonus_minutes=sum(task.minutes for task in bonus),
    )
