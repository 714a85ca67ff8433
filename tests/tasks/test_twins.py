"""One slip in a right answer costs points: of twenty kinds of slip, in every line."""

import signal
from contextlib import contextmanager

import pytest

from headway.chapters import CHAPTERS
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe import value
from tests.full import FULL
from tests.tasks.twins import twins

KINDS = ("build", "debug", "stretch")
TASKS = [
    task
    for chapter in CHAPTERS
    for task in tasks_of(chapter.name)
    if task.kind in KINDS and task.probe is not value
]
SECONDS = 20  # for a twin that never ends, or is slow
# Twins that are right, too: what is left out again, checked elsewhere, or only another way.
EQUAL: dict[str, set[str]] = {}


class TooLong(Exception):  # noqa: N818
    """A twin that does not end is no right answer."""


@contextmanager
def limited():
    def stop(*_):
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    except TooLong:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not FULL, reason="thousands of answers: make test-full")
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_slip_in_a_right_answer_costs_points(task):
    survived = set()
    for text, twin in twins(task.reference):
        with limited():
            if judge(task, twin, seed=3).score == task.points:
                survived.add(text)
    assert survived == EQUAL.get(task.id, set())


def test_twins_have_one_slip_each():
    made = dict(twins(tenth_of_the_rows))
    assert set(made) == {
        "line 3: rows[1:] for rows[:-1]",
        "line 3: rows[:-1].mean(axis=0) * 10 for rows[:-1].mean(axis=0) / 10",
        "line 3: 10 / rows[:-1].mean(axis=0) for rows[:-1].mean(axis=0) / 10",
        "line 3: rows[:-1].sum for rows[:-1].mean",
        "line 3: rows[:-1].mean() for rows[:-1].mean(axis=0)",
        "line 3: 1 for 0",
        "line 3: 11 for 10",
        "line 3: -2 for -1",
        "line 3: 2 for 1",
        "line 3: 0 for 1",
    }


def tenth_of_the_rows(rows):
    """What the slips are made in."""
    return rows[:-1].mean(axis=0) / 10
