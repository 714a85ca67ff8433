"""Find out which tasks are too hard, and how often each was tried."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, mean, median

from headway.grading.desk.overview import Overview, Work
from headway.grading.notebooks.task_result import TaskResult
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.task import Task

ENOUGH = 10  # students; with fewer, a correlation says nothing
HARD, UNTRIED = 0.5, 0.25


@dataclass(frozen=True)
class Difficulty:
    """How a class did in a task.

    Attributes:
        task: the task.
        graded: how many students were graded.
        share: mean share of the points, 0 to 1.
        untried: share of the students who did not change the starter code.
        discrimination: correlation, from -1 to 1, of a student's points in this task with the
            student's points in the assignment's other tasks; None for fewer than `ENOUGH` students,
            or if all have the same points.
        recorded: how many students recorded their checks of the task.
        tries: median number of tries among these students; None if there are none.
    """

    task: Task
    graded: int
    share: float
    untried: float
    discrimination: float | None
    recorded: int
    tries: float | None

    @property
    def is_hard(self) -> bool:
        """Whether the mean is below half of the points, or over a quarter did not try.

        Bonus tasks are optional, so they never count as hard.
        """
        return not self.task.bonus and (self.share < HARD or self.untried > UNTRIED)


def difficulties(overview: Overview) -> list[Difficulty]:
    """How the class did in each task: hard tasks first, then by share of points, lowest first."""
    found = []
    for chapter in overview.assignments:
        of_class = overview.of_assignment(chapter.name).values()
        graded = [work for work in of_class if work.status == "graded" and work.tasks]
        for task in tasks_of(chapter.name):
            if one := _difficulty(task, graded, list(of_class)):
                found.append(one)
    return sorted(found, key=lambda one: (not one.is_hard, one.share))


def _difficulty(task: Task, graded: Sequence[Work], of_class: Sequence[Work]) -> Difficulty | None:
    """The difficulty of a task; None if nobody was graded, or the task has no points."""
    pairs = [(work, work.tasks[task.id]) for work in graded if task.id in work.tasks]
    pairs = [(work, result) for work, result in pairs if result.max]
    if not pairs:
        return None
    tries = [work.tries[task.id].count for work in of_class if task.id in work.tries]
    return Difficulty(
        task,
        len(pairs),
        mean(_share(result) for _, result in pairs),
        mean(result.status == "untouched" for _, result in pairs),
        _discrimination(task.id, pairs),
        len(tries),
        median(tries) if tries else None,
    )


def _share(result: TaskResult) -> float:
    return result.score / result.max


def _discrimination(task_id: str, pairs: Sequence[tuple[Work, TaskResult]]) -> float | None:
    if len(pairs) < ENOUGH:
        return None
    rest = [sum(r.score for name, r in work.tasks.items() if name != task_id) for work, _ in pairs]
    try:
        return correlation([result.score for _, result in pairs], rest)
    except StatisticsError:  # all have the same points
        return None
