"""One slip in a right answer costs points: of twenty kinds of slip, in every line.

A model of one's own is left out: one that is a little worse is still a model.
"""

import signal
from contextlib import contextmanager

import pytest

from headway.chapters import ASSIGNMENTS
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe.calls import value
from headway.tasks.engine.unseen_text.cell import fit_then_predict
from tests.tasks.twins import twins

KINDS = ("build", "debug", "stretch")
TASKS = [
    task
    for chapter in ASSIGNMENTS
    for task in tasks_of(chapter.name)
    if task.kind in KINDS and task.verb not in (value, fit_then_predict)
]
SECONDS = 20  # of a processor, for a twin that never ends
# Twins that are right, too: how many, and why.
EQUAL = {
    "01-one-hot/matmul": 1,  # a dot product either way round
    "02-markov/chain": 1,  # counts become shares in the end
    "02-markov/stationary": 12,  # a matrix that is none, and words of an error
    "02-markov/transitions": 2,  # what is divided by its sum may be doubled before
    "03-skip-bigrams/gain-mask": 2,  # sums and means have one order
    "03-skip-bigrams/table": 1,  # votes become shares in the end
    "03-skip-bigrams/voter": 1,  # votes become shares in the end
    "04-soft-lookup/loop": 1,  # two tables that are equally good
    "04-soft-lookup/mask-gradient": 1,  # a dot product either way round
    "04-soft-lookup/word-features": 2,  # an axis by another name
    "05-tokens/decode": 3,  # more places for ids that no token has
    "07-positions/look-back": 1,  # a softmax may be firmer than it has to be
    "09-many-heads/by-roles": 1,  # what is filled in later
    "09-many-heads/look-back": 2,  # places where no text is
    "10-block/gated": 2,  # hidden numbers that nothing reads, and another order of them
    "10-block/repair": 3,  # masks as wide as high
    "11-language-model/loss": 1,  # a prompt of no token
    "11-language-model/repair": 1,  # a slice that ends behind its text
    "12-masked-model/mask-tokens": 3,  # a draw that is the limit itself
    "12-masked-model/patchify": 1,  # what NumPy refuses by itself
    "14-decoding/top-k": 1,  # an axis by another name
    "14-decoding/top-p": 4,  # axes by other names, what is filled in later, and no sum at p
    "14-decoding/sample": 1,  # a random number that is a sum
    "14-decoding/beam": 2,  # a table as wide as high
    "14-decoding/exact": 1,  # two texts that are equally good
    "16-outlook/cost": 1,  # a token before the first sees nothing
    "17-answering/low-rank": 1,  # a square either way round
    "17-answering/preferences": 1,  # what doesn't count is taken off again
    "17-answering/best-of-n": 3,  # dot products either way round, and 0 divided by 1 or −1
    "18-experts/choose": 1,  # an axis by another name
    "18-experts/mixture": 1,  # an axis by another name
    "18-experts/balance": 1,  # an axis by another name
    "18-experts/repair": 1,  # an axis by another name
}


class TooLong(KeyboardInterrupt):
    """A twin that does not end is no right answer.

    An interrupt is the one exception that `observe` lets through. It would note any other as the
    outcome of one case, and go on to the next, in which no time limit is left.
    """


@contextmanager
def limited():
    def stop(*_):
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    except TooLong:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.full(chapter=False)  # thousands of answers
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_slip_in_a_right_answer_costs_points(task):
    survived = []
    for text, twin in twins(task.reference):
        with limited():
            if judge(task, twin, seed=3).score == task.points:
                survived.append(text)
    assert len(survived) == EQUAL.get(task.id, 0), survived


def test_a_twin_that_never_ends_is_stopped_for_all_its_cases():
    called = []

    def endless(weights, k):
        called.append(k)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.01)  # what was left of its time is gone
        while True:
            pass

    task = next(task for task in TASKS if task.id == "14-decoding/top-k")
    with limited():
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 0
        judge(task, endless)
    assert len(called) == 1


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
