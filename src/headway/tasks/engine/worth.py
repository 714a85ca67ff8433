"""What the tasks of an assignment come to: their points and minutes, and those of the bonus."""

from collections.abc import Iterable
from dataclasses import dataclass

from headway.tasks.engine.task import Task


@dataclass(frozen=True)
class Worth:
    """Sums over tasks.

    Attributes:
        points, minutes: of tasks that are no bonus.
        bonus_points, bonus_minutes: points and minutes of those that are.
    """

    points: float
    minutes: int
    bonus_points: float
    bonus_minutes: int


def worth(tasks: Iterable[Task]) -> Worth:
    """What these tasks come to."""
    tasks = list(tasks)
    own, bonus = ([task for task in tasks if task.bonus == kind] for kind in (False, True))
    return Worth(
        points=sum(task.points for task in own),
        minutes=sum(task.minutes for task in own),
        bonus_points=sum(task.points for task in bonus),
        bonus_minutes=sum(task.minutes for task in bonus),
    )
