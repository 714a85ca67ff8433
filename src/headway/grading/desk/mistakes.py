"""Known mistakes that students make again in a later assignment."""

from dataclasses import dataclass

from headway.grading.desk.overview import Overview
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.requirements import hints_of


@dataclass(frozen=True)
class Recurring:
    """A known mistake that was made in two assignments or more.

    Attributes:
        name: the mistake's name.
        hint: the hint that the check gives in the first of these assignments.
        students: assignment → the students who made it.
        again: student → in how many assignments, for those who made it in two or more.
    """

    name: str
    hint: str
    students: dict[str, tuple[str, ...]]
    again: dict[str, int]

    @property
    def everybody(self) -> int:
        """How many students made it."""
        return len({student for students in self.students.values() for student in students})


def recurring_mistakes(overview: Overview) -> list[Recurring]:
    """The recurring mistakes, sorted by how many students made them more than once."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for chapter in overview.assignments:
        for student, work in overview.of_assignment(chapter.name).items():
            for result in work.tasks.values():
                if result.misconception:
                    made = found.setdefault(result.misconception, {})
                    made.setdefault(chapter.name, {})[student] = None
    several = [_recurring(name, made) for name, made in found.items() if len(made) > 1]
    return sorted(several, key=lambda one: (-len(one.again), -one.everybody, one.name))


def _recurring(name: str, made: dict[str, dict[str, None]]) -> Recurring:
    times: dict[str, int] = {}
    for students in made.values():
        for student in students:
            times[student] = times.get(student, 0) + 1
    again = {student: count for student, count in sorted(times.items()) if count > 1}
    students = {assignment: tuple(of) for assignment, of in made.items()}
    return Recurring(name, _hint(name, next(iter(made))), students, again)


def _hint(name: str, assignment: str) -> str:
    hints = (hints_of(task).get(name) for task in tasks_of(assignment))
    return next(filter(None, hints), "")
