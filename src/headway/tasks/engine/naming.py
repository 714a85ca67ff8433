"""Name the mistake of a wrong answer, from the surest way to tell it to the least sure.

An answer may be one of the known wrong answers, behave like one of them wherever it fails, show in
its values what a mistake is told by, or fail in a corner only. If several mistakes meet in one
answer, one that explains its first failing case is named, as the first to look at.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.comparisons import Comparisons, Run, is_raised
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.probe.outcomes import Outcome, Raised
from headway.tasks.engine.requirements import ANOTHER_EXCEPTION, requirement_of
from headway.tasks.engine.symptoms import STOPS, symptoms_of
from headway.tasks.engine.task import Task

MOST_LEAVES = 200


class Named(NamedTuple):
    """The mistake of an answer.

    Attributes:
        mistake: the mistake.
        rank: how many surer ways to tell it have failed.
        is_first: whether it explains only the first failing case, and something else the rest.
    """

    mistake: Misconception
    rank: int
    is_first: bool


class Naming:
    """Finds the name of one wrong answer.

    Args:
        task: the task that it answers.
        mine, right: its outcomes and the reference's.
        differences: how they differ in each case.
        known: (index of a mistake, index of one of its wrong answers) -> that answer's outcomes;
            None if they shall not be run.
    """

    def __init__(
        self,
        task: Task,
        comparisons: Comparisons,
        mine: Run,
        right: Run,
        differences: Sequence[Difference | None],
        known: Callable[[tuple[int, int]], Run] | None,
    ):
        self._task, self._comparisons, self._known = task, comparisons, known
        self._mine, self._right, self._differences = mine, right, differences
        self._own = [place for place, case in enumerate(mine.cases) if not requirement_of(case)]
        self._failed = [place for place, found in enumerate(differences) if found]
        self._own_failed = [place for place in self._failed if place in self._own]

    def name(self) -> Named | None:
        """The name, if there is one."""
        ways = (
            self._a_known_answer,
            self._another_exception,
            self._a_requirement,
            self._a_corner_of_a_known_answer,
            self._what_it_shows,
            self._a_known_answer_first,
            self._what_it_shows_first,
            self._a_symptom,
            self._a_corner_first,
            self._it_stops,
        )
        for rank, way in enumerate(ways):
            if mistake := way():
                return Named(mistake, rank, way.__name__.endswith("_first"))
        return None

    def _a_known_answer(self) -> Misconception | None:
        """It does the same as a wrong answer in every case, or in all of the task's own."""
        all_places = range(len(self._mine.cases))
        for places in [all_places, self._own] if self._own_failed else [all_places]:
            for mistake, run in self._known_runs():
                if self._comparisons.same(self._mine, run, places) and any(
                    found and place in places
                    for place, found in enumerate(self._comparisons.differences(run, self._right))
                ):
                    return mistake
        return None

    def _another_exception(self) -> Misconception | None:
        runs = self._mine, self._right
        refused = all(is_raised(run.outcomes[at]) for at in self._failed for run in runs)
        return ANOTHER_EXCEPTION if refused else None

    def _a_requirement(self) -> Misconception | None:
        """Only requirements fail: the first of them."""
        if self._own_failed:
            return None
        return requirement_of(self._mine.cases[self._failed[0]]).failed

    def _a_corner_of_a_known_answer(self) -> Misconception | None:
        """Wherever it fails it does the same as the wrong answers of one mistake alone."""
        return self._alone_alike(self._own_failed)

    def _a_known_answer_first(self) -> Misconception | None:
        return self._alone_alike(self._own_failed[:1])

    def _alone_alike(self, places: Sequence[int]) -> Misconception | None:
        """The mistake whose wrong answers alone do the same in some failing cases.

        What is only yes or no may be the same by chance.
        """
        if not any(_says_much(self._mine.outcomes[place]) for place in places):
            return None
        found = {
            mistake.name: mistake
            for mistake, run in self._known_runs()
            if self._comparisons.same(self._mine, run, places)
        }
        return next(iter(found.values())) if len(found) == 1 else None

    def _what_it_shows(self) -> Misconception | None:
        """The first mistake that shows in all its values, or whose corner alone fails."""
        labels = {self._mine.cases[place].label for place in self._own_failed}
        for mistake in self._task.misconceptions:
            if labels <= {*mistake.only_at} or self._shown([mistake], self._own_failed):
                return mistake
        return None

    def _what_it_shows_first(self) -> Misconception | None:
        """Of those that show in its first failing case, the first that shows in half of all.

        If none does, the one that shows most often.
        """
        often = {
            mistake.name: sum(bool(self._shown([mistake], [at])) for at in self._own_failed)
            for mistake in self._task.misconceptions
            if self._shown([mistake], self._own_failed[:1])
        }
        enough = min(len(self._own_failed) / 2, max(often.values(), default=0))
        return next((m for m in self._task.misconceptions if often.get(m.name, -1) >= enough), None)

    def _a_symptom(self) -> Misconception | None:
        return self._shown(symptoms_of(self._task), self._own_failed)

    def _shown(
        self, mistakes: Sequence[Misconception], places: Sequence[int]
    ) -> Misconception | None:
        """The first mistake that shows in all values of some failing cases."""
        for mistake in mistakes:
            if mistake.shows and self._comparisons.shows(
                mistake.shows, self._mine, self._right, places
            ):
                return mistake
        return None

    def _a_corner_first(self) -> Misconception | None:
        """It fails in several corners: the first of them."""
        cases = [self._mine.cases[place] for place in self._own_failed]
        if any(case.core for case in cases):
            return None
        return next((m for m in self._task.misconceptions if cases[0].label in m.only_at), None)

    def _it_stops(self) -> Misconception | None:
        stops = is_raised(self._mine.outcomes[self._own_failed[0]])
        return STOPS if stops and not self._task.secret else None

    def _known_runs(self) -> Iterator[tuple[Misconception, Run]]:
        if self._known is not None:
            for at, mistake in enumerate(self._task.misconceptions):
                for place in range(len(mistake.answers)):
                    yield mistake, self._known((at, place))


def _says_much(outcome: Outcome) -> bool:
    """Whether an outcome has more in it than yes and no, or 1 and 0."""
    if isinstance(outcome, Raised):
        return False
    found = {item for item in _leaves(outcome.value) if not isinstance(item, bool)}
    return len(found) > 2 or bool(found - {0, 1})


def _leaves(value: Any) -> Iterator[Any]:
    """The numbers and texts of a plain value, of a long one the first."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, np.ndarray):
        value = value.ravel()[:MOST_LEAVES].tolist()
    if isinstance(value, list):
        for item in value[:MOST_LEAVES]:
            yield from _leaves(item)
    else:
        yield value
