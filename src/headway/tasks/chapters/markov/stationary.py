"""Stretch: the share of time that a chain spends in each state, if it settles or not."""

import numpy as np

from headway.ngram.transition import stationary_distribution
from headway.tasks.chapters.markov.mistakes import NOT_NORMALIZED
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.draw import draw_telling, draw_until
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.task import Case, Task

ATOL = 1e-4
NEAR = close(atol=ATOL, rtol=0)


def stationary_cases(rng: np.random.Generator) -> list[Case]:
    def rows(P):
        P = np.array(P, dtype=float)
        return P / P.sum(axis=1, keepdims=True)

    def loop(*shares):
        """show → me → my → one of several → please → show."""
        n = len(shares)
        P = np.zeros((n + 4, n + 4))
        P[0, 1] = P[1, 2] = 1
        P[2, 3 : n + 3] = shares
        P[3 : n + 3, n + 3] = 1
        P[n + 3, 0] = 1
        return rows(P)

    def three():
        def unsettled(P):  # after a thousand steps, the mean of them is still seen to be off
            return _off(_sums_until_settled(P)[0]) > 1_500 * ATOL

        P = draw_until(unsettled, lambda: rows(rng.random((3, 3)) ** 2 + 0.05))
        return Case("three states", P, core=True)

    order = rng.permutation(7)
    a, b = rng.uniform(0.4, 0.6), rng.uniform(0.05, 0.15)
    left = rows(rng.random((3, 3)) + 0.2)
    left[1:, 0] = 0

    def seldom_left():
        return 0.05 * rows(rng.random((6, 6)) ** 3 + 0.05) + 0.95 * np.eye(6)

    # Who takes the mean over 50,000 steps from everywhere comes near enough.
    six = draw_until(
        lambda P: 2 * _off(_sums_until_settled(P).mean(axis=0)) < 50_000 * ATOL, seldom_left
    )
    return [
        draw_telling(stationary_task, three, "another-eigenvector"),
        Case(
            "a loop of five steps",
            loop(*rng.uniform(0.2, 0.5, 3))[np.ix_(order, order)],
            truth="periodic",
            core=True,
        ),
        Case("two states", np.array([[1 - a, a], [2 * b, 1 - 2 * b]])),
        Case("two states that take turns", np.array([[0.0, 1.0], [1.0, 0.0]]), truth="periodic"),
        Case("a state that is left for good", rows(left)),
        # After a hundred steps it is far from settled, after a thousand it has.
        Case("six states that are seldom left", six),
        Case("one state", np.ones((1, 1))),
    ]


def _sums_until_settled(P):
    """What a walk spends in each state beyond its share, over all steps: a row for each start."""
    n, pi = len(P), stationary_distribution(P)
    return np.linalg.inv(np.eye(n) - P + pi) - pi


def _off(sums):
    return np.abs(sums).max()


def alike(got, wrong, case) -> Difference | None:
    """As close; where the chain goes round, also some steps apart: the power taken is chance.

    So is the sign of an eigenvector.
    """
    if isinstance(got, np.ndarray) and got.dtype.kind == "f" and (got < 1e-9).all():
        got = -got
    difference = NEAR(got, wrong, case)
    if difference is None or case.truth != "periodic":
        return difference
    if not isinstance(got, np.ndarray) or got.shape != (len(case.inputs[0]),):
        return difference
    for _ in range(5):
        got = got @ case.inputs[0]
        if NEAR(got, wrong, case) is None:
            return None
    return difference


def _after_many_steps(P, start):
    return start @ np.linalg.matrix_power(P, 1000)


def _from_first(P):
    return _after_many_steps(P, np.eye(len(P))[0])


def _from_everywhere(P):
    return _after_many_steps(P, np.full(len(P), 1 / len(P)))


def _mean_of_five_powers(P):
    return np.mean([np.linalg.matrix_power(P, n)[0] for n in range(1000, 1005)], axis=0)


def _mean_of_steps(n):
    """The share of time in each state in the first n steps from state 0."""

    def answer(P):
        at, total = np.eye(len(P))[0], 0
        for _ in range(n):
            total, at = total + at, at @ P
        return total / n

    return answer


def _first_eigenvector(part):
    """The first that NumPy gives; of the two states it is the other one, since they differ so."""

    def answer(P):
        vector = part(np.linalg.eig(P.T)[1][:, 0])
        return vector / vector.sum()

    return answer


def _of_length_one(P):
    pi = stationary_distribution(P)
    return pi / np.linalg.norm(pi)


stationary_task = Task(
    id="02-markov/stationary",
    title="Where a chain spends its time",
    kind="stretch",
    points=4,
    minutes=20,
    answer="stationary",
    cases=stationary_cases,
    reference=stationary_distribution,
    misconceptions=(
        Misconception(
            "periodic-limit",
            any_of(
                *(_from_first, _from_everywhere, _mean_of_five_powers),
                *(_mean_of_steps(n) for n in (100, 1_000)),
            ),
            "You take many steps, or the mean of some. Where a chain goes around in a circle or "
            "seldom leaves a state, does one more step leave your distribution as it is?",
        ),
        NOT_NORMALIZED.by(_of_length_one),
        Misconception(
            "another-eigenvector",
            any_of(
                lambda P: np.full(len(P), 1 / len(P)),
                _first_eigenvector(np.abs),
                _first_eigenvector(np.real),
            ),
            "Your vector is not the eigenvector that a step leaves as it is. Which eigenvalue "
            "does that one have, and on which side of P?",
        ),
        Misconception(
            "one-step-only",
            any_of(
                *(lambda P: P.mean(axis=0), lambda P: P.sum(axis=0), lambda P: P[0]),
                lambda P: (P > 0).sum(axis=0) / (P > 0).sum(),
            ),
            "You look at a single step. Where is the walk after many more?",
        ),
        Misconception(
            "matrix-for-distribution",
            any_of(
                lambda P: np.linalg.matrix_power(P, 1000),
                lambda P: np.linalg.matrix_power((P + np.eye(len(P))) / 2, 2000),
            ),
            "This is a high power of P, a whole table. How many numbers does a distribution over "
            "the states have?",
        ),
    ),
    compare=NEAR,
    alike=alike,
    excused=("kind-of-numbers", "overflow"),  # of probabilities
)
